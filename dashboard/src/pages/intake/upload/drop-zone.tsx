import { Button, Progress, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { sizeText } from "../../../base/text.ts";
import { messages } from "./messages.tsx";
import { templatesQuery } from "./queries.ts";
import classes from "./upload.module.css";

const texts = messages.dropZone;

interface DropZoneProps {
  readonly label: string;
  readonly hint: string;
  /** Uploaded share of the file, from 0 to 1; null if no upload is running. */
  readonly sent: number | null;
  readonly onFile: (file: File) => void;
  /** The button is the primary one of the page. */
  readonly isPrimary?: boolean;
}

/** Takes a file by drag and drop or by a button. */
export function DropZone({ label, hint, sent, onFile, isPrimary = false }: DropZoneProps) {
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
          variant={isPrimary ? "filled" : "light"}
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

/** Shows the size limits before the reader uploads a file that exceeds them. */
function FileLimits() {
  const { data: templates } = useQuery(templatesQuery);
  if (!templates) return null;
  const { bytes, rows } = templates.limits;
  return (
    <Text size="sm" c="dimmed" ta="center">
      {texts.limits(sizeText(bytes), rows)}
    </Text>
  );
}

function Sending({ share }: { readonly share: number }) {
  const isSent = share >= 1;
  const words = isSent ? texts.checking : texts.uploading(Math.round(share * 100));
  return (
    <div className={classes.sending} role="status">
      <Progress value={share * 100} animated={isSent} aria-label={texts.progress} />
      <Text size="sm">{words}</Text>
    </div>
  );
}
