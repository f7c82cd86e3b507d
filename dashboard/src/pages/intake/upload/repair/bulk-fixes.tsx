import { Button, Group, Modal, Text } from "@mantine/core";
import { Zap } from "lucide-react";
import { useState } from "react";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { UserText } from "../../../../components/user-text.tsx";
import { messages } from "./messages.tsx";
import { type CellFix, type FixKind, fixesByKind, type WrongCell } from "./values.ts";

const texts = messages.fixes;

const COLUMNS: readonly Column<CellFix>[] = [
  {
    key: "line",
    header: messages.line,
    names: true,
    numeric: true,
    cell: ({ cell }) => cell.row.line,
  },
  {
    key: "before",
    header: texts.before,
    cell: ({ cell }) => <UserText text={cell.problems[0]?.found ?? cell.text} />,
  },
  { key: "after", header: texts.after, cell: ({ value }) => <strong>{value}</strong> },
];

/** Offers one correction for many similar values, with a preview. */
export function BulkFixes({
  cells,
  onApply,
}: {
  readonly cells: readonly WrongCell[];
  readonly onApply: (fixes: readonly CellFix[]) => void;
}) {
  const [open, setOpen] = useState<FixKind | null>(null);
  const kinds = fixesByKind(cells);
  const shown = (open && kinds.get(open)) ?? [];
  if (kinds.size === 0) return null;
  return (
    <Group gap="xs">
      {[...kinds].map(([kind, fixes]) => (
        <Button
          key={kind}
          size="xs"
          variant="default"
          leftSection={<Zap size={14} aria-hidden />}
          onClick={() => setOpen(kind)}
        >
          {texts[kind](fixes.length)}
        </Button>
      ))}
      <Modal opened={open !== null} onClose={() => setOpen(null)} title={texts.title} size="lg">
        <Text size="sm" mb="sm">
          {texts.explanation}
        </Text>
        <DataTable
          caption={texts.title}
          hideCaption
          columns={COLUMNS}
          rows={shown}
          rowKey={({ cell }) => `${cell.row.line} ${cell.header}`}
        />
        <Group justify="flex-end" gap="sm" mt="md">
          <Button variant="default" onClick={() => setOpen(null)}>
            {texts.cancel}
          </Button>
          <Button
            onClick={() => {
              onApply(shown);
              setOpen(null);
            }}
          >
            {texts.apply(shown.length)}
          </Button>
        </Group>
      </Modal>
    </Group>
  );
}
