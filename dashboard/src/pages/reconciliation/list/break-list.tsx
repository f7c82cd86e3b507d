import { Fragment } from "react";
import { Amount } from "../../../components/amount.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import type { ListProps } from "../../../components/list-table/list-column.ts";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import type { Answer } from "../../../server/client.ts";
import { type ListedBreak, sizesOf } from "../break-amounts.ts";
import { BREAK_COLUMNS } from "../break-columns.tsx";
import { BreakFilters } from "../filters.tsx";
import { messages } from "../messages.ts";
import type { BreakFilter } from "../action/break-action.ts";
import type { BreakSearch } from "../search-params.ts";
import { useBreakActions } from "./use-break-actions.tsx";

/** The table of the breaks found, with its filters. */
export default function BreakList({
  rows,
  isLoaded,
  search,
  summary: counts,
  more,
  onSearch,
}: ListProps<ListedBreak, BreakSearch, Answer<"GET /api/breaks">["counts"]>) {
  const isFiltered = Object.keys(search).length > 0;
  const shown = counts?.filter((each) => search.class === undefined || each.class === search.class);
  const total = shown?.reduce((sum, { count }) => sum + count, 0);
  // The server refuses unknown values.
  const bulk = useBreakActions(search as BreakFilter, total ?? null);
  const totalText = search.state === undefined ? messages.unresolved : messages.found;
  return (
    <ListTable
      id="breaks"
      caption={messages.caption}
      columns={BREAK_COLUMNS}
      rows={rows}
      rowKey={({ id }) => String(id)}
      filters={JSON.stringify(search)}
      toolbar={<BreakFilters search={search} counts={counts} onSearch={onSearch} />}
      summary={
        total === undefined ? null : (
          <>
            <strong role="status">{totalText(total)}</strong>
            <Sums of={rows} isPart={more !== undefined} />
          </>
        )
      }
      more={more}
      rowName={({ id, code }) => code ?? messages.page.title(id)}
      bulk={bulk}
      empty={
        isLoaded ? <EmptyState text={isFiltered ? messages.noMatches : messages.empty} /> : null
      }
    />
  );
}

/** The absolute differences of these breaks by currency, of payouts and of balances. */
function Sums({
  of,
  isPart,
}: {
  readonly of: readonly ListedBreak[];
  /** Whether the list has more breaks. */
  readonly isPart: boolean;
}) {
  const { payouts, balances } = sizesOf(of);
  const parts = [
    [messages.payoutDifferences, payouts],
    [payouts.length === 0 ? messages.movements : messages.movementsToo, balances],
  ] as const;
  return (
    <>
      {isPart ? <span>{messages.ofFirst(of.length)}</span> : null}
      {parts.map(([label, sums]) =>
        sums.length === 0 ? null : (
          <Fragment key={label}>
            <span>{label}</span>
            {sums.map((sum) => (
              <Amount key={sum.currency} of={sum} />
            ))}
          </Fragment>
        ),
      )}
    </>
  );
}
