import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type Answer, call } from "../../server/client.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { columnName } from "../../components/payout/column-messages.ts";
import { UserText } from "../../components/user-text.tsx";
import { reloadRows } from "./upload/repair/values.ts";
import { messages } from "./messages.tsx";

const texts = messages.leftOutRows;

const ROWS_MAX = 200;

type Page = Answer<"GET /api/batches/:id/left-out-rows">;
type Row = Page["items"][number];

/** The rows that the uploader left out of a batch, with their contents. */
export function LeftOutRows({
  batchId,
  mayPutBack,
}: {
  readonly batchId: string;
  readonly mayPutBack: boolean;
}) {
  const queries = useQueryClient();
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/batches/:id/left-out-rows", batchId],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/left-out-rows", {
        params: { id: batchId },
        query: { limit: ROWS_MAX },
        signal,
      }),
  });
  const putBack = useMutation({
    mutationFn: (line: number) =>
      call("POST /api/batches/:id/rows/put-back", {
        params: { id: batchId },
        body: { lines: [line] },
      }),
    onSuccess: async () => reloadRows(queries),
  });
  if (error) return <ErrorState error={error} />;
  if (!page || page.count === 0) return null;
  return (
    <Section title={texts.title(page.count)} caption={texts.caption}>
      <DataTable
        caption={texts.table}
        hideCaption
        columns={[...COLUMNS, contentsOf(page), ...(mayPutBack ? [actionOf(putBack)] : [])]}
        rows={page.items}
        rowKey={({ line }) => `${line}`}
      />
      {page.next === null ? null : (
        <Text size="sm" c="dimmed">
          {texts.more(ROWS_MAX)}
        </Text>
      )}
      {putBack.error ? <ErrorState error={putBack.error} /> : null}
    </Section>
  );
}

const COLUMNS: readonly Column<Row>[] = [
  { key: "line", header: texts.line, cell: ({ line }) => line },
  {
    key: "by",
    header: texts.by,
    cell: ({ by, at }) => (
      <>
        <UserText text={by.name} />
        <Text size="xs" c="dimmed">
          <Timestamp at={at} />
        </Text>
      </>
    ),
  },
];

interface PutBack {
  readonly isPending: boolean;
  readonly mutate: (line: number) => void;
}

/** The button that puts a row back. */
const actionOf = ({ isPending, mutate }: PutBack): Column<Row> => ({
  key: "action",
  header: texts.action,
  cell: ({ line }) => (
    <Button
      size="compact-xs"
      variant="default"
      disabled={isPending}
      onClick={() => mutate(line)}
      aria-label={texts.putBackLine(line)}
    >
      {texts.putBack}
    </Button>
  ),
});

/** The filled cells of the row, each after the name of its column. */
const contentsOf = ({ columns }: Page): Column<Row> => ({
  key: "contents",
  header: texts.contents,
  cell: ({ cells }) => (
    <Group gap="2px 12px">
      {cells.map((cell, place) =>
        cell.trim() === "" ? null : (
          <Text key={columns[place] ?? place} size="xs" component="span">
            <Text span inherit c="dimmed">
              {columnName(columns[place] ?? texts.noColumn)}{" "}
            </Text>
            <UserText text={cell} />
          </Text>
        ),
      )}
    </Group>
  ),
});
