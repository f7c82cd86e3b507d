import { Button, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { sizeText } from "../../words.ts";
import { templatesQuery } from "./queries.ts";
import classes from "./upload.module.css";

interface DropZoneProps {
  readonly label: string;
  readonly hint: string;
  /** From 0 to 1 while a file is on its way; null: none is. */
  readonly sent: number | null;
  readonly onFile: (file: File) => void;
}

/** A file is dropped here, or chosen by the button: nobody has to drag. */
export function DropZone({ label, hint, sent, onFile }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const hintId = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file && sent === null) onFile(file);
  };
  return (
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Stack align="center" gap="sm">
        <FileUp size={28} aria-hidden />
        <Button
          variant="light"
          loading={sent !== null}
          aria-describedby={hintId}
          onClick={() => input.current?.click()}
        >
          {label}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.txt,.tsv,.xlsx"
          aria-label={label}
          hidden
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file) onFile(file);
            currentTarget.value = "";
          }}
        />
        <Text size="sm" c="dimmed" ta="center" id={hintId}>
          {hint}
        </Text>
        <FileLimits />
        {sent === null ? null : <Sending share={sent} />}
      </Stack>
    </div>
  );
}

/** Told before somebody waits for an upload that cannot be taken. */
function FileLimits() {
  const { data: templates } = useQuery(templatesQuery);
  if (!templates) return null;
  const { bytes, workbook_bytes, rows, columns } = templates.limits;
  return (
    <Text size="sm" c="dimmed" ta="center">
      At most {sizeText(bytes)}, {rows.toLocaleString()} rows and {columns} columns; an Excel file{" "}
      {sizeText(workbook_bytes)} when unpacked.
    </Text>
  );
}

function Sending({ share }: { readonly share: number }) {
  const isSent = share >= 1;
  const words = isSent ? "Reading and checking every row…" : `Uploading: ${percent(share)}`;
  return (
    <div className={classes.sending} role="status">
      <Progress value={share * 100} animated={isSent} aria-label="Uploaded" />
      <Text size="sm">{words}</Text>
    </div>
  );
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
