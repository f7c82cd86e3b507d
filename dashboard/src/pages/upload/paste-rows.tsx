import { Button, Group, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { serverNowMs } from "../../server-time.ts";
import { plural } from "../../words.ts";
import { Notice } from "./notice.tsx";
import { type Pasted, readPasted } from "./pasted.ts";
import { templatesQuery } from "./queries.ts";

interface PasteRowsProps {
  /** While a file is on its way, nothing else is taken. */
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
}

/** A longer text is not drawn in the field: what was read of it stands below. */
const DRAWN_MAX = 20_000;

/** Rows that were copied in a spreadsheet become a CSV file, and go its way once somebody has seen what was read. */
export function PasteRows({ isBusy, onFile }: PasteRowsProps) {
  const { data: templates } = useQuery(templatesQuery);
  const [text, setText] = useState("");
  usePaste(isBusy, setText, onFile);
  // Read once: while it is uploaded, all of this is drawn again and again.
  const pasted = useMemo(() => {
    const columns = templates?.items.flatMap((item) => item.columns) ?? [];
    return text.trim() === "" ? null : readPasted(text, columns);
  }, [text, templates]);
  return (
    <>
      <Textarea
        label="Or paste rows from a spreadsheet"
        description="Copy them with the row of column names, and paste them here or anywhere on this page (Ctrl-V)"
        rows={2}
        value={text.length > DRAWN_MAX ? "" : text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onPaste={(event) => {
          event.preventDefault();
          setText(event.clipboardData.getData("text/plain"));
        }}
      />
      {pasted && templates ? (
        <WhatWasPasted
          pasted={pasted}
          needed={templates.items[0]?.columns ?? []}
          isBusy={isBusy}
          onSend={() => onFile(asFile(pasted))}
          onForget={() => setText("")}
        />
      ) : null}
    </>
  );
}

/** Whatever is pasted outside of a field: a spreadsheet's cells as text (it copies a picture of them as well), or a file. */
function usePaste(
  isBusy: boolean,
  onText: (text: string) => void,
  onFile: (file: File) => void,
): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const { target, clipboardData: clip } = event;
    const isInField = target instanceof Element && target.closest("input, textarea, select");
    if (isBusy || isInField || !clip) return;
    const file = [...clip.files].find(({ type }) => !type.startsWith("image/"));
    const text = clip.getData("text/plain");
    if (!file && text.trim() === "") return;
    event.preventDefault();
    if (file) onFile(file);
    else onText(text);
  });
  useEffect(() => {
    const heard = (event: ClipboardEvent): void => take(event);
    document.addEventListener("paste", heard);
    return () => document.removeEventListener("paste", heard);
  }, []);
}

interface WhatWasPastedProps {
  readonly pasted: Pasted;
  readonly needed: readonly string[];
  readonly isBusy: boolean;
  readonly onSend: () => void;
  readonly onForget: () => void;
}

function WhatWasPasted({ pasted, needed, isBusy, onSend, onForget }: WhatWasPastedProps) {
  const { rowCount, columnCount, hasNoHeader } = pasted;
  const size = `${plural(rowCount, "row")} and ${plural(columnCount, "column")}`;
  return (
    <>
      {hasNoHeader ? (
        <Notice role="alert" tone="alarm" title={`${size} were read, and no header`}>
          <span>
            The first row should name the columns, such as {needed.slice(0, 4).join(", ")}; it names
            none that payrun knows. Copy the row with the names as well, and paste again.
          </span>
        </Notice>
      ) : (
        <Notice role="status" tone="quiet" title={`${size} were read, and a header`}>
          <span>Nothing has been uploaded yet. Every cell stays as it was pasted.</span>
        </Notice>
      )}
      <DataTable
        caption="The first rows, as they were pasted"
        columns={columnsOf(pasted)}
        rows={pasted.firstRows.map((cells, at) => ({ cells, at }))}
        rowKey={({ at }) => String(at)}
      />
      <Group gap="sm">
        {hasNoHeader ? null : (
          <Button loading={isBusy} disabled={rowCount === 0} onClick={onSend}>
            Upload and check {plural(rowCount, "row")}
          </Button>
        )}
        <Button variant="default" disabled={isBusy} onClick={onForget}>
          Forget what was pasted
        </Button>
      </Group>
    </>
  );
}

interface FirstRow {
  readonly cells: readonly string[];
  readonly at: number;
}

const columnsOf = ({ names, hasNoHeader, columnCount }: Pasted): readonly Column<FirstRow>[] =>
  Array.from({ length: columnCount }, (_, place) => ({
    key: String(place),
    header: (hasNoHeader ? "" : names[place]) || `column ${place + 1}`,
    cell: ({ cells }) => cells[place] ?? "",
  }));

/** "pasted 2026-03-01 14.05.csv": the very same rows are known again by their content, whatever they are called. */
function asFile({ csv }: Pasted): File {
  const [day = "", time = ""] = new Date(serverNowMs()).toISOString().split("T");
  return new File([csv], `pasted ${day} ${time.slice(0, 5).replace(":", ".")} UTC.csv`, {
    type: "text/csv",
  });
}
