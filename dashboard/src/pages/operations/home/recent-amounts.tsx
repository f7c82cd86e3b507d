import type { Part } from "#approval/status-breakdown.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { formatAmount } from "../../../base/money.ts";
import { PART_DISPLAY } from "../../../base/state.ts";
import classes from "./recent-amounts.module.css";
import { messages } from "./messages.tsx";
import type { Home } from "./queries.ts";

const texts = messages.lately;

type Line = Home["recent_amounts"][number];

/** Amounts of the last 24 hours by currency and status. Columns without payouts are left out. */
export const RecentAmounts = ({ lines }: { readonly lines: readonly Line[] }) => (
  <DataTable
    caption={texts.caption}
    columns={[CURRENCY, ...partsIn(lines).map(columnOf)]}
    rows={lines}
    rowKey={({ currency }) => currency}
    empty={<EmptyState text={texts.empty} />}
  />
);

const CURRENCY: Column<Line> = {
  key: "currency",
  header: texts.currency,
  names: true,
  cell: ({ currency }) => currency,
};

const partsIn = (lines: readonly Line[]): Part[] =>
  (Object.keys(PART_DISPLAY) as Part[]).filter((part) =>
    lines.some(({ parts }) => parts.some((each) => each.part === part && each.count > 0)),
  );

const columnOf = (part: Part): Column<Line> => ({
  key: part,
  header: PART_DISPLAY[part].word,
  numeric: true,
  proven: part === "settled",
  cell: ({ parts }) => {
    const { count = 0, amount = "0" } = parts.find((each) => each.part === part) ?? {};
    if (count === 0) return "–";
    return (
      <span data-tone={PART_DISPLAY[part].tone} className={classes.part}>
        {formatAmount(amount)} <small>({count.toLocaleString()})</small>
      </span>
    );
  },
});
