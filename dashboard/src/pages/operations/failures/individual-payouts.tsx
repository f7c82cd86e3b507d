import { Text } from "@mantine/core";
import type { Answer } from "../../../server/client.ts";
import { Amount } from "../../../components/amount.tsx";
import type { ListColumn } from "../../../components/list-table/list-column.ts";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Section } from "../../../components/section.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { AssignmentText } from "../../../components/payout/assignment/assignment-text.tsx";
import { messages as texts } from "./individual-messages.ts";

type Failures = Answer<"GET /api/failures">;
type IndividualPayout = Failures["payouts"][number];

/** Payouts that are assigned or snoozed individually, apart from their failure group. */
export default function IndividualPayouts({
  payouts,
  total,
}: {
  readonly payouts: readonly IndividualPayout[];
  readonly total: number;
}) {
  return (
    <Section title={texts.title}>
      <ListTable
        id="assigned-payouts"
        caption={texts.caption}
        columns={COLUMNS}
        rows={payouts}
        rowKey={({ code }) => code}
        filters=""
        empty={null}
      />
      {total > payouts.length ? (
        <Text size="sm" c="dimmed">
          {texts.onlyLatest(total)}
        </Text>
      ) : null}
    </Section>
  );
}

const COLUMNS: readonly ListColumn<IndividualPayout>[] = [
  {
    key: "code",
    width: 190,
    isFixed: true,
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
    width: 140,
    isFixed: true,
    header: texts.state,
    card: "state",
    cell: ({ state }) => <PayoutStateBadge state={state} />,
  },
  {
    key: "amount",
    width: 160,
    isFixed: true,
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: (payout) => <Amount of={payout} />,
  },
  {
    key: "assignment",
    width: 220,
    header: texts.assignment,
    cell: (payout) => <AssignmentText of={payout} />,
  },
  {
    key: "reason",
    width: 260,
    header: texts.reason,
    cell: ({ reason }) => reason ?? "–",
  },
];
