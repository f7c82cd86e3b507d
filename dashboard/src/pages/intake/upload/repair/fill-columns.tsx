import { Group, Select, Text } from "@mantine/core";
import { type EmptyColumn, emptyColumns, filledFrom } from "./empty-columns.ts";
import { messages as texts } from "./messages.tsx";
import type { CellEdit, FileColumn, WrongCell } from "./values.ts";

/** Offers to fill the empty cells of a column from another column of the file. */
export const FillColumns = ({
  cells,
  columns,
  onFill,
}: {
  readonly cells: readonly WrongCell[];
  readonly columns: readonly FileColumn[];
  readonly onFill: (edits: readonly CellEdit[]) => void;
}) =>
  emptyColumns(cells).map((empty) => <Fill key={empty.ownName} {...{ empty, columns, onFill }} />);

function Fill({
  empty: { ownName, cells },
  columns,
  onFill,
}: {
  readonly empty: EmptyColumn<WrongCell>;
  readonly columns: readonly FileColumn[];
  readonly onFill: (edits: readonly CellEdit[]) => void;
}) {
  const sources = columns.flatMap(({ name }, place) =>
    filledFrom(cells, place).length === 0 ? [] : [{ value: String(place), label: name }],
  );
  if (sources.length === 0) return null;
  return (
    <Group gap="sm">
      <Text size="sm">{texts.fillTitle(ownName, cells.length)}</Text>
      <Select
        size="xs"
        aria-label={texts.fillFrom(ownName)}
        placeholder={texts.fillChoice}
        data={sources}
        value={null}
        onChange={(place) =>
          place === null ? undefined : onFill(filledFrom(cells, Number(place)))
        }
      />
    </Group>
  );
}
