import { Text } from "@mantine/core";
import { Fragment } from "react";
import type { Part } from "#approval/status-breakdown.ts";
import { isScheduled } from "../../../base/state.ts";
import { batchName, batchOrigin, otherNamesOf } from "../../../base/text.ts";
import { AmountSummary } from "../../../components/amount-summary.tsx";
import type { ListColumn } from "../../../components/list-table/list-column.ts";
import { PageLink } from "../../../components/page-link.tsx";
import { BatchStateBadge } from "../../../components/payout/state-badge.tsx";
import { RetriedShares } from "../../../components/payout/retry/retried-shares.tsx";
import { StateBar } from "../../../components/payout/state-bar.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { UserText } from "../../../components/user-text.tsx";
import type { ListedBatch } from "./listed-batch.ts";
import { messages } from "./list-messages.ts";
import { NextStep, nextStepOf } from "./next-step.tsx";

const { columns: texts } = messages;

/** A batch to correct opens on the page of its file, where its uploader continues. */
const addressOfBatch = ({ batch_id, state }: ListedBatch): string =>
  state === "needs_correction" ? `/batches/${batch_id}/file` : `/batches/${batch_id}`;

/** The columns of the list of batches. */
export const BATCH_COLUMNS: readonly ListColumn<ListedBatch>[] = [
  {
    key: "batch",
    header: texts.batch,
    width: 240,
    isFixed: true,
    names: true,
    cell: (batch) => (
      <>
        <PageLink to={addressOfBatch(batch)} row>
          <UserText text={batchName(batch)} />
        </PageLink>
        <Text size="xs" c="dimmed" truncate data-detail>
          {batch.batch_id}
          {otherNamesOf(batch).map((text) => (
            <Fragment key={text}>
              {" · "}
              <UserText text={text} />
            </Fragment>
          ))}
        </Text>
      </>
    ),
  },
  {
    key: "state",
    header: texts.state,
    width: 240,
    isFixed: true,
    card: "state",
    cell: ({ state, rejected, send, cancelling, needs_duplicate_reason }) => (
      <BatchStateBadge {...{ state, rejected, send, cancelling, needs_duplicate_reason }} />
    ),
  },
  {
    key: "progress",
    header: texts.payouts,
    width: 195,
    card: "none",
    cell: (batch) => <Progress of={batch} />,
    isBlank: (batch) => batch.state === "awaiting_approval" && !batch.needs_duplicate_reason,
  },
  {
    key: "total",
    header: texts.total,
    width: 205,
    numeric: true,
    card: "amount",
    sort: ["largest", "smallest"],
    cell: ({ totals }) => (
      <AmountSummary of={totals} payouts={totals.reduce((sum, { payouts }) => sum + payouts, 0)} />
    ),
  },
  {
    key: "rows",
    header: texts.rows,
    width: 75,
    numeric: true,
    isHidden: true,
    card: "none",
    sort: ["most_rows", "fewest_rows"],
    cell: ({ rows }) => rows.toLocaleString(),
  },
  {
    key: "file",
    header: texts.file,
    width: 170,
    isHidden: true,
    card: "none",
    cell: (batch) => <UserText text={batchOrigin(batch)} />,
  },
  {
    key: "purpose",
    header: texts.purpose,
    width: 170,
    isHidden: true,
    card: "none",
    cell: ({ purpose }) => (purpose === null ? "–" : <UserText text={purpose} />),
  },
  {
    key: "maker",
    header: texts.uploadedBy,
    width: 115,
    isWide: true,
    card: "none",
    cell: ({ maker }) => <UserText text={maker.name} />,
  },
  {
    key: "at",
    header: texts.uploadedAt,
    width: 130,
    isWide: true,
    card: "none",
    sort: ["newest", "oldest"],
    cell: ({ created_at }) => <Timestamp at={created_at} />,
  },
  {
    key: "approved",
    header: texts.approvedAt,
    width: 150,
    isHidden: true,
    card: "none",
    cell: ({ approved_at }) => <Timestamp at={approved_at} />,
  },
  {
    key: "finished",
    header: texts.finishedAt,
    width: 150,
    isHidden: true,
    card: "none",
    cell: ({ finished_at }) => <Timestamp at={finished_at} />,
  },
  {
    key: "action",
    header: texts.action,
    width: 145,
    card: "action",
    isBlank: (batch) => nextStepOf(batch) === undefined,
    cell: (batch) => <NextStep of={batch} />,
  },
];

/** The payouts of a batch by state, or what it waits for before payouts are sent. */
function Progress({
  of: { state, rejected, progress, send, file, retried, totals, ...batch },
}: {
  readonly of: ListedBatch;
}) {
  if (progress && !isScheduled(send)) {
    return (
      <>
        <StateBar parts={partsOf(progress)} label={texts.payoutsOf(file)} />
        <RetriedShares of={retried} size="xs" />
      </>
    );
  }
  const text =
    state === "draft"
      ? texts.notSent
      : state === "needs_correction" && rejected > 0
        ? texts.rejected(rejected)
        : batch.needs_duplicate_reason
          ? texts.duplicates
          : (send?.says ?? texts.waiting(totals.reduce((sum, { payouts }) => sum + payouts, 0)));
  return (
    <Text size="xs" c="dimmed" component="span">
      {text}
    </Text>
  );
}

function partsOf(progress: NonNullable<ListedBatch["progress"]>): { part: Part; count: number }[] {
  const counts = new Map<Part, number>();
  for (const { part, count } of progress) counts.set(part, (counts.get(part) ?? 0) + count);
  return [...counts].map(([part, count]) => ({ part, count }));
}
