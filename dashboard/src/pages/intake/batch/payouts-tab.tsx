import { Button, Group, Pill, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useDeferredValue } from "react";
import { paging } from "../../../base/list/paging.ts";
import { partWord, PAYOUT_STATES } from "../../../base/state.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { FILE_ROW_COLUMNS, type ListedPayout } from "../../../components/payout/payout-table.tsx";
import { PayoutStateBadge } from "../../../components/payout/state-badge.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { call } from "../../../server/client.ts";
import { useCauseName } from "./causes.tsx";
import { messages } from "./messages.tsx";
import type { BatchView } from "../queries.ts";
import { type BatchSearch, STATES_OF_PART } from "./search-params.ts";

const texts = messages.payouts;

const route = getRouteApi("/dashboard/batches/$id");

/**
 * The payouts of the batch that match the filter in the URL. Reloads when the state of the batch
 * changes, and every five seconds while payrun sends it.
 */
export function PayoutsTab({ batch }: { readonly batch: BatchView }) {
  const { batch_id: id, state } = batch;
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { state: part, cause, cursor } = search;
  const filter = { ...(part && { state: part }), ...(cause && { cause }) };
  const go = (next: BatchSearch): void => void navigate({ search: next, resetScroll: false });
  const isWorking = state === "approved" || state === "paused";
  const { data, error } = useQuery({
    queryKey: ["GET /api/payouts", "batch", id, state, search],
    queryFn: ({ signal }) =>
      call("GET /api/payouts", {
        query: {
          batch: id,
          sort: "oldest",
          limit: 25,
          ...(part && { state: STATES_OF_PART[part].join(",") }),
          ...(cause && { reason: cause }),
          ...(cursor && { cursor }),
        },
        signal,
      }),
    refetchInterval: isWorking ? 5_000 : false,
    placeholderData: keepPreviousData,
  });
  const page = useDeferredValue(data);
  if (error) return <ErrorState error={error} />;
  if (!page) return <Loading />;
  const { next, count } = page;
  const isFiltered = part !== undefined || cause !== undefined;
  return (
    <>
      {isFiltered ? <ActiveFilter batch={batch} search={filter} count={count} go={go} /> : null}
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={PAYOUT_COLUMNS}
        rows={page.items}
        rowKey={({ code }) => code}
        paging={paging(["batch-payouts", id, filter], { cursor, next }, (to) =>
          go(to === undefined ? filter : { ...filter, cursor: to }),
        )}
        empty={
          <EmptyState text={isFiltered ? texts.noMatch : texts.empty}>
            {isFiltered ? (
              <Button variant="default" onClick={() => go({})}>
                {texts.clear}
              </Button>
            ) : null}
          </EmptyState>
        }
      />
    </>
  );
}

/** The filter as removable chips, with the number of payouts found. */
function ActiveFilter({
  batch,
  search: { state, cause },
  count,
  go,
}: {
  readonly batch: BatchView;
  readonly search: BatchSearch;
  readonly count: number | null;
  readonly go: (search: BatchSearch) => void;
}) {
  const causeText = useCauseName(batch, cause);
  return (
    <Group gap="xs" mb="xs">
      {state === undefined ? null : (
        <FilterPill
          name={texts.filteredBy.state}
          value={partWord(state, batch.state)}
          remove={() => go({})}
        />
      )}
      {cause === undefined ? null : (
        <FilterPill
          name={texts.filteredBy.cause}
          value={causeText}
          remove={() => go(state === undefined ? {} : { state })}
        />
      )}
      {count === null ? null : (
        <Text size="sm" c="dimmed" role="status">
          {texts.count(count)}
        </Text>
      )}
    </Group>
  );
}

const FilterPill = ({
  name,
  value,
  remove,
}: {
  readonly name: string;
  readonly value: string;
  readonly remove: () => void;
}) => (
  <Pill
    size="md"
    withRemoveButton
    onRemove={remove}
    removeButtonProps={{ "aria-label": texts.remove(name), tabIndex: 0, "aria-hidden": false }}
  >
    {name}: <strong>{value}</strong>
  </Pill>
);

const { line, name, account, amount } = FILE_ROW_COLUMNS;
const PAYOUT_COLUMNS: readonly Column<ListedPayout>[] = [
  line,
  name,
  account,
  amount,
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state, batch_state, reason }) => (
      <>
        <PayoutStateBadge state={state} batch_state={batch_state} />
        {reason === null || PAYOUT_STATES[state].tone === "settled" ? null : (
          <Text size="xs" c="dimmed">
            {detailOf(reason)}
          </Text>
        )}
      </>
    ),
  },
  {
    key: "number",
    header: texts.gatewayNumber,
    cell: ({ gateway_number: number }) => number ?? "–",
  },
  {
    key: "changed",
    header: texts.changed,
    cell: ({ updated_at: at }) => <Timestamp at={at} relative={false} />,
  },
];

/** The gateway's text of a stored reason, or nothing if it is only a code. */
const detailOf = (reason: string): string => reason.split(": ").slice(1).join(": ");
