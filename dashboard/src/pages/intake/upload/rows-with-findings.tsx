import { Group, Text } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import {
  HeaderCell,
  PagingButtons,
  TableBody,
  TableCell,
  TableHead,
  TableRegion,
  TableRow,
} from "../../../components/data-table.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { isVisible } from "../../../components/list-table/list-column.ts";
import { useListSettings } from "../../../components/list-table/list-settings.ts";
import { ViewControls } from "../../../components/list-table/view-controls.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Section } from "../../../components/section.tsx";
import { paging } from "../../../base/list/paging.ts";
import { useIsPhone } from "../../../base/use-is-phone.ts";
import { useFocusShortcuts } from "../../../base/shortcuts.ts";
import type { SelectedFinding } from "./findings.tsx";
import { messages } from "./messages.tsx";
import { inOwnNames } from "./repair/values.ts";
import classes from "./upload.module.css";

const texts = messages.rows;

type RowsPage = Answer<"GET /api/batches/:id/rows">;
type Row = RowsPage["items"][number];

const PAGE = 10;
/** A card on a phone has a line for each column of the file. */
const PAGE_ON_PHONE = 2;

/**
 * Rows with findings as in the file, each finding under its cell. The keys `n` and `p` move between
 * rows.
 */
export function RowsWithFindings({
  batchId,
  names,
  shown,
}: {
  readonly batchId: string;
  /** The names of the columns in the file, by payrun's names. */
  readonly names: ReadonlyMap<string, string>;
  readonly shown: SelectedFinding | null;
}) {
  const key = JSON.stringify(shown);
  const [at, setAt] = useState({ key, after: 0 });
  const after = at.key === key ? at.after : 0;
  const limit = useIsPhone() ? PAGE_ON_PHONE : PAGE;
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/batches/:id/rows", batchId, shown, after, limit],
    queryFn: ({ signal }) =>
      call("GET /api/batches/:id/rows", {
        params: { id: batchId },
        query: { ...shown, after, limit },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const [settings, changeSettings] = useListSettings("rows-with-findings");
  const region = useFocusShortcuts<HTMLDivElement>({ n: 1, p: -1 }, "[data-row]");
  if (error) return <ErrorState error={error} />;
  if (!page) return <Loading />;
  const pages = paging(
    ["rows", batchId, shown],
    { cursor: after === 0 ? undefined : String(after), next: page.next },
    (to) => setAt({ key, after: Number(to ?? 0) }),
  );
  const columns = page.columns.map((name) => ({ key: name, header: names.get(name) ?? name }));
  const visible = columns.filter((column) => isVisible(column, settings.columns));
  return (
    <Section
      title={shown ? texts.ofFinding : texts.all}
      actions={
        <ViewControls {...{ columns, settings }} hasDensity={false} onChange={changeSettings} />
      }
    >
      <Text size="sm" c="dimmed">
        {texts.hint}
      </Text>
      <TableRegion name={texts.table} region={region} isWide>
        <TableHead>
          <HeaderCell header={texts.line} numeric />
          {visible.map(({ key, header }) => (
            <HeaderCell key={key} header={header} />
          ))}
        </TableHead>
        <TableBody>
          {page.items.map((row) => (
            <RowShown
              key={row.line}
              row={row}
              columns={page.columns}
              visible={visible.map(({ key }) => key)}
              names={names}
            />
          ))}
        </TableBody>
      </TableRegion>
      <Group justify="flex-end" gap="xs">
        <PagingButtons of={pages} what="rows" region={region} />
      </Group>
    </Section>
  );
}

function RowShown({
  row,
  columns,
  visible,
  names,
}: {
  readonly row: Row;
  readonly names: ReadonlyMap<string, string>;
  readonly columns: readonly string[];
  readonly visible: readonly string[];
}) {
  const ofRow = row.problems.filter(({ column }) => column === null || !visible.includes(column));
  return (
    <TableRow className={classes.row} tabIndex={-1} data-row>
      <TableCell label={texts.line} names numeric>
        {row.line}
        {ofRow.map(({ code, message, severity }) => (
          <span key={code} className={classes.rowFault} data-severity={severity}>
            {inOwnNames(message, names)}
          </span>
        ))}
      </TableCell>
      {visible.map((column) => (
        <Cell
          key={column}
          label={names.get(column) ?? column}
          names={names}
          text={row.cells[columns.indexOf(column)] ?? ""}
          problems={row.problems.filter((problem) => problem.column === column)}
        />
      ))}
    </TableRow>
  );
}

function Cell({
  label,
  names,
  text,
  problems,
}: {
  readonly label: string;
  readonly names: ReadonlyMap<string, string>;
  readonly text: string;
  readonly problems: Row["problems"];
}) {
  const [first] = problems;
  if (!first) {
    return (
      <TableCell label={label} isBlank={text === ""}>
        <UserText text={text} />
      </TableCell>
    );
  }
  const isWrong = problems.some(({ severity }) => severity === "error");
  return (
    <TableCell label={label} className={isWrong ? classes.wrong : classes.odd}>
      {/* `found` makes invisible characters visible. */}
      <UserText text={first.found ?? text} />
      {problems.map(({ code, message }) => (
        <span key={code} className={classes.fault}>
          {inOwnNames(message, names)}
        </span>
      ))}
    </TableCell>
  );
}
