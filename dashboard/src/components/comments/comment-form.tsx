import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type FormEvent, useEffect, useState } from "react";
import { call } from "../../server/client.ts";
import { onFirstInput } from "../../shell/first-input.ts";
import { ErrorState } from "../error-state.tsx";
import { type NoteFieldProps, PlainField } from "../forms/note-form.tsx";
import { type CommentSubject, commentsQuery } from "./comments-query.ts";
import { messages as texts } from "./messages.ts";

const LENGTH_MAX = 2_000;

type CommentFieldProps = NoteFieldProps & { readonly isFocused: boolean };

/** Without the suggestions, the field works as a plain one. */
const loadSuggestions = (
  use: (field: () => ComponentType<CommentFieldProps>) => void,
): Promise<void> =>
  import("./mention-textarea.tsx").then(
    ({ MentionTextarea }) => use(() => MentionTextarea),
    () => undefined,
  );

/** A field for a comment. Its suggestions are loaded when the user first touches the page. */
function CommentField({ isFocused, ...field }: CommentFieldProps) {
  const [Suggesting, setSuggesting] = useState<ComponentType<CommentFieldProps> | null>(null);
  const [hasFocus, setFocus] = useState(isFocused);
  useEffect(() => onFirstInput(() => void loadSuggestions(setSuggesting)), []);
  if (Suggesting) return <Suggesting {...field} isFocused={hasFocus} />;
  return (
    <PlainField
      {...field}
      onFocus={() => {
        setFocus(true);
        void loadSuggestions(setSuggesting);
      }}
      onBlur={() => setFocus(false)}
    />
  );
}

/** A field for a new comment or reply. Typing "@" suggests the people who can be mentioned. */
export function CommentForm({
  subject,
  replyTo,
  onSent,
  onCancel,
}: {
  readonly subject: CommentSubject;
  /** The comment that is answered. Null: a new comment. */
  readonly replyTo: { readonly id: string; readonly name: string } | null;
  readonly onSent?: () => void;
  readonly onCancel?: () => void;
}) {
  const [text, setText] = useState("");
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      call("POST /api/comments", {
        body: { ...subject, text: text.trim(), ...(replyTo && { reply_to: replyTo.id }) },
      }),
    onSuccess: async () => {
      setText("");
      await client.invalidateQueries(commentsQuery(subject));
      onSent?.();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    send.mutate();
  };
  return (
    <form onSubmit={submit}>
      <CommentField
        aria-label={replyTo ? texts.replyTo(replyTo.name) : texts.label}
        placeholder={replyTo ? texts.placeholderReply : texts.placeholder}
        minRows={1}
        maxRows={8}
        maxLength={LENGTH_MAX}
        text={text}
        change={setText}
        isFocused={replyTo !== null}
      />
      {send.error ? <ErrorState error={send.error} /> : null}
      {text === "" && !replyTo ? null : (
        <Group gap="xs" mt="xs" justify="space-between">
          <Text size="xs" c="dimmed">
            {texts.permanent}
          </Text>
          <Group gap="xs">
            {onCancel ? (
              <Button size="xs" variant="subtle" onClick={onCancel}>
                {texts.cancelReply}
              </Button>
            ) : null}
            <Button type="submit" size="xs" loading={send.isPending} disabled={text.trim() === ""}>
              {replyTo ? texts.sendReply : texts.send}
            </Button>
          </Group>
        </Group>
      )}
    </form>
  );
}
