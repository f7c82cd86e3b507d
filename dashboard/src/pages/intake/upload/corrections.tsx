import { Group, List, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, uploadFile } from "../../../server/client.ts";
import { UserText } from "../../../components/user-text.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { DropZone } from "./drop-zone.tsx";
import { messages } from "./messages.tsx";
import { Notice } from "./notice.tsx";
import { EDITABLE_ROWS_MAX } from "./repair/values.ts";
import { RejectedRows } from "./rejected-rows.tsx";
import { RefusedFile } from "./refused-file.tsx";
import type { FileFindings } from "./queries.ts";

const texts = messages.corrections;

/** Uploads corrected rows of a batch. Valid rows cannot be changed here. */
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
      const answer = await uploadFile("POST /api/batches/:id/corrections", file, {
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
    <Section
      title={texts.title}
      caption={texts.caption}
      foldsOnPhone
      folds={batch.rejected <= EDITABLE_ROWS_MAX && corrections.length === 0}
    >
      {batch.rejected > 0 ? (
        <>
          <Text size="sm">{texts.explanation}</Text>
          <Group gap="xs">
            <RejectedRows id={batch.batch_id} />
          </Group>
          <DropZone
            label={texts.choose}
            hint={texts.hint}
            sent={sent}
            onFile={(file) => void upload(file)}
          />
        </>
      ) : null}
      {taken ? <Notice role="status" tone="draft" title={summary(taken)} /> : null}
      {refusal ? <RefusedFile error={refusal} title={messages.refused.correctionTitle} /> : null}
      {corrections.length > 0 ? (
        <List size="sm">
          {corrections.map(({ file, by, at, rows, corrected }) => (
            <List.Item key={at}>
              {texts.correction(
                <UserText text={file} />,
                corrected,
                rows,
                <UserText text={by.name} />,
                <Timestamp at={at} />,
              )}
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
  corrected,
  batch,
}: Answer<"POST /api/batches/:id/corrections">): string {
  return is_new ? texts.corrected(corrected, rows, batch.rejected) : texts.known;
}
