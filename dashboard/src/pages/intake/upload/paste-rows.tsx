import { Button, Group, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { serverNowMs } from "../../../base/server-time.ts";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { type PastedRows, readPastedRows } from "./pasted-rows.ts";
import { templatesQuery } from "./queries.ts";

const texts = messages.paste;

interface PasteRowsProps {
  /** An upload is running, so no other file is accepted. */
  readonly isBusy: boolean;
  readonly onFile: (file: File) => void;
}

/**
 * Maximum length of text shown in the field, in characters. The rows read appear below in any case.
 */
const DRAWN_MAX = 20_000;

/** Turns rows pasted from a spreadsheet into a CSV file and uploads it when the reader confirms. */
export function PasteRows({ isBusy, onFile }: PasteRowsProps) {
  const { data: templates } = useQuery(templatesQuery);
  const [text, setText] = useState("");
  usePaste(isBusy, setText, onFile);
  // Memoised, because the upload progress renders this component repeatedly.
  const pasted = useMemo(() => {
    const columns = templates?.items.flatMap((item) => item.columns) ?? [];
    return text.trim() === "" ? null : readPastedRows(text, columns);
  }, [text, templates]);
  return (
    <>
      <Textarea
        label={texts.label}
        description={texts.hint}
        rows={2}
        value={text.length > DRAWN_MAX ? "" : text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onPaste={(event) => {
          event.preventDefault();
          setText(event.clipboardData.getData("text/plain"));
        }}
      />
      {pasted && templates ? (
        <PastedPreview
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

/**
 * Takes a paste outside of a field: spreadsheet cells as text (next to their picture), or a file.
 */
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

interface PastedPreviewProps {
  readonly pasted: PastedRows;
  readonly needed: readonly string[];
  readonly isBusy: boolean;
  readonly onSend: () => void;
  readonly onForget: () => void;
}

function PastedPreview({ pasted, needed, isBusy, onSend, onForget }: PastedPreviewProps) {
  const { rowCount, columnCount, hasNoHeader } = pasted;
  return (
    <>
      {hasNoHeader ? (
        <Notice role="alert" tone="hold" title={texts.noHeader(rowCount, columnCount)}>
          <span>{texts.noHeaderText(needed.slice(0, 4))}</span>
        </Notice>
      ) : (
        <Notice role="status" tone="draft" title={texts.read(rowCount, columnCount)}>
          <span>{texts.readText}</span>
        </Notice>
      )}
      <DataTable
        caption={texts.firstRows}
        isWide
        columns={columnsOf(pasted)}
        rows={pasted.firstRows.map((cells, at) => ({ cells, at }))}
        rowKey={({ at }) => String(at)}
      />
      <Group gap="sm">
        {hasNoHeader ? null : (
          <Button loading={isBusy} disabled={rowCount === 0} onClick={onSend}>
            {texts.upload(rowCount)}
          </Button>
        )}
        <Button variant="default" disabled={isBusy} onClick={onForget}>
          {texts.discard}
        </Button>
      </Group>
    </>
  );
}

interface FirstRow {
  readonly cells: readonly string[];
  readonly at: number;
}

const columnsOf = ({ names, hasNoHeader, columnCount }: PastedRows): readonly Column<FirstRow>[] =>
  Array.from({ length: columnCount }, (_, place) => ({
    key: String(place),
    header: (hasNoHeader ? "" : names[place]) || texts.column(place + 1),
    cell: ({ cells }) => cells[place] ?? "",
  }));

/**
 * "pasted 2026-03-01 14.05 UTC.csv". payrun recognises the same rows by their content, not by this
 * name.
 */
function asFile({ csv }: PastedRows): File {
  const [day = "", time = ""] = new Date(serverNowMs()).toISOString().split("T");
  return new File([csv], texts.fileName(day, time.slice(0, 5).replace(":", ".")), {
    type: "text/csv",
  });
}
