import { Text } from "@mantine/core";
import { Amount } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import classes from "./payout-action.module.css";
import type { PayoutAction } from "./action-query.ts";
import { messages } from "./messages.ts";

type Total = PayoutAction["qualifying"]["totals"][number];

const COLUMNS: readonly Column<Total>[] = [
  {
    key: "currency",
    header: messages.totals.currency,
    names: true,
    cell: ({ currency }) => currency,
  },
  {
    key: "payouts",
    header: messages.totals.payouts,
    numeric: true,
    cell: ({ payouts }) => payouts.toLocaleString(),
  },
  {
    key: "amount",
    header: messages.totals.amount,
    numeric: true,
    card: "amount",
    cell: (total) => <Amount of={total} />,
  },
];

/** The number and sum of payouts in each currency. */
export const PayoutTotals = ({ of }: { readonly of: readonly Total[] }) => (
  <DataTable
    caption={messages.dialog.totals}
    hideCaption
    columns={COLUMNS}
    rows={of}
    rowKey={({ currency }) => currency}
  />
);

/** The payouts that an action does not change, by reason. */
export function LeftPayouts({
  title,
  of,
}: {
  readonly title: (count: number) => string;
  readonly of: PayoutAction["not_qualifying"];
}) {
  if (of.length === 0) return null;
  const count = of.reduce((sum, each) => sum + each.count, 0);
  return (
    <div>
      <Text size="sm" fw={600}>
        {title(count)}
      </Text>
      <ul className={classes.reasons}>
        {of.map(({ reason, count: payouts, text }) => (
          <li key={reason}>
            {messages.payouts(payouts)}: {text}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The current assignees of the payouts, unless no payout has an assignee. */
export function CurrentAssignees({ of }: { readonly of: PayoutAction["assignees"] }) {
  if (!of?.some(({ user }) => user !== null)) return null;
  return (
    <ul className={classes.reasons}>
      {of.map(({ user, count }) => (
        <li key={user?.actor ?? ""}>{messages.dialog.assigned(user?.name ?? null, count)}</li>
      ))}
    </ul>
  );
}
