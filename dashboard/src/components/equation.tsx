import { VisuallyHidden } from "@mantine/core";
import { CircleCheck, OctagonAlert } from "lucide-react";
import { addAmounts, formatAmount, sameAmount } from "../money.ts";
import classes from "./equation.module.css";
import table from "./data-table.module.css";

/** Where the approved money of one currency is, each part an exact decimal text. */
export interface EquationLine {
  readonly currency: string;
  readonly approved: string;
  readonly settled: string;
  readonly declined: string;
  readonly cancelled: string;
  readonly in_flight: string;
  readonly in_doubt: string;
  readonly held: string;
  readonly returned: string;
}

// biome-ignore format: the columns are the point
const PARTS = [
  { part: "settled",   word: "paid",      tone: "good" },
  { part: "declined",  word: "not paid",  tone: "bad" },
  { part: "cancelled", word: "cancelled", tone: "quiet" },
  { part: "in_flight", word: "in flight", tone: "moving" },
  { part: "in_doubt",  word: "unknown",   tone: "doubt" },
  { part: "held",      word: "needs you", tone: "alarm" },
  { part: "returned",  word: "returned",  tone: "back" },
] as const;

const addsUp = (line: EquationLine): boolean =>
  sameAmount(line.approved, addAmounts(PARTS.map(({ part }) => line[part])));

/** approved = paid + not paid + cancelled + in flight + unknown + needs you + returned, in money, added up here. */
export function Equation({ lines }: { readonly lines: readonly EquationLine[] }) {
  return (
    <div
      className={table.region}
      role="region"
      aria-label="Where the approved money is"
      tabIndex={0}
    >
      <table className={`${table.table} ${classes.equation}`}>
        <caption className={table.caption}>Where the approved money is</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col" data-numeric>
              approved
            </th>
            {PARTS.map(({ part, word, tone }, at) => (
              <th key={part} scope="col" data-numeric data-proven={tone === "good" || undefined}>
                <span aria-hidden>{at === 0 ? "= " : "+ "}</span>
                {word}
              </th>
            ))}
            <th scope="col">
              <VisuallyHidden>Does it add up?</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.currency}>
              <th scope="row">{line.currency}</th>
              <td data-numeric>{formatAmount(line.approved)}</td>
              {PARTS.map(({ part, tone }) => (
                <td key={part} data-numeric data-tone={tone} className={classes.part}>
                  {formatAmount(line[part])}
                </td>
              ))}
              <td>
                <Verdict good={addsUp(line)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const Verdict = ({ good }: { readonly good: boolean }) => (
  <span className={classes.verdict} data-tone={good ? "good" : "bad"}>
    {good ? <CircleCheck size={16} aria-hidden /> : <OctagonAlert size={16} aria-hidden />}
    {good ? "adds up" : "does not add up"}
  </span>
);
