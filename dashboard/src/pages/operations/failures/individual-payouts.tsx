import { Text } from "@mantine/core";
import type { Answer } from "../../../server/client.ts";
import { Amount } from "../../../components/amount.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { AssignmentText } from "../../../components/payout/assignment.tsx";
import classes from "./failures.module.css";
import { messages } from "./messages.ts";

const texts = messages.individual;

type Failures = Answer<"GET /api/failures">;
type IndividualPayout = Failures["payouts"][number];

/** Payouts that are assigned or snoozed individually, apart from their failure group. */
export function IndividualPayouts({
  payouts,
  total,
}: {
  readonly payouts: readonly IndividualPayout[];
  readonly total: number;
}) {
  return (
    <Section title={texts.title}>
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={COLUMNS}
        rows={payouts}
        rowKey={({ code }) => code}
      />
      {total > payouts.length ? (
        <Text size="sm" c="dimmed">
          {texts.onlyLatest(total)}
        </Text>
      ) : null}
    </Section>
  );
}

const COLUMNS: readonly Column<IndividualPayout>[] = [
  {
    key: "code",
    header: texts.payout,
    names: true,
    cell: ({ code }) => (
      <PageLink to={`/payouts/${encodeURIComponent(code)}`} row>
        {code}
      </PageLink>
    ),
  },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state }) => <PayoutStateBadge state={state} />,
  },
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: (payout) => <Amount of={payout} />,
  },
  {
    key: "assignment",
    header: texts.assignment,
    cell: (payout) => (
      <div className={classes.wide}>
        <AssignmentText of={payout} />
      </div>
    ),
  },
  {
    key: "reason",
    header: texts.reason,
    cell: ({ reason }) => <div className={classes.wide}>{reason ?? "–"}</div>,
  },
];
