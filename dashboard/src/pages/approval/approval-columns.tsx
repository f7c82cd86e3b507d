import { Text } from "@mantine/core";
import { batchName } from "../../base/text.ts";
import { AmountSummary } from "../../components/amount-summary.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { PageLink } from "../../components/page-link.tsx";
import { BatchStateBadge } from "../../components/payout/state-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.tsx";
import { payoutsIn } from "./payouts-in.ts";

const texts = messages.list;

type Waiting = Answer<"GET /api/approvals">["items"][number];

/** The columns of the list of batches awaiting approval. */
export const APPROVAL_COLUMNS: readonly ListColumn<Waiting>[] = [
  {
    key: "file",
    header: texts.batch,
    width: 240,
    isFixed: true,
    names: true,
    cell: (batch) => (
      <>
        <PageLink to={`/batches/${batch.batch_id}/approval`} row>
          <UserText text={batchName(batch)} />
        </PageLink>
        <Text size="xs" c="dimmed">
          {batch.batch_id}
        </Text>
      </>
    ),
  },
  {
    key: "total",
    header: texts.total,
    width: 170,
    isFixed: true,
    numeric: true,
    card: "amount",
    sort: ["largest", "smallest"],
    cell: ({ totals }) => <AmountSummary of={totals} payouts={payoutsIn(totals)} />,
  },
  {
    key: "payouts",
    header: texts.payouts,
    width: 90,
    numeric: true,
    cell: ({ totals }) => payoutsIn(totals).toLocaleString(),
  },
  {
    key: "maker",
    header: texts.uploadedBy,
    width: 130,
    cell: ({ maker, own }) => (own ? texts.you : <UserText text={maker.name} />),
  },
  {
    key: "created",
    header: texts.uploadedAt,
    width: 200,
    isWide: true,
    sort: ["newest", "oldest"],
    cell: ({ created_at }) => <Timestamp at={created_at} />,
  },
  {
    key: "needs",
    header: texts.needs,
    width: 230,
    cell: (waiting) => <Needs of={waiting} />,
  },
];

function Needs({ of: { missing, given, blocked, approved, ...batch } }: { readonly of: Waiting }) {
  if (batch.needs_duplicate_reason) {
    return (
      <>
        <BatchStateBadge state="awaiting_approval" needs_duplicate_reason />
        <Text size="xs" c="dimmed">
          {texts.duplicates}
        </Text>
      </>
    );
  }
  return (
    <>
      {texts.missing(missing)}
      {given > 0 ? texts.given(given) : ""}
      {approved ? texts.yours : ""}
      {blocked === null ? null : (
        <Text size="xs" data-tone="awaiting" c="var(--tone-fg)">
          {texts.blocked(blocked)}
        </Text>
      )}
    </>
  );
}
