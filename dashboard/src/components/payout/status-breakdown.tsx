import { CircleCheck, OctagonAlert } from "lucide-react";
import type { Part } from "#approval/status-breakdown.ts";
import { addAmounts, formatAmount, sameAmount } from "../../base/money.ts";
import { PART_DISPLAY } from "../../base/state.ts";
import { breakdownTexts } from "./status-breakdown-text.ts";
import table from "../data-table.module.css";
import classes from "./status-breakdown.module.css";
import { messages } from "../messages.tsx";

/** The approved or uploaded amount in one currency, and its parts by state. */
interface BreakdownLine {
  readonly currency: string;
  readonly approved: string;
  readonly parts: readonly {
    readonly part: Part;
    readonly count: number;
    readonly amount: string;
  }[];
  readonly adds_up: boolean;
}

/** Rare parts, shown only when they are not empty. */
const RARE: ReadonlySet<Part> = new Set(["awaiting_approval", "returned", "resolved"]);

const shownParts = (lines: readonly BreakdownLine[]): Part[] =>
  (Object.keys(PART_DISPLAY) as Part[]).filter(
    (part) => !RARE.has(part) || lines.some((line) => partOf(line, part).count > 0),
  );

const partOf = ({ parts }: BreakdownLine, part: Part) =>
  parts.find((each) => each.part === part) ?? { part, count: 0, amount: "0" };

/** Checks the sum of the shown amounts in addition to the server's own check. */
const addsUp = ({ adds_up, approved, parts }: BreakdownLine): boolean =>
  adds_up && sameAmount(approved, addAmounts(parts.map(({ amount }) => amount)));

/**
 * Approved or uploaded amount = settled + declined + in doubt + on hold + returned + cancelled + in
 * progress, per currency.
 */
export function StatusBreakdown({
  lines,
  isApproved,
}: {
  readonly lines: readonly BreakdownLine[];
  readonly isApproved: boolean;
}) {
  const shown = shownParts(lines);
  const { total, caption } = breakdownTexts(isApproved);
  return (
    <div className={table.region} role="region" aria-label={messages.equation.region} tabIndex={0}>
      <table className={table.table}>
        <caption className={table.caption}>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{messages.equation.currency}</th>
            <th scope="col" data-numeric>
              {total}
            </th>
            {shown.map((part, at) => (
              <th key={part} scope="col" data-numeric data-proven={part === "settled" || undefined}>
                <span aria-hidden>{at === 0 ? "= " : "+ "}</span>
                {PART_DISPLAY[part].word}
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

function PartCell({ part, count, amount }: BreakdownLine["parts"][number]) {
  return (
    <td
      data-numeric
      data-tone={PART_DISPLAY[part].tone}
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
    {good ? messages.equation.addsUp : messages.equation.doesNotAddUp}
  </span>
);
