import { lazy, Suspense } from "react";
import { ClearFilters, EmptyState } from "../../components/empty-state.tsx";
import type { ListProps } from "../../components/list-table/list-column.ts";
import { ListSummary } from "../../components/list-table/list-summary.tsx";
import { ListTable } from "../../components/list-table/list-table.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { ListViews } from "../../components/views/list-views.tsx";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { usePayoutActions } from "../payout-action/use-payout-actions.tsx";
import { PAYOUT_COLUMNS } from "./columns.tsx";
import { PayoutFilters } from "./filters.tsx";
import { foundText } from "./chip-values.ts";
import type { PayoutSummary } from "./payout-query.ts";
import { messages } from "./messages.ts";
import { payoutViews } from "./views.ts";
import { filterCount, filtersOf, isWithoutDrafts, type PayoutSearch } from "./search-params.ts";

const texts = messages.list;

/** Loaded if no payout is found. */
const AccountSearch = lazy(() => import("./account-search.tsx"));

/** The table of the payouts found, with filters, sums and actions for selected rows. */
export default function PayoutList({
  rows,
  isLoaded,
  search,
  summary,
  more,
  onSearch,
}: ListProps<ListedPayout, PayoutSearch, PayoutSummary>) {
  const { sort = "newest", ...filters } = search;
  const bulk = usePayoutActions(filtersOf(search), summary?.count ?? null);
  return (
    <ListTable
      id="payouts"
      hasShortCards
      caption={texts.caption}
      columns={PAYOUT_COLUMNS}
      rows={rows}
      rowKey={({ code }) => code}
      sort={{ by: sort, onChange: (by) => onSearch({ ...filters, sort: by }) }}
      filters={JSON.stringify(filters)}
      views={<ListViews page="payouts" search={search} builtIn={payoutViews(search, summary)} />}
      toolbar={<PayoutFilters search={search} summary={summary} onSearch={onSearch} />}
      summary={
        summary ? (
          <ListSummary
            found={foundText(summary)}
            totals={summary.totals}
            note={<SumNote summary={summary} search={search} />}
          />
        ) : null
      }
      more={more}
      bulk={bulk}
      empty={
        isLoaded ? (
          <EmptyState text={emptyText(search)}>
            <ClearFilters filters={filterCount(search)} onClear={() => onSearch({})} />
            <Suspense>
              <AccountSearch search={search} onSearch={onSearch} />
            </Suspense>
          </EmptyState>
        ) : null
      }
    />
  );
}

/** Why the list is empty: there are no payouts, or none in a view, or none that filters find. */
function emptyText(search: PayoutSearch): string {
  const filters = filterCount(search);
  if (filters === 0) return texts.empty;
  if (search.text !== undefined) return texts.emptySearch;
  const view = payoutViews(search, undefined).find(({ isCurrent }) => isCurrent);
  return filters === 1 && search.state !== undefined && view
    ? texts.emptyView(view.label)
    : texts.emptyFiltered;
}

/** The payouts that a sum counts twice, and the drafts that the list leaves out. */
function SumNote({
  summary: { retried, states },
  search,
}: {
  readonly summary: PayoutSummary;
  readonly search: PayoutSearch;
}) {
  const drafts = states.find(({ state }) => state === "draft")?.payouts ?? 0;
  return (
    <>
      {retried === 0 ? null : texts.retried(retried)}
      {drafts === 0 || !isWithoutDrafts(search) ? null : (
        <PageLink to="/payouts?state=draft">{texts.drafts(drafts)}</PageLink>
      )}
    </>
  );
}
