import { Text } from "@mantine/core";
import type { Answer } from "../../client.ts";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { Go } from "../../components/go.tsx";
import { Section } from "../../components/section.tsx";
import { PayoutStateBadge } from "../../components/state-badge.tsx";
import { TriageText } from "../../components/triage.tsx";
import classes from "./failures.module.css";

type Failures = Answer<"GET /api/failures">;
export type TakenUp = Failures["payouts"][number];

/** Payouts that people look after one by one, whatever becomes of their cause. */
export function PayoutsTakenUp({
  payouts,
  total,
}: {
  readonly payouts: readonly TakenUp[];
  readonly total: number;
}) {
  return (
    <Section title="Taken up one by one">
      <DataTable
        caption="Payouts that people look after one by one"
        hideCaption
        columns={COLUMNS}
        rows={payouts}
        rowKey={({ code }) => code}
      />
      {total > payouts.length ? (
        <Text size="sm" c="dimmed">
          The last changed of {total.toLocaleString()} are looked through.
        </Text>
      ) : null}
    </Section>
  );
}

const COLUMNS: readonly Column<TakenUp>[] = [
  {
    key: "code",
    header: "Payout",
    names: true,
    cell: ({ code }) => (
      <Go to={`/payouts/${encodeURIComponent(code)}`} row>
        {code}
      </Go>
    ),
  },
  { key: "state", header: "State", cell: ({ state }) => <PayoutStateBadge state={state} /> },
  { key: "amount", header: "Amount", numeric: true, cell: (payout) => <Amount of={payout} /> },
  {
    key: "hands",
    header: "Who",
    cell: (payout) => (
      <div className={classes.wide}>
        <TriageText of={payout} />
      </div>
    ),
  },
  {
    key: "reason",
    header: "Cause",
    cell: ({ reason }) => <div className={classes.wide}>{reason ?? "–"}</div>,
  },
];
