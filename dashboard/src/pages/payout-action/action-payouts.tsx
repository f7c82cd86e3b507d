import { usePages } from "../../base/list/use-pages.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ListTable } from "../../components/list-table/list-table.tsx";
import { LoadedList } from "../../components/list-table/loaded-list.tsx";
import { call } from "../../server/client.ts";
import { ACTION_COLUMNS } from "./action-columns.tsx";
import { messages } from "./messages.ts";

const texts = messages.page;

const PAGE_ROWS = 100;

/** The payouts of the action. `version` changes when their outcomes do. */
export function ActionPayouts({ id, version }: { readonly id: string; readonly version: string }) {
  const found = usePages(["GET /api/payout-actions/:id/payouts", id, version], (cursor, signal) =>
    call("GET /api/payout-actions/:id/payouts", {
      params: { id },
      query: { limit: PAGE_ROWS, ...(cursor && { cursor }) },
      signal,
    }),
  );
  return (
    <LoadedList found={found}>
      <ListTable
        id="payout-action"
        caption={texts.rows}
        columns={ACTION_COLUMNS}
        rows={found.pages.flatMap(({ items }) => items)}
        rowKey={({ code }) => code}
        filters=""
        more={found.more}
        empty={<EmptyState text={texts.noRows} />}
      />
    </LoadedList>
  );
}
