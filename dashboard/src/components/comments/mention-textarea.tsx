import { Combobox, Textarea, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { NoteFieldProps } from "../forms/note-form.tsx";
import { UserText } from "../user-text.tsx";
import { mentionableUsersQuery } from "./comments-query.ts";
import { openMentionAt, withMention } from "./mention-text.ts";
import { messages as texts } from "./messages.ts";

const SUGGESTIONS_MAX = 6;

/** A field for a comment. Typing "@" suggests the people who can be mentioned. */
export function MentionTextarea({
  text,
  change,
  isFocused = false,
  ...field
}: NoteFieldProps & { readonly isFocused?: boolean }) {
  const element = useRef<HTMLTextAreaElement>(null);
  const [cursor, setCursor] = useState(0);
  const combobox = useCombobox();
  useEffect(() => {
    const field = element.current;
    if (!isFocused || !field) return;
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    setCursor(field.value.length);
    combobox.openDropdown();
    // oxlint-disable-next-line react/exhaustive-deps -- once, not after each change of the list
  }, [isFocused]);
  const mention = openMentionAt(text, cursor);
  const { data } = useQuery({ ...mentionableUsersQuery, enabled: mention !== null });
  const typed = mention?.typed.toLowerCase() ?? "";
  const people = (data?.items ?? [])
    .filter(({ name }) => name.toLowerCase().startsWith(typed) && name.length > typed.length)
    .slice(0, SUGGESTIONS_MAX);
  const hasPeople = people.length > 0;
  useEffect(() => {
    // The first person is also chosen if the list arrives after the "@" was typed.
    if (hasPeople) requestAnimationFrame(() => combobox.selectFirstOption());
    // oxlint-disable-next-line react/exhaustive-deps -- once for each list, not for each rendering
  }, [hasPeople]);
  const insert = (name: string): void => {
    if (!mention) return;
    const next = withMention(text, mention, name);
    change(next.text);
    setCursor(next.cursor);
    combobox.closeDropdown();
    requestAnimationFrame(() => element.current?.setSelectionRange(next.cursor, next.cursor));
  };
  return (
    <Combobox store={combobox} onOptionSubmit={insert} withinPortal>
      <Combobox.Target withKeyboardNavigation={mention !== null && hasPeople}>
        <Textarea
          {...field}
          ref={element}
          autosize
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
      {mention && hasPeople ? (
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
