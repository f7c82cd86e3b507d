import { Button, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { batchName } from "../../base/text.ts";
import { AmountSummary } from "../../components/amount-summary.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { PageLink } from "../../components/page-link.tsx";
import { BatchStateBadge } from "../../components/payout/state-badge.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import type { Answer } from "../../server/client.ts";
import classes from "./approval-columns.module.css";
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
        <Text size="xs" c="dimmed" data-detail>
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
    width: 80,
    numeric: true,
    card: "none",
    cell: ({ totals }) => payoutsIn(totals).toLocaleString(),
  },
  {
    key: "maker",
    header: texts.uploadedBy,
    width: 120,
    card: "none",
    cell: ({ maker, own }) => (own ? texts.you : <UserText text={maker.name} />),
  },
  {
    key: "created",
    header: texts.uploadedAt,
    width: 120,
    isWide: true,
    card: "none",
    sort: ["newest", "oldest"],
    cell: ({ created_at }) => <Timestamp at={created_at} />,
  },
  {
    key: "needs",
    header: texts.needs,
    width: 190,
    card: "none",
    cell: (waiting) => <Needs of={waiting} />,
  },
  {
    key: "findings",
    header: texts.findings,
    width: 150,
    card: "state",
    cell: (waiting) => <Findings of={waiting} />,
  },
  {
    key: "action",
    header: texts.review,
    width: 90,
    isFixed: true,
    card: "action",
    cell: ({ batch_id, mine }) => (
      <Button
        component={Link}
        to={`/batches/${batch_id}/approval`}
        variant={mine ? "filled" : "default"}
        size="xs"
      >
        {texts.review}
      </Button>
    ),
  },
];

/** How many findings an approver must check before the approval. */
function Findings({
  of: { findings, needs_duplicate_reason: isBlocked },
}: {
  readonly of: Waiting;
}) {
  if (isBlocked) return <BatchStateBadge state="awaiting_approval" needs_duplicate_reason />;
  return findings === null || findings === 0 ? (
    <Text size="xs" c="dimmed" component="span">
      {findings === null ? texts.searching : texts.noFindings}
    </Text>
  ) : (
    <span className={classes.findings} data-tone="declined">
      <TriangleAlert size={13} aria-hidden />
      {texts.attention(findings)}
    </span>
  );
}

function Needs({ of: { missing, given, blocked, approved, ...batch } }: { readonly of: Waiting }) {
  if (batch.needs_duplicate_reason) return texts.duplicates;
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
