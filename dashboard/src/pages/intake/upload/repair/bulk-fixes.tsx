import { Button, Group, Modal, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Zap } from "lucide-react";
import { useState } from "react";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { ErrorState } from "../../../../components/error-state.tsx";
import { UserText } from "../../../../components/user-text.tsx";
import { type Answer, call } from "../../../../server/client.ts";
import { reloadRows } from "./values.ts";
import { messages } from "./messages.tsx";

const texts = messages.fixes;

type Fix = Answer<"GET /api/batches/:id/row-fixes">["items"][number];
type Example = Fix["examples"][number];

/** The names of the columns in the file, by payrun's names. */
type ColumnNames = ReadonlyMap<string, string>;

const shownColumns = (names: ColumnNames): readonly Column<Example>[] => [
  { key: "line", header: messages.line, numeric: true, cell: ({ line }) => line },
  {
    key: "column",
    header: texts.column,
    names: true,
    cell: ({ column }) => <UserText text={names.get(column) ?? column} />,
  },
  { key: "before", header: texts.before, cell: ({ before }) => <UserText text={before} /> },
  { key: "after", header: texts.after, cell: ({ after }) => <strong>{after}</strong> },
];

/** Offers one correction for similar values in all rejected rows, with a preview. */
export function BulkFixes({
  batchId,
  columnNames,
}: {
  readonly batchId: string;
  readonly columnNames: ColumnNames;
}) {
  const [kind, setKind] = useState<Fix["kind"] | null>(null);
  const { data, error } = useQuery({
    queryKey: ["GET /api/batches/:id/row-fixes", batchId],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/row-fixes", { params: { id: batchId }, signal }),
  });
  if (error) return <ErrorState error={error} />;
  const fixes = data?.items ?? [];
  const open = fixes.find((fix) => fix.kind === kind);
  if (fixes.length === 0) return null;
  return (
    <Group gap="xs">
      {fixes.map((fix) => (
        <Button
          key={fix.kind}
          size="xs"
          variant="default"
          leftSection={<Zap size={14} aria-hidden />}
          onClick={() => setKind(fix.kind)}
        >
          {texts[fix.kind](fix.values)}
        </Button>
      ))}
      <Modal
        opened={open !== undefined}
        onClose={() => setKind(null)}
        title={open?.kind === "letters" ? texts.lettersTitle : texts.title}
        size="lg"
        closeButtonProps={{ "aria-label": texts.close }}
      >
        {open ? (
          <Preview {...{ batchId, columnNames }} fix={open} onClose={() => setKind(null)} />
        ) : null}
      </Modal>
    </Group>
  );
}

/** The first new values, and the button that stores all values. */
function Preview({
  batchId,
  columnNames,
  fix: { kind, values, examples },
  onClose,
}: {
  readonly batchId: string;
  readonly columnNames: ColumnNames;
  readonly fix: Fix;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const columns = shownColumns(columnNames);
  const apply = useMutation({
    mutationFn: () =>
      call("POST /api/batches/:id/row-fixes", {
        params: { id: batchId },
        body: { kind, values },
      }),
    onSuccess: async ({ corrected, rows }) => {
      notifications.show({ color: "green", message: messages.saved(corrected, rows) });
      onClose();
      await reloadRows(queries);
    },
  });
  return (
    <>
      <Text size="sm" mb="sm">
        {kind === "letters" ? texts.lettersExplanation : texts.explanation}
      </Text>
      <DataTable
        caption={texts.title}
        hideCaption
        columns={kind === "letters" ? columns.filter(({ key }) => key !== "after") : columns}
        rows={examples}
        rowKey={({ line, column }) => `${line} ${column}`}
      />
      {values > examples.length ? (
        <Text size="sm" c="dimmed" mt="xs">
          {texts.shown(examples.length, values)}
        </Text>
      ) : null}
      {apply.error ? <ErrorState error={apply.error} /> : null}
      <Group justify="flex-end" gap="sm" mt="md">
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
        <Button loading={apply.isPending} onClick={() => apply.mutate()}>
          {kind === "letters" ? texts.confirmLetters(values) : texts.apply(values)}
        </Button>
      </Group>
    </>
  );
}
