import { Button, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useIsMutating, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { call } from "../../../../server/client.ts";
import { UserText } from "../../../../components/user-text.tsx";
import { type LeaveOut, LeaveOutButton } from "./leave-out.tsx";
import { messages as texts } from "./messages.tsx";
import {
  hasError,
  inOwnNames,
  ROW_CHECK,
  type RowProblem,
  savingOf,
  type Severity,
  type WrongCell,
} from "./values.ts";
import classes from "./repair.module.css";

const TYPING_MS = 400;

/** A wrong cell with its new value, which the server checks while the reader types. */
export function CellRepair({
  batchId,
  severity,
  cell,
  beneficiary,
  columnNames,
  leaveOut,
  values,
  onChange,
}: {
  readonly batchId: string;
  /** The list that the cell is in: rows with errors, or valid rows with warnings. */
  readonly severity: Severity;
  readonly cell: WrongCell;
  readonly beneficiary: string;
  /** The names of the columns in the file, by payrun's names. */
  readonly columnNames: ReadonlyMap<string, string>;
  /** Null: the button is next to another cell of the row. */
  readonly leaveOut: LeaveOut | null;
  /** The new values of the whole row. */
  readonly values: Readonly<Record<string, string>>;
  readonly onChange: (value: string) => void;
}) {
  const { row, column, header, ownName, text } = cell;
  const inFile = cell.problems[0]?.found ?? text;
  const typed = values[header];
  const checked = useCheck(batchId, row.line, values);
  const isChecked = typed !== undefined && checked !== null;
  const found = isChecked ? findingsIn(checked, worstOf(cell)) : cell.problems;
  const own = found.filter((problem) => problem.column === column);
  const isValid = isChecked && own.length === 0;
  const isWrong = typed !== undefined && own.some((problem) => problem.severity === "error");
  return (
    <li className={classes.cell} data-severity={hasError(cell) ? "error" : "warning"}>
      <span className={classes.line}>
        <span className={classes.lineWord}>{texts.line} </span>
        {row.line}
      </span>
      <Beneficiary {...{ beneficiary, ownName }} />
      <span className={classes.found}>
        {inFile === "" ? <i>{texts.empty}</i> : <UserText text={inFile} />}
      </span>
      <TextInput
        size="sm"
        aria-label={texts.newValueOf(ownName, row.line)}
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
        {isValid ? texts.valid : inOwnNames(ruleText(own, severity), columnNames)}
        {isValid && found.length > 0 ? ` ${texts.otherProblems(found.length)}.` : ""}
        <Suggestion of={cell} typed={typed} onChoose={onChange} />
      </span>
      {leaveOut ? <LeaveOutButton line={row.line} leaveOut={leaveOut} /> : null}
    </li>
  );
}

/** The beneficiary and the column of a value. */
const Beneficiary = ({
  beneficiary,
  ownName,
}: {
  readonly beneficiary: string;
  readonly ownName: string;
}) => (
  <span>
    <Text size="sm" fw={600} component="span" display="block">
      <UserText text={beneficiary} />
    </Text>
    <Text size="xs" c="dimmed" component="span">
      {ownName}
    </Text>
  </span>
);

/** The button that enters the bank code that payrun expects. */
function Suggestion({
  of,
  typed,
  onChoose,
}: {
  readonly of: WrongCell;
  readonly typed: string | undefined;
  readonly onChoose: (value: string) => void;
}) {
  const suggested = suggestionOf(of);
  if (suggested === null || typed === suggested) return null;
  return (
    <Button size="compact-xs" variant="default" onClick={() => onChoose(suggested)}>
      {texts.use(suggested)}
    </Button>
  );
}

/** The bank code that payrun expects, such as the first of "b2b (Bank), HSB (Bank)"; else null. */
function suggestionOf({ column, problems }: WrongCell): string | null {
  if (column !== "bank_code") return null;
  return /^([^\s(]+) \(/.exec(problems[0]?.expected ?? "")?.[1] ?? null;
}

/** Returns the errors, or the errors and warnings. */
const findingsIn = (problems: readonly RowProblem[], worst: Severity): readonly RowProblem[] =>
  problems.filter(({ severity }) => severity === "error" || worst === "warning");

/** The findings that a new value must not have. An error is one in any case. */
const worstOf = ({ problems }: WrongCell): Severity =>
  problems.some(({ severity }) => severity === "warning") ? "warning" : "error";

/** The rules of a cell. Among errors, a warning says that it is one. */
const ruleText = (problems: readonly RowProblem[], list: Severity): string =>
  problems
    .map((problem) =>
      list === "error" && problem.severity === "warning"
        ? texts.warning(ruleOf(problem))
        : ruleOf(problem),
    )
    .join(" ");

/** The correction of an amount repeats the format, and letters are confirmed on this page. */
function ruleOf({ code, message, expected, correction }: RowProblem): string {
  if (code === "encoding_doubtful") return texts.letters;
  const isRepeated = code.startsWith("amount_") || correction.includes(expected);
  return [message, correction, ...(isRepeated ? [] : [texts.expected(expected)])].join(" ");
}

/** Returns the problems of a row with its new values. Null: not checked yet. */
function useCheck(batchId: string, line: number, values: Readonly<Record<string, string>>) {
  const [settled] = useDebouncedValue(values, TYPING_MS);
  const isCurrent = JSON.stringify(settled) === JSON.stringify(values);
  const isSaving = useIsMutating({ mutationKey: savingOf(batchId) }) > 0;
  const { data } = useQuery({
    queryKey: [ROW_CHECK, batchId, line, settled],
    queryFn: ({ signal }) =>
      call(ROW_CHECK, {
        params: { id: batchId },
        body: { rows: [{ line, values: settled }] },
        signal,
      }),
    enabled: isCurrent && !isSaving && Object.keys(settled).length > 0,
    retry: false,
  });
  return isCurrent ? (data?.items[0]?.problems ?? null) : null;
}
