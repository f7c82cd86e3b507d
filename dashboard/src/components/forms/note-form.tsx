import { Button, Textarea, type TextareaProps } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ComponentType, type FormEvent, useState } from "react";
import { ErrorState } from "../error-state.tsx";
import { detailMessages } from "../detail-messages.tsx";

/** The length that the server requires of a permanent text. */
export const NOTE_CHARS = { min: 3, max: 1_000 };

/** The properties of a field for a text. */
export interface NoteFieldProps extends Omit<TextareaProps, "value" | "onChange"> {
  readonly text: string;
  readonly change: (text: string) => void;
}

/** A field without suggestions. */
export const PlainField = ({ text, change, ...field }: NoteFieldProps) => (
  <Textarea
    {...field}
    autosize
    value={text}
    onChange={({ currentTarget }) => change(currentTarget.value)}
  />
);

/** A form for a text that stays in the audit log with its author. */
export function NoteForm<Left>({
  label,
  verb,
  leave,
  onLeft,
  field: Field = PlainField,
}: {
  readonly label: string;
  readonly verb: string;
  readonly leave: (text: string) => Promise<Left>;
  readonly onLeft?: (left: Left) => void;
  /** The field for the text. Default: one without suggestions. */
  readonly field?: ComponentType<NoteFieldProps>;
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
      <Field
        mt="md"
        mb="xs"
        label={label}
        description={detailMessages.notes.permanent}
        minRows={2}
        maxLength={NOTE_CHARS.max}
        text={text}
        change={setText}
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
