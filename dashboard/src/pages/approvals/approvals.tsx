import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Answer } from "../../client.ts";
import { calledOf } from "../../words.ts";
import { Amounts } from "../../components/amount.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Given } from "../../components/given.tsx";
import { Go } from "../../components/go.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { When } from "../../components/when.tsx";
import { approvalsQuery } from "./queries.ts";

type Waiting = Answer<"GET /api/approvals">["items"][number];

const route = getRouteApi("/desk/approvals");

/** The batches that wait: those that whoever looks can do something about, and all of them. */
export function ApprovalsPage() {
  const { show } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: waiting, error, refetch } = useQuery(approvalsQuery);
  const items = waiting?.items.filter(({ mine }) => show === "all" || mine) ?? [];
  return (
    <Page title="Approvals">
      {error && !waiting ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {waiting ? (
        <>
          <SegmentedControl
            aria-label="Which approvals"
            value={show}
            onChange={(value) =>
              void navigate({ search: { show: value === "all" ? "all" : "mine" } })
            }
            data={[
              { value: "mine", label: `For me (${waiting.mine})` },
              { value: "all", label: `All (${waiting.items.length})` },
            ]}
          />
          <DataTable
            caption={show === "all" ? "Batches that wait for approval" : "Batches that wait for me"}
            columns={COLUMNS}
            rows={items}
            rowKey={({ batch_id }) => batch_id}
            empty={
              <EmptyState text={show === "all" ? "Nothing waits." : "Nothing waits for you."} />
            }
          />
        </>
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

const COLUMNS: readonly Column<Waiting>[] = [
  {
    key: "file",
    header: "Batch",
    names: true,
    cell: ({ batch_id, file, name }) => (
      <>
        <Go to={`/batches/${batch_id}/approval`}>
          <Given text={calledOf({ name, file })} />
        </Go>
        <Text size="xs" c="dimmed">
          {batch_id}
        </Text>
      </>
    ),
  },
  { key: "total", header: "Total", numeric: true, cell: ({ totals }) => <Amounts of={totals} /> },
  {
    key: "payouts",
    header: "Payouts",
    numeric: true,
    cell: ({ totals }) => totals.reduce((sum, { payouts }) => sum + payouts, 0).toLocaleString(),
  },
  {
    key: "maker",
    header: "Brought by",
    cell: ({ maker, own }) => (own ? "you" : <Given text={maker.name} />),
  },
  { key: "created", header: "Brought", cell: ({ created_at }) => <When at={created_at} /> },
  { key: "needs", header: "Needs", cell: (waiting) => <Needs of={waiting} /> },
];

function Needs({ of: { missing, given, blocked, approved } }: { readonly of: Waiting }) {
  return (
    <>
      {missing} more {missing === 1 ? "approval" : "approvals"}
      {given > 0 ? `, ${given} given` : ""}
      {approved ? ", one of them yours" : ""}
      {blocked === null ? null : (
        <Text size="xs" data-tone="alarm" c="var(--tone-text)">
          Nobody can approve this. {blocked}
        </Text>
      )}
    </>
  );
}
