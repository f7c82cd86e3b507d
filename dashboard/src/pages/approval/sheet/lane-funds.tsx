import { LaneName } from "../../../components/payout/lane-name.tsx";
import { PlainAmount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { messages } from "../messages.tsx";
import type { LimitReport } from "../queries.ts";
import classes from "./approval-sheet.module.css";

const texts = messages.funds;

type Lane = LimitReport["funds"][number];

/** The balance and reservations of each lane of the batch, collapsed. */
export const LaneFunds = ({ of }: { readonly of: readonly Lane[] }) => (
  <details className={classes.finding}>
    <summary>{texts.title}</summary>
    <DataTable
      caption={texts.title}
      hideCaption
      columns={COLUMNS}
      rows={of}
      rowKey={({ lane }) => lane}
    />
  </details>
);

const COLUMNS: readonly Column<Lane>[] = [
  { key: "lane", header: texts.lane, names: true, cell: ({ lane }) => <LaneName lane={lane} /> },
  {
    key: "needed",
    header: texts.needed,
    numeric: true,
    cell: ({ needed }) => <PlainAmount of={needed} />,
  },
  {
    key: "free",
    header: texts.free,
    numeric: true,
    cell: ({ free }) => (free ? <PlainAmount of={free} /> : texts.notKnown),
  },
  {
    key: "reserved",
    header: texts.reserved,
    numeric: true,
    cell: ({ reserved }) => <PlainAmount of={reserved} />,
  },
  {
    key: "settled",
    header: texts.settledSince,
    numeric: true,
    cell: ({ settled_since: settled }) => (settled ? <PlainAmount of={settled} /> : texts.notKnown),
  },
  {
    key: "balance",
    header: texts.balance,
    numeric: true,
    cell: ({ balance }) => (balance ? <PlainAmount of={balance} /> : texts.notKnown),
  },
  { key: "at", header: texts.asOf, cell: ({ reported_at: at }) => <Timestamp at={at} /> },
];
