import { AmountSummary } from "../../components/amount-summary.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import { ActionDecision } from "./action-decision.tsx";
import type { PayoutAction } from "./action-query.ts";
import { messages } from "./messages.ts";

const texts = messages.proposals;

const COLUMNS: readonly Column<PayoutAction>[] = [
  {
    key: "item",
    header: texts.item,
    names: true,
    cell: ({ id, changed, qualifying }) => (
      <PageLink to={`/payout-actions/${id}`}>{texts.link((changed ?? qualifying).count)}</PageLink>
    ),
  },
  {
    key: "amount",
    header: texts.amount,
    numeric: true,
    card: "amount",
    cell: ({ changed, qualifying }) => (
      <AmountSummary of={(changed ?? qualifying).totals} payouts={(changed ?? qualifying).count} />
    ),
  },
  {
    key: "reason",
    header: texts.reason,
    cell: ({ reason }) => (reason === null ? "–" : <UserText text={reason} />),
  },
  { key: "by", header: texts.by, cell: ({ created_by: by }) => <UserText text={by.name} /> },
  {
    key: "at",
    header: texts.at,
    cell: ({ applied_at: at }) => <Timestamp at={at} relative={false} />,
  },
  { key: "decision", header: texts.decision, cell: (action) => <ActionDecision of={action} /> },
];

/** The bulk actions that await the confirmation of an approver. */
export const ProposedActions = ({ items }: { readonly items: readonly PayoutAction[] }) => (
  <Section title={texts.title} caption={texts.caption} isFlush>
    <DataTable
      caption={texts.title}
      hideCaption
      columns={COLUMNS}
      rows={items}
      rowKey={({ id }) => id}
    />
  </Section>
);
