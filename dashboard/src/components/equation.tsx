import { CircleCheck, OctagonAlert } from "lucide-react";
import type { Part } from "#batch/equation.ts";
import { addAmounts, formatAmount, sameAmount } from "../money.ts";
import { PART_WORDS } from "../state.ts";
import { equationWords } from "./equation-words.ts";
import table from "./data-table.module.css";
import classes from "./equation.module.css";

/** What was approved, or brought to be approved, in one currency, and the parts that it is in now. */
interface EquationLine {
  readonly currency: string;
  readonly approved: string;
  readonly parts: readonly {
    readonly part: Part;
    readonly count: number;
    readonly amount: string;
  }[];
  readonly adds_up: boolean;
}

/** Rare, and shown only where there is some of it. */
const RARE: ReadonlySet<Part> = new Set(["waiting", "returned", "closed"]);

const shownParts = (lines: readonly EquationLine[]): Part[] =>
  (Object.keys(PART_WORDS) as Part[]).filter(
    (part) => !RARE.has(part) || lines.some((line) => partOf(line, part).count > 0),
  );

const partOf = ({ parts }: EquationLine, part: Part) =>
  parts.find((each) => each.part === part) ?? { part, count: 0, amount: "0" };

/** The server's word is not taken for it: what is on the screen is added up here as well. */
const addsUp = ({ adds_up, approved, parts }: EquationLine): boolean =>
  adds_up && sameAmount(approved, addAmounts(parts.map(({ amount }) => amount)));

/** approved, or brought = paid + not paid + unknown + needs you + returned + cancelled + still open, in money, per currency. */
export function Equation({
  lines,
  isApproved,
}: {
  readonly lines: readonly EquationLine[];
  readonly isApproved: boolean;
}) {
  const shown = shownParts(lines);
  const { total, caption } = equationWords(isApproved);
  return (
    <div className={table.region} role="region" aria-label="Where the money is" tabIndex={0}>
      <table className={table.table}>
        <caption className={table.caption}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col" data-numeric>
              {total}
            </th>
            {shown.map((part, at) => (
              <th key={part} scope="col" data-numeric data-proven={part === "paid" || undefined}>
                <span aria-hidden>{at === 0 ? "= " : "+ "}</span>
                {PART_WORDS[part].word}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.currency}>
              <th scope="row">
                {line.currency}
                <Verdict good={addsUp(line)} />
              </th>
              <td data-numeric>{formatAmount(line.approved)}</td>
              {shown.map((part) => (
                <PartCell key={part} {...partOf(line, part)} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function PartCell({ part, count, amount }: EquationLine["parts"][number]) {
  return (
    <td
      data-numeric
      data-tone={PART_WORDS[part].tone}
      className={count > 0 ? classes.some : classes.none}
    >
      {formatAmount(amount)}
      <div className={classes.count}>{count}</div>
    </td>
  );
}

const Verdict = ({ good }: { readonly good: boolean }) => (
  <span className={classes.verdict} data-tone={good ? "good" : "bad"}>
    {good ? <CircleCheck size={16} aria-hidden /> : <OctagonAlert size={16} aria-hidden />}
    {good ? "adds up" : "does not add up"}
  </span>
);
