import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../server/client.ts";
import { ErrorState } from "../error-state.tsx";
import { type CommentSubject, commentsQuery } from "./comments-query.ts";
import { MentionTextarea } from "./mention-textarea.tsx";
import { messages as texts } from "./messages.ts";

const LENGTH_MAX = 2_000;

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
      <MentionTextarea
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
