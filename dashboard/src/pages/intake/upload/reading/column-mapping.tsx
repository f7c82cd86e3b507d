import { Button, Group, Select, Text } from "@mantine/core";
import { CircleCheck, Info } from "lucide-react";
import { useState } from "react";
import { type Column, DataTable } from "../../../../components/data-table.tsx";
import { UserText } from "../../../../components/user-text.tsx";
import { messages } from "./messages.tsx";
import type { ChosenColumns, ColumnProposal } from "./proposal.ts";
import classes from "./reading.module.css";

const texts = messages.columns;

interface ColumnMappingProps {
  readonly columns: readonly ColumnProposal[];
  /** The names of payrun's columns. */
  readonly fields: readonly string[];
  readonly chosen: ChosenColumns;
  readonly onChange: (chosen: ChosenColumns) => void;
}

/**
 * Asks what the columns of a file mean. Those with payrun's own names cannot be changed, and are
 * shown on request.
 */
export function ColumnMapping(props: ColumnMappingProps) {
  const [showsAll, setShowsAll] = useState(false);
  const asked = props.columns.filter(({ basis }) => basis !== "own_name");
  const sure = props.columns.length - asked.length;
  const rows = showsAll ? props.columns : asked;
  return (
    <>
      {rows.length === 0 ? null : (
        <DataTable
          caption={texts.title}
          columns={shownColumns(props)}
          rows={rows}
          rowKey={({ name }) => name}
        />
      )}
      {sure === 0 || showsAll ? null : (
        <Group gap="sm">
          <Text size="sm">{texts.sure(sure)}</Text>
          <Button size="compact-sm" variant="default" onClick={() => setShowsAll(true)}>
            {texts.showSure(sure)}
          </Button>
        </Group>
      )}
    </>
  );
}

const shownColumns = (props: ColumnMappingProps): readonly Column<ColumnProposal>[] => [
  { key: "name", header: texts.yours, names: true, cell: ({ name }) => <UserText text={name} /> },
  {
    key: "column",
    header: texts.field,
    cell: (of) =>
      of.basis === "own_name" ? texts.name(of.column ?? of.name) : <Field {...props} of={of} />,
  },
  {
    key: "first",
    header: texts.first,
    cell: ({ first }) => (first === "" ? "–" : <UserText text={first} />),
  },
  {
    key: "basis",
    header: texts.basis,
    cell: (of) => <Basis of={of} isChanged={(of.column ?? "") !== props.chosen[of.name]} />,
  },
];

/** Chooses the meaning of a column of the file. */
const Field = ({
  of: { name, basis },
  fields,
  chosen,
  onChange,
}: ColumnMappingProps & { readonly of: ColumnProposal }) => (
  <Select
    size="xs"
    aria-label={texts.fieldOf(name)}
    data={[
      { value: "", label: texts.ignored },
      ...fields.map((field) => ({ value: field, label: texts.name(field) })),
    ]}
    value={chosen[name] ?? ""}
    onChange={(field) => onChange({ ...chosen, [name]: field ?? "" })}
    allowDeselect={false}
    searchable
    classNames={{ input: basis === "several" ? (classes.open ?? "") : "" }}
  />
);

function Basis({ of, isChanged }: { readonly of: ColumnProposal; readonly isChanged: boolean }) {
  const basis = isChanged ? "changed" : of.basis;
  const isSure = basis === "own_name" || basis === "changed";
  const Icon = isSure ? CircleCheck : Info;
  return (
    <Text size="sm" className={classes.basis ?? ""} data-sure={isSure || undefined}>
      <Icon size={14} aria-hidden /> {texts.bases[basis]}
    </Text>
  );
}
