import { Button, Combobox, Group, Text, Textarea, useCombobox } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { call } from "../../server/client.ts";
import { ErrorState } from "../error-state.tsx";
import { UserText } from "../user-text.tsx";
import { type CommentSubject, commentsQuery, mentionableUsersQuery } from "./comments-query.ts";
import { openMentionAt, withMention } from "./mention-text.ts";
import { messages as texts } from "./messages.ts";

const LENGTH_MAX = 2_000;
const SUGGESTIONS_MAX = 6;

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
        label={replyTo ? texts.replyTo(replyTo.name) : texts.label}
        placeholder={replyTo ? texts.placeholderReply : texts.placeholder}
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

function MentionTextarea({
  label,
  placeholder,
  text,
  change,
  isFocused,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly text: string;
  readonly change: (text: string) => void;
  readonly isFocused: boolean;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState(0);
  const combobox = useCombobox();
  useEffect(() => {
    if (isFocused) field.current?.focus();
  }, [isFocused]);
  const mention = openMentionAt(text, cursor);
  const { data } = useQuery({ ...mentionableUsersQuery, enabled: mention !== null });
  const typed = mention?.typed.toLowerCase() ?? "";
  const people = (data?.items ?? [])
    .filter(({ name }) => name.toLowerCase().startsWith(typed) && name.length > typed.length)
    .slice(0, SUGGESTIONS_MAX);
  const insert = (name: string): void => {
    if (!mention) return;
    const next = withMention(text, mention, name);
    change(next.text);
    setCursor(next.cursor);
    combobox.closeDropdown();
    requestAnimationFrame(() => field.current?.setSelectionRange(next.cursor, next.cursor));
  };
  return (
    <Combobox store={combobox} onOptionSubmit={insert} withinPortal>
      <Combobox.Target>
        <Textarea
          ref={field}
          aria-label={label}
          placeholder={placeholder}
          autosize
          minRows={1}
          maxRows={8}
          maxLength={LENGTH_MAX}
          value={text}
          onChange={({ currentTarget }) => {
            change(currentTarget.value);
            setCursor(currentTarget.selectionStart);
            combobox.openDropdown();
            requestAnimationFrame(() => combobox.selectFirstOption());
          }}
          onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart)}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      {mention && people.length > 0 ? (
        <Combobox.Dropdown>
          <Combobox.Options aria-label={texts.people}>
            {people.map(({ id, name }) => (
              <Combobox.Option key={id} value={name}>
                <UserText text={name} />
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      ) : null}
    </Combobox>
  );
}
