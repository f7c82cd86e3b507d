import { Button, Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { ErrorState } from "../error-state.tsx";
import { detailMessages } from "../detail-messages.tsx";

/** The length that the server requires of a permanent text. */
export const NOTE_CHARS = { min: 3, max: 1_000 };

/** A form for a text that stays in the audit log with its author. */
export function NoteForm<Left>({
  label,
  verb,
  leave,
  onLeft,
}: {
  readonly label: string;
  readonly verb: string;
  readonly leave: (text: string) => Promise<Left>;
  readonly onLeft?: (left: Left) => void;
}) {
  const [text, setText] = useState("");
  const note = useMutation({
    mutationFn: () => leave(text.trim()),
    onSuccess: (left) => {
      setText("");
      onLeft?.(left);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    note.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Textarea
        mt="md"
        mb="xs"
        label={label}
        description={detailMessages.notes.permanent}
        autosize
        minRows={2}
        maxLength={NOTE_CHARS.max}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {note.error ? <ErrorState error={note.error} /> : null}
      <Button
        type="submit"
        size="xs"
        variant="default"
        loading={note.isPending}
        disabled={text.trim().length < NOTE_CHARS.min}
      >
        {verb}
      </Button>
    </form>
  );
}
