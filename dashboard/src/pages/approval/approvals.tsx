import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Answer } from "../../server/client.ts";
import { batchName } from "../../base/text.ts";
import { AmountSummary } from "../../components/amount-summary.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { UserText } from "../../components/user-text.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { useMay } from "../../server/session.ts";
import { PendingChanges } from "../people/settings/pending-changes.tsx";
import { messages } from "./messages.tsx";
import { approvalsQuery } from "./queries.ts";

type Waiting = Answer<"GET /api/approvals">["items"][number];

const texts = messages.list;

const route = getRouteApi("/dashboard/approvals");

/** Lists the batches that await approval: those that the reader may approve, or all. */
export function ApprovalsPage() {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const mayApprove = useMay("approve");
  const { data: waiting, error, refetch } = useQuery(approvalsQuery);
  const items = waiting?.items.filter(({ mine }) => show === "all" || mine) ?? [];
  return (
    <Page title={texts.title}>
      {mayApprove ? <PendingChanges /> : null}
      {error && !waiting ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {waiting ? (
        <>
          <SegmentedControl
            aria-label={texts.filter}
            value={show}
            onChange={(value) =>
              void navigate({ search: { show: value === "all" ? "all" : "mine" } })
            }
            data={[
              { value: "mine", label: texts.mine(waiting.mine) },
              { value: "all", label: texts.all(waiting.items.length) },
            ]}
          />
          <DataTable
            caption={show === "all" ? texts.captionAll : texts.captionMine}
            columns={COLUMNS}
            rows={items}
            rowKey={({ batch_id }) => batch_id}
            empty={<EmptyState text={show === "all" ? texts.emptyAll : texts.emptyMine} />}
          />
        </>
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

const payoutsIn = (totals: Waiting["totals"]): number =>
  totals.reduce((sum, { payouts }) => sum + payouts, 0);

const COLUMNS: readonly Column<Waiting>[] = [
  {
    key: "file",
    header: texts.batch,
    names: true,
    cell: ({ batch_id, file, name }) => (
      <>
        <PageLink to={`/batches/${batch_id}/approval`}>
          <UserText text={batchName({ name, file })} />
        </PageLink>
        <Text size="xs" c="dimmed">
          {batch_id}
        </Text>
      </>
    ),
  },
  {
    key: "total",
    header: texts.total,
    numeric: true,
    card: "amount",
    cell: ({ totals }) => <AmountSummary of={totals} payouts={payoutsIn(totals)} />,
  },
  {
    key: "payouts",
    header: texts.payouts,
    numeric: true,
    cell: ({ totals }) => payoutsIn(totals).toLocaleString(),
  },
  {
    key: "maker",
    header: texts.uploadedBy,
    cell: ({ maker, own }) => (own ? texts.you : <UserText text={maker.name} />),
  },
  {
    key: "created",
    header: texts.uploadedAt,
    cell: ({ created_at }) => <Timestamp at={created_at} />,
  },
  { key: "needs", header: texts.needs, cell: (waiting) => <Needs of={waiting} /> },
];

function Needs({ of: { missing, given, blocked, approved } }: { readonly of: Waiting }) {
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
