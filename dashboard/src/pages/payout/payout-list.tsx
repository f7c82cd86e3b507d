import { EmptyState } from "../../components/empty-state.tsx";
import { ListTable } from "../../components/list-table/list-table.tsx";
import type { MoreRowsProps } from "../../components/list-table/more-rows.tsx";
import type { ListedPayout } from "../../components/payout/payout-table.tsx";
import { BulkActions } from "./bulk-actions.tsx";
import { PAYOUT_COLUMNS } from "./columns.tsx";
import { PayoutFilters } from "./filters.tsx";
import { ListSummary, type PayoutSummary } from "./list-summary.tsx";
import { messages } from "./messages.ts";
import type { PayoutSearch } from "./search-params.ts";

const texts = messages.list;

const bulkActions = (rows: readonly ListedPayout[]) => <BulkActions rows={rows} />;

/** The table of the payouts found, with filters, sums and actions for selected rows. */
export default function PayoutList({
  rows,
  search,
  summary,
  more,
  onSearch,
}: {
  readonly rows: readonly ListedPayout[];
  readonly search: PayoutSearch;
  readonly summary: PayoutSummary | undefined;
  readonly more: MoreRowsProps["more"];
  readonly onSearch: (search: PayoutSearch) => void;
}) {
  const { sort = "newest", ...filters } = search;
  return (
    <ListTable
      id="payouts"
      caption={texts.caption}
      columns={PAYOUT_COLUMNS}
      rows={rows}
      rowKey={({ code }) => code}
      sort={{ by: sort, onChange: (by) => onSearch({ ...filters, sort: by }) }}
      toolbar={<PayoutFilters search={search} summary={summary} onSearch={onSearch} />}
      summary={summary ? <ListSummary of={summary} /> : null}
      more={more}
      bulk={bulkActions}
      empty={<EmptyState text={texts.empty} />}
    />
  );
}
