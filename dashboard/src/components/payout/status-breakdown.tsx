import { CircleCheck, OctagonAlert } from "lucide-react";
import type { Part } from "#approval/status-breakdown.ts";
import { addAmounts, formatAmount, sameAmount } from "../../base/money.ts";
import { PART_DISPLAY } from "../../base/state.ts";
import { breakdownTexts } from "./status-breakdown-text.ts";
import { type Column, DataTable } from "../data-table.tsx";
import classes from "./status-breakdown.module.css";
import { detailMessages } from "../detail-messages.tsx";

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
  const { total, caption } = breakdownTexts(isApproved);
  return (
    <DataTable
      caption={caption}
      columns={[CURRENCY, totalColumn(total), ...shownParts(lines).map(partColumn)]}
      rows={lines}
      rowKey={({ currency }) => currency}
    />
  );
}

const CURRENCY: Column<BreakdownLine> = {
  key: "currency",
  header: detailMessages.equation.currency,
  names: true,
  cell: (line) => (
    <>
      {line.currency}
      <Verdict good={addsUp(line)} />
    </>
  ),
};

const totalColumn = (header: string): Column<BreakdownLine> => ({
  key: "total",
  header,
  numeric: true,
  card: "amount",
  cell: ({ approved }) => formatAmount(approved),
});

const partColumn = (part: Part, at: number): Column<BreakdownLine> => ({
  key: part,
  header: PART_DISPLAY[part].word,
  sign: at === 0 ? "=" : "+",
  numeric: true,
  proven: part === "settled",
  isBlank: (line) => partOf(line, part).count === 0,
  cell: (line) => {
    const { count, amount } = partOf(line, part);
    return (
      <div data-tone={PART_DISPLAY[part].tone} className={count > 0 ? classes.some : classes.none}>
        {formatAmount(amount)}
        <div className={classes.count}>{count}</div>
      </div>
    );
  },
});

const Verdict = ({ good }: { readonly good: boolean }) => (
  <span className={classes.verdict} data-tone={good ? "settled" : "declined"}>
    {good ? <CircleCheck size={16} aria-hidden /> : <OctagonAlert size={16} aria-hidden />}
    {good ? detailMessages.equation.addsUp : detailMessages.equation.doesNotAddUp}
  </span>
);
