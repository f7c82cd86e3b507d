import { Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { call } from "../../../../server/client.ts";
import { UserText } from "../../../../components/user-text.tsx";
import { messages as texts } from "./messages.tsx";
import type { RowProblem, Severity, WrongCell } from "./values.ts";
import classes from "./repair.module.css";

const TYPING_MS = 400;
/** The operation that checks new values of a row. */
export const ROW_CHECK = "POST /api/batches/:id/rows/check";

/** A wrong cell with its new value, which the server checks while the reader types. */
export function CellRepair({
  batchId,
  severity,
  cell,
  beneficiary,
  values,
  onChange,
}: {
  readonly batchId: string;
  /** The findings that a new value must not have. An error is one in any case. */
  readonly severity: Severity;
  readonly cell: WrongCell;
  readonly beneficiary: string;
  /** The new values of the whole row. */
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}) {
  const { row, column, header, text } = cell;
  const inFile = cell.problems[0]?.found ?? text;
  const typed = values[header];
  const checked = useCheck(batchId, row.line, values);
  const isChecked = typed !== undefined && checked !== null;
  const found = isChecked ? findingsIn(checked, severity) : cell.problems;
  const own = found.filter((problem) => problem.column === column);
  const isValid = isChecked && own.length === 0;
  const isWrong = typed !== undefined && own.some((problem) => problem.severity === "error");
  return (
    <li className={classes.cell}>
      <span className={classes.line}>{row.line}</span>
      <span>
        <Text size="sm" fw={600} component="span" display="block">
          <UserText text={beneficiary} />
        </Text>
        <Text size="xs" c="dimmed" component="span">
          {column}
        </Text>
      </span>
      <span className={classes.found}>
        {inFile === "" ? <i>{texts.empty}</i> : <UserText text={inFile} />}
      </span>
      <TextInput
        size="sm"
        aria-label={texts.newValueOf(column, row.line)}
        value={typed ?? text}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        error={isWrong}
        classNames={{ input: classes.input ?? "" }}
        data-valid={isValid || undefined}
        rightSection={isValid ? <CircleCheck size={16} aria-hidden className={classes.ok} /> : null}
        spellCheck={false}
        autoComplete="off"
      />
      <span
        className={classes.rule}
        data-state={isWrong ? "wrong" : isValid ? "valid" : "open"}
        aria-live="polite"
      >
        {isValid ? texts.valid : ruleText(own)}
        {isValid && found.length > 0 ? ` ${texts.otherProblems(found.length)}.` : ""}
      </span>
    </li>
  );
}

/** Returns the errors, or the errors and warnings. */
const findingsIn = (problems: readonly RowProblem[], worst: Severity): readonly RowProblem[] =>
  problems.filter(({ severity }) => severity === "error" || worst === "warning");

const ruleText = (problems: readonly RowProblem[]): string =>
  problems.map(({ message, correction }) => `${message} ${correction}`).join(" ");

/** Returns the problems of a row with its new values. Null: not checked yet. */
function useCheck(batchId: string, line: number, values: Readonly<Record<string, string>>) {
  const [settled] = useDebouncedValue(values, TYPING_MS);
  const { data } = useQuery({
    queryKey: [ROW_CHECK, batchId, line, settled],
    queryFn: ({ signal }) =>
      call(ROW_CHECK, {
        params: { id: batchId },
        body: { rows: [{ line, values: settled }] },
        signal,
      }),
    enabled: Object.keys(settled).length > 0,
    retry: false,
  });
  const isCurrent = JSON.stringify(settled) === JSON.stringify(values);
  return isCurrent ? (data?.items[0]?.problems ?? null) : null;
}
