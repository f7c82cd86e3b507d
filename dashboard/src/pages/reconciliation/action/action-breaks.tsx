import { Text } from "@mantine/core";
import { usePages } from "../../../base/list/use-pages.ts";
import { EmptyState } from "../../../components/empty-state.tsx";
import type { ListColumn } from "../../../components/list-table/list-column.ts";
import { ListTable } from "../../../components/list-table/list-table.tsx";
import { LoadedList } from "../../../components/list-table/loaded-list.tsx";
import { call } from "../../../server/client.ts";
import { BREAK_COLUMNS } from "../break-columns.tsx";
import type { ActionBreak } from "./action-query.ts";
import { messages } from "./messages.ts";

const PAGE_ROWS = 100;

/** The columns of the list of breaks that people need here. */
const SHOWN = new Set(["class", "code", "difference", "day", "lane", "state"]);

const ofBreak = ({
  cell,
  isBlank,
  ...column
}: ListColumn<ActionBreak["break"]>): ListColumn<ActionBreak> => ({
  ...column,
  ...(isBlank && { isBlank: (row) => isBlank(row.break) }),
  cell: (row) => cell(row.break),
});

const COLUMNS: readonly ListColumn<ActionBreak>[] = [
  ...BREAK_COLUMNS.filter(({ key }) => SHOWN.has(key)).map(ofBreak),
  {
    key: "outcome",
    header: messages.outcome,
    width: 260,
    isFixed: true,
    cell: ({ outcome_text: text, has_changed: hasChanged, outcome }) => (
      <>
        <span>{text}</span>
        {hasChanged && outcome !== "moved" ? (
          <Text size="xs" c="dimmed">
            {messages.changedSince}
          </Text>
        ) : null}
      </>
    ),
  },
];

/** The selected breaks of the action. `version` changes when their outcomes do. */
export function ActionBreaks({ id, version }: { readonly id: string; readonly version: string }) {
  const found = usePages(["GET /api/break-actions/:id/breaks", id, version], (cursor, signal) =>
    call("GET /api/break-actions/:id/breaks", {
      params: { id },
      query: { limit: PAGE_ROWS, ...(cursor && { cursor }) },
      signal,
    }),
  );
  return (
    <LoadedList found={found}>
      <ListTable
        id="break-action"
        caption={messages.rows}
        columns={COLUMNS}
        rows={found.pages.flatMap(({ items }) => items)}
        rowKey={(row) => String(row.break.id)}
        filters=""
        more={found.more}
        empty={<EmptyState text={messages.noRows} />}
      />
    </LoadedList>
  );
}
