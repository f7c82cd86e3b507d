import { Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { type Answer, call } from "../../server/client.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { PayoutTable } from "../../components/payout/payout-table.tsx";
import { SavedViews } from "../../components/forms/saved-views.tsx";
import { paging } from "../../base/paging.ts";
import { useRowShortcuts } from "../../base/shortcuts.ts";
import { PayoutFilters } from "./filters.tsx";
import { messages } from "./messages.ts";
import type { PayoutSearch } from "./search-params.ts";

const texts = messages.list;

const route = getRouteApi("/dashboard/payouts");

/** The list of payouts with its filters and saved views. */
export function PayoutsPage() {
  const search: PayoutSearch = route.useSearch();
  const navigate = route.useNavigate();
  const found = useQuery({
    queryKey: ["GET /api/payouts", search],
    queryFn: ({ signal }) =>
      call("GET /api/payouts", { query: search as { sort?: "newest" }, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (next: PayoutSearch): void => void navigate({ to: "/payouts", search: next });
  const { cursor, ...filters } = search;
  const next = found.data?.next;
  const table = useRowShortcuts<HTMLDivElement>();

  return (
    <Page title={texts.title}>
      <PayoutFilters search={filters} onSearch={go} />
      <SavedViews page="payouts" search={filters} />
      {found.error ? (
        <ErrorState error={found.error} reset={() => void found.refetch()} />
      ) : found.data ? (
        <div ref={table}>
          <Text size="sm" c="dimmed" role="status" mb="xs">
            {sentence(found.data, Object.keys(filters).length > 0)}
          </Text>
          <PayoutTable
            caption={texts.caption}
            hideCaption
            rows={found.data.items}
            paging={paging(["payouts", filters], { cursor, next }, (to) =>
              go(to === undefined ? filters : { ...filters, cursor: to }),
            )}
            empty={<EmptyState text={texts.empty} />}
          />
        </div>
      ) : (
        <Loading lines={8} />
      )}
    </Page>
  );
}

const sentence = ({ count, count_max }: Answer<"GET /api/payouts">, isFiltered: boolean): string =>
  count === null ? texts.furtherPage : texts.found(count, count_max, isFiltered);
