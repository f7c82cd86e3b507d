import { Alert, Button, Group, Text, Tooltip } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { CircleMinus } from "lucide-react";
import { type Answer, call } from "../../../../server/client.ts";
import { ErrorState } from "../../../../components/error-state.tsx";
import { UserText } from "../../../../components/user-text.tsx";
import { messages as texts } from "./messages.tsx";
import { inOwnNames, reloadRows, type RowProblem, type WrongRow } from "./values.ts";
import classes from "./repair.module.css";

/** Leaves rows out of the batch, all or none. */
export function useLeaveOut(batchId: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (lines: readonly number[]) =>
      call("POST /api/batches/:id/rows/leave-out", {
        params: { id: batchId },
        body: { lines: [...lines] },
      }),
    onSuccess: async () => reloadRows(queries),
  });
}

export type LeaveOut = ReturnType<typeof useLeaveOut>;

/** The button that leaves one row out. */
export const LeaveOutButton = ({
  line,
  leaveOut,
}: {
  readonly line: number;
  readonly leaveOut: LeaveOut;
}) => (
  <Tooltip label={texts.leaveOut}>
    <Button
      size="xs"
      variant="default"
      className={classes.leaveOut}
      disabled={leaveOut.isPending}
      onClick={() => leaveOut.mutate([line])}
      aria-label={texts.leaveOutLine(line)}
    >
      <CircleMinus size={16} aria-hidden />
      <span className={classes.leaveOutText}>{texts.leaveOut}</span>
    </Button>
  </Tooltip>
);

/** A row whose problems concern the whole row, so that no cell can be edited. */
const WholeRow = ({
  line,
  beneficiary,
  problems,
  columnNames,
  leaveOut,
}: {
  readonly line: number;
  readonly beneficiary: string;
  readonly columnNames: ReadonlyMap<string, string>;
  readonly problems: readonly RowProblem[];
  readonly leaveOut: LeaveOut;
}) => (
  <li className={classes.wholeRow}>
    <span className={classes.line}>{texts.lineOf(line)}</span>
    <span>
      <Text size="sm" fw={600} component="span" display="block">
        <UserText text={beneficiary} />
      </Text>
      {problems.map(({ code, message, correction }) => (
        <Text key={code} size="xs" component="span" display="block">
          {inOwnNames(`${message} ${correction}`, columnNames)}
        </Text>
      ))}
    </span>
    <LeaveOutButton {...{ line, leaveOut }} />
  </li>
);

/** Rows whose problems concern the whole row. */
export const WholeRows = ({
  rows,
  namePlace,
  columnNames,
  leaveOut,
}: {
  readonly rows: readonly WrongRow[];
  /** The names of the columns in the file, by payrun's names. */
  readonly columnNames: ReadonlyMap<string, string>;
  /** Position of the column with the beneficiary. */
  readonly namePlace: number;
  readonly leaveOut: LeaveOut;
}) =>
  rows.length === 0 ? null : (
    <ul className={classes.cells} aria-label={texts.wholeRows}>
      {rows.map(({ line, cells, problems }) => (
        <WholeRow
          key={line}
          {...{ line, problems, columnNames, leaveOut }}
          beneficiary={cells[namePlace] ?? ""}
        />
      ))}
    </ul>
  );

/** The buttons that leave out each of these rows. */
export function LeaveOutLines({
  batchId,
  lines,
}: {
  readonly batchId: string;
  readonly lines: readonly number[];
}) {
  const leaveOut = useLeaveOut(batchId);
  return (
    <>
      <Group gap="xs">
        {lines.map((line) => (
          <Button
            key={line}
            size="xs"
            variant="default"
            disabled={leaveOut.isPending}
            onClick={() => leaveOut.mutate([line])}
          >
            {texts.leaveOutLine(line)}
          </Button>
        ))}
      </Group>
      {leaveOut.error ? <ErrorState error={leaveOut.error} /> : null}
    </>
  );
}

/** Proposes to leave out the rejected rows that look like totals. */
export function TotalRows({
  found: { batch, total_rows: rows },
}: {
  readonly found: Answer<"GET /api/batches/:id/findings">;
}) {
  const leaveOut = useLeaveOut(batch.batch_id);
  if (rows.length === 0) return null;
  const lines = rows.map(({ line }) => line);
  const isSum = rows.every(({ equals_total: isEqual }) => isEqual === true);
  return (
    <Alert color="orange" variant="light" title={texts.totalRow(lines)}>
      <Group gap="sm">
        <Text size="sm">{texts.totalRowText(rows.length, isSum)}</Text>
        <Button
          size="xs"
          loading={leaveOut.isPending}
          disabled={batch.rows === rows.length}
          onClick={() => leaveOut.mutate(lines)}
        >
          {texts.leaveTotalOut(lines)}
        </Button>
      </Group>
      {leaveOut.error ? <ErrorState error={leaveOut.error} /> : null}
    </Alert>
  );
}
