import { List, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, sendFile } from "../../client.ts";
import { Given } from "../../components/given.tsx";
import { Section } from "../../components/section.tsx";
import { When } from "../../components/when.tsx";
import { DropZone } from "./drop-zone.tsx";
import type { FileFindings } from "./file.tsx";
import { Notice } from "./notice.tsx";
import { RefusedFile } from "./refused-file.tsx";

/** The way back of the wrong rows, repaired. Good rows cannot be changed here. */
export function Corrections({ found }: { readonly found: FileFindings }) {
  const { batch, corrections } = found;
  const queries = useQueryClient();
  const [sent, setSent] = useState<number | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [taken, setTaken] = useState<Answer<"POST /api/batches/:id/corrections"> | null>(null);

  const upload = async (file: File): Promise<void> => {
    setSent(0);
    setRefusal(null);
    setTaken(null);
    try {
      const answer = await sendFile("POST /api/batches/:id/corrections", file, {
        params: { id: batch.batch_id },
        query: { file_name: file.name },
        idempotencyKey: crypto.randomUUID(),
        onProgress: setSent,
      });
      setTaken(answer);
      await queries.invalidateQueries();
    } catch (error) {
      setRefusal(error);
    } finally {
      setSent(null);
    }
  };

  return (
    <Section title="Repaired rows">
      {batch.rejected > 0 ? (
        <>
          <Text size="sm">
            Download the wrong rows, repair them in that file, and bring it back here. Its column
            “line” says which row is meant; a good row is never changed this way.
          </Text>
          <DropZone
            label="Choose the repaired file"
            hint="or drop it here: the downloaded file with its rows repaired"
            sent={sent}
            onFile={(file) => void upload(file)}
          />
        </>
      ) : null}
      {taken ? <Notice role="status" tone="quiet" title={summary(taken)} /> : null}
      {refusal ? <RefusedFile error={refusal} /> : null}
      {corrections.length > 0 ? (
        <List size="sm">
          {corrections.map(({ file, by, at, rows, repaired }) => (
            <List.Item key={at}>
              <Given text={file} />: {repaired} of {rows} rows repaired by <Given text={by.name} />,{" "}
              <When at={at} />
            </List.Item>
          ))}
        </List>
      ) : null}
    </Section>
  );
}

function summary({
  is_new,
  rows,
  repaired,
  batch,
}: Answer<"POST /api/batches/:id/corrections">): string {
  if (!is_new) return "This file has been taken in before; nothing was changed.";
  const left =
    batch.rejected === 0 ? "Every row is good now." : `${batch.rejected} are still wrong.`;
  return `${repaired} of ${rows} rows are repaired. ${left}`;
}
