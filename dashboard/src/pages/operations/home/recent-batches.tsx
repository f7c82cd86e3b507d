import { Text } from "@mantine/core";
import { AmountSummary } from "../../../components/amount-summary.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { BatchStateBadge } from "../../../components/payout/state-badge.tsx";
import { StateBar } from "../../../components/payout/state-bar.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { batchName } from "../../../base/text.ts";
import { messages } from "./messages.tsx";
import type { Home } from "./queries.ts";

const texts = messages.recentBatches;

type Row = Home["batches"][number];

const COLUMNS: readonly Column<Row>[] = [
  {
    key: "file",
    header: texts.batch,
    names: true,
    cell: ({ batch_id, file, name }) => (
      <>
        <PageLink to={`/batches/${batch_id}`}>
          <UserText text={batchName({ name, file })} />
        </PageLink>
        <Text size="xs" c="dimmed">
          {batch_id}
          {name === null ? null : (
            <>
              {" · "}
              <UserText text={file} />
            </>
          )}
        </Text>
      </>
    ),
  },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state, send, quarantined }) => (
      <BatchStateBadge state={state} send={send} quarantined={quarantined} />
    ),
  },
  {
    key: "progress",
    header: texts.payouts,
    cell: ({ file, name, parts }) => (
      <StateBar parts={parts} label={texts.payoutsOf(batchName({ name, file }))} />
    ),
  },
  {
    key: "total",
    header: texts.total,
    numeric: true,
    card: "amount",
    cell: ({ totals, payouts }) => <AmountSummary of={totals} payouts={payouts} />,
  },
  { key: "maker", header: texts.uploadedBy, cell: ({ maker }) => <UserText text={maker.name} /> },
  {
    key: "created",
    header: texts.uploadedAt,
    cell: ({ created_at }) => <Timestamp at={created_at} />,
  },
];

/** The most recent batches, with their progress and totals. */
export const RecentBatches = ({ batches }: { readonly batches: readonly Row[] }) => (
  <DataTable
    caption={texts.caption}
    columns={COLUMNS}
    rows={batches}
    rowKey={({ batch_id }) => batch_id}
    empty={<EmptyState text={texts.empty} />}
  />
);
