import { Button, Drawer, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { formatMoney } from "../../../base/money.ts";
import { isolateDirection } from "../../../base/text.ts";
import { useAfterTyping } from "../../../base/list/use-after-typing.ts";
import { columnName } from "../../../components/payout/column-messages.ts";
import { ErrorState } from "../../../components/error-state.tsx";
import { type Answer, call } from "../../../server/client.ts";
import { messages } from "./messages.ts";
import { cellsOf, type DeclinedRow, type EditableColumn, type RowEdits } from "./queries.ts";

const texts = messages.editor;

// Loaded after the other fields, because fields with suggestions are large.
const BankCodeInput = lazy(() => import("./bank-code-input.tsx"));

type Checked = Answer<"POST /api/batches/:id/retry-batch/check">;

/**
 * Edits the details of one declined payout. The server validates them by the rules for rows while
 * the person types.
 */
export default function DetailsEditor({
  batchId,
  row,
  edits: saved,
  save,
  close,
}: {
  readonly batchId: string;
  readonly row: DeclinedRow;
  readonly edits: RowEdits;
  readonly save: (edits: RowEdits) => void;
  readonly close: () => void;
}) {
  const { edits, put, putBank } = useEdits(row, saved);
  const check = useCheck(batchId, row.line, edits);
  const shown = row.refused_columns.length === 0 ? row.cells : row.cells.filter(refusedIn(row));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (check.data?.valid) save(edits);
  };
  const fields = (cells: DeclinedRow["cells"]) =>
    cells.map(({ column, text }) => (
      <Field
        key={column}
        column={column}
        currency={row.currency}
        before={text}
        value={edits[column] ?? text}
        error={check.data?.problems.find((problem) => problem.column === column)?.message}
        onChange={(value) => put(column, value)}
        onBank={putBank}
      />
    ));
  const others = row.cells.filter((cell) => !shown.includes(cell));
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      title={texts.title(isolateDirection(row.beneficiary ?? row.code), formatMoney(row), row.line)}
      closeButtonProps={{ "aria-label": texts.close }}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">{row.next_step}</Text>
          {fields(shown)}
          <KeepHint />
          {others.length === 0 ? null : (
            <details>
              <summary>{texts.more}</summary>
              <Stack gap="sm" mt="sm">
                {fields(others)}
              </Stack>
            </details>
          )}
          <Verdict checked={check.data} shown={shown.map(({ column }) => column)} />
          {check.error ? <ErrorState error={check.error} /> : null}
          <Group>
            <Button type="submit" disabled={!check.data?.valid || check.isFetching}>
              {texts.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}

const KeepHint = () => (
  <Text size="xs" c="dimmed">
    {texts.keep}
  </Text>
);

const refusedIn =
  ({ refused_columns }: DeclinedRow) =>
  ({ column }: { readonly column: string }): boolean =>
    refused_columns.includes(column);

/** The new texts of the row. The name of the bank follows its code, so that it is one bank. */
function useEdits(row: DeclinedRow, saved: RowEdits) {
  const [edits, setEdits] = useState(saved);
  const [filled, setFilled] = useState<string | null>(null);
  const shownIn = (column: EditableColumn): string =>
    row.cells.find((cell) => cell.column === column)?.text ?? "";
  const put = (column: EditableColumn, text: string) =>
    setEdits((before) => {
      const { [column]: _unused, ...others } = before;
      return text === shownIn(column) ? others : { ...others, [column]: text };
    });
  const putBank = (code: string, bankName: string | null) => {
    put("bank_code", code);
    if (bankName !== null && code !== shownIn("bank_code")) put("bank_name", bankName);
    else if (edits.bank_name === filled) put("bank_name", shownIn("bank_name"));
    setFilled(bankName);
  };
  return { edits, put, putBank };
}

/** The field of one column. Bank codes have suggestions. */
function Field({
  column,
  currency,
  before,
  onChange,
  onBank,
  ...input
}: {
  readonly column: EditableColumn;
  readonly currency: string;
  readonly before: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
  readonly onBank: (code: string, bankName: string | null) => void;
}) {
  const label = columnName(column);
  return column === "bank_code" ? (
    <Suspense fallback={<TextInput {...input} label={label} readOnly />}>
      <BankCodeInput
        {...input}
        label={label}
        currency={currency}
        refused={before}
        onChange={onBank}
      />
    </Suspense>
  ) : (
    <TextInput
      {...input}
      label={label}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  );
}

/** Shows whether the edited row can be saved, and the problems that no shown field has. */
function Verdict({
  checked,
  shown,
}: {
  readonly checked: Checked | undefined;
  readonly shown: readonly string[];
}) {
  const { valid, problems } = checked ?? { valid: false, problems: [] };
  const others = problems.filter(({ column }) => column === null || !shown.includes(column));
  return (
    <div role="status" aria-live="polite">
      {valid ? <Text size="sm">{problems.length === 0 ? texts.valid : texts.warned}</Text> : null}
      {others.map(({ message }) => (
        <Text key={message} size="sm" c={valid ? undefined : "red"}>
          {message}
        </Text>
      ))}
    </div>
  );
}

/** Validates the edited details on the server after a pause in typing. */
function useCheck(id: string, line: number, edits: RowEdits) {
  const settled = useAfterTyping(edits);
  const cells = cellsOf(settled);
  const check = useQuery({
    queryKey: ["POST /api/batches/:id/retry-batch/check", id, line, cells],
    queryFn: () =>
      call("POST /api/batches/:id/retry-batch/check", { params: { id }, body: { line, cells } }),
    enabled: cells.length > 0,
  });
  return settled === edits ? check : { ...check, data: undefined };
}
