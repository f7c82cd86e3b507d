import { ActionIcon } from "@mantine/core";
import "@mantine/spotlight/styles.css";
import { createSpotlight, Spotlight, useSpotlight } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { Search, X } from "lucide-react";
import { type KeyboardEvent as Key, useEffect, useId, useState } from "react";
import { takeTyping } from "./early-typing.ts";
import { type Command, isFoundBy } from "./commands.ts";
import classes from "./command-palette.module.css";
import { type FoundRecord, useFoundRecords } from "./found-records.tsx";
import { messages } from "./messages.ts";
import { type RailPage, useCommands } from "./use-commands.ts";

const [store, palette] = createSpotlight();

/** An entry of the palette. */
type Entry = Pick<FoundRecord, "icon" | "label"> &
  Partial<Pick<FoundRecord, "detail" | "aside">> & {
    readonly run: Command["run"];
    /** It belongs to a text typed before, so it cannot be chosen. */
    readonly isOutdated?: boolean;
  };

interface Group {
  readonly label: string;
  readonly entries: readonly Entry[];
}

/**
 * One search for pages, actions, payouts, batches and deposits: by codes, gateway numbers, amounts,
 * accounts, names, files, users and references.
 */
export default function CommandPalette({
  openings,
  pages,
  onKeys,
}: {
  /** How often the reader has opened it. */
  readonly openings: number;
  readonly pages: readonly RailPage[];
  readonly onKeys: () => void;
}) {
  const { query } = useSpotlight(store);
  const text = query.trim();
  const { groups, explanation } = useGroups(text, pages, onKeys);
  const id = useId();
  const count = groups.flatMap(({ entries }) => entries).length;
  // Opens after mounting, so that it can return the focus to the element that had it.
  useEffect(() => {
    if (openings > 0) palette.open();
  }, [openings]);
  const { selected, press, reset } = useSelection(id, count);
  return (
    <Spotlight.Root
      store={store}
      onQueryChange={reset}
      shortcut={null}
      size={640}
      xOffset={16}
      yOffset="10dvh"
      radius="lg"
      overlayProps={{ backgroundOpacity: 0.35 }}
      transitionProps={{ duration: 120, transition: "fade" }}
      // The lock is an inline style, which the content security policy refuses.
      lockScroll={false}
      classNames={classes}
      attributes={{ content: { "aria-label": messages.title } }}
    >
      <Spotlight.Search
        role="combobox"
        aria-label={messages.label}
        aria-expanded={count > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={count > 0 ? `${id}-${selected}` : undefined}
        onKeyDownCapture={press}
        onFocus={() => {
          const early = takeTyping();
          store.setState((state) => ({ ...state, query: state.query + early }));
        }}
        placeholder={messages.placeholder}
        leftSection={<Search size={18} aria-hidden />}
        rightSection={<CloseButton />}
        rightSectionPointerEvents="all"
        autoComplete="off"
        spellCheck={false}
      />
      <Spotlight.ActionsList>
        <div id={id} role="listbox" aria-label={messages.results}>
          <Groups id={id} groups={groups} selected={selected} />
        </div>
        {explanation === null ? null : (
          <Spotlight.Empty role="status">{explanation}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      <KeyHints />
    </Spotlight.Root>
  );
}

const KeyHints = () => (
  <Spotlight.Footer className={classes.hints} aria-hidden>
    <kbd>↑</kbd> <kbd>↓</kbd> {messages.hints.move}
    <kbd>↵</kbd> {messages.hints.open}
    <kbd>{messages.hints.escape}</kbd> {messages.hints.close}
  </Spotlight.Footer>
);

/** Closes the palette on a phone, which has no Escape key. */
const CloseButton = () => (
  <ActionIcon
    className={classes.close ?? ""}
    variant="subtle"
    color="gray"
    size={36}
    aria-label={messages.close}
    onClick={palette.close}
  >
    <X size={18} aria-hidden />
  </ActionIcon>
);

/** The commands and records that the text finds, and why there may be no records. */
function useGroups(text: string, pages: readonly RailPage[], onKeys: () => void) {
  const commands = useCommands(pages, onKeys);
  const records = useFoundRecords(text);
  const found = (all: readonly Command[]) => all.filter((command) => isFoundBy(command, text));
  const groups: readonly Group[] = [
    { label: messages.groups.actions, entries: found(commands.actions) },
    { label: messages.groups.pages, entries: found(commands.pages) },
    ...records.groups.map(({ label, records: all }) => ({
      label,
      entries: all.map(({ to, ...shown }) => ({
        ...shown,
        run: to,
        isOutdated: records.isOutdated,
      })),
    })),
  ].filter(({ entries }) => entries.length > 0);
  // A command that matches does not mean that no record does.
  const isUnknown = records.groups.length === 0 && !records.isComplete;
  return { groups, explanation: isUnknown || groups.length === 0 ? records.explanation : null };
}

/**
 * The selected entry, and the keys that move and open it. Spotlight marks an entry only in the
 * document, where a screen reader does not find it.
 */
function useSelection(id: string, count: number) {
  const [place, setPlace] = useState(0);
  const selected = Math.max(0, Math.min(place, count - 1));
  const elementOf = (at: number) => document.getElementById(`${id}-${at}`);
  const press = (event: Key<HTMLInputElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, Enter: 0 }[event.key];
    if (step === undefined || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    if (step === 0) elementOf(selected)?.click();
    else if (count > 0) {
      const next = (selected + step + count) % count;
      setPlace(next);
      elementOf(next)?.scrollIntoView({ block: "nearest" });
    }
  };
  return { selected, press, reset: () => setPlace(0) };
}

function Groups({
  id,
  groups,
  selected,
}: {
  readonly id: string;
  readonly groups: readonly Group[];
  readonly selected: number;
}) {
  return groups.map(({ label, entries }, at) => {
    const before = groups.slice(0, at).flatMap((group) => group.entries).length;
    return (
      <Spotlight.ActionsGroup key={label} label={label} role="group" aria-label={label}>
        {entries.map((entry, place) => (
          <EntryOption
            // Spotlight marks the selected element by its position, so an element keeps it.
            key={before + place}
            id={`${id}-${before + place}`}
            entry={entry}
            isSelected={before + place === selected}
          />
        ))}
      </Spotlight.ActionsGroup>
    );
  });
}

function EntryOption({
  id,
  entry: { icon: Icon, label, detail, aside, run, isOutdated = false },
  isSelected,
}: {
  readonly id: string;
  readonly entry: Entry;
  readonly isSelected: boolean;
}) {
  const navigate = useNavigate();
  const choose = (): void => {
    if (isOutdated) return;
    if (typeof run === "string") void navigate({ href: run });
    else run();
  };
  return (
    <Spotlight.Action
      // Spotlight does not pass an id on.
      ref={(element) => element?.setAttribute("id", id)}
      role="option"
      aria-selected={isSelected}
      aria-disabled={isOutdated || undefined}
      data-selected={isSelected || undefined}
      label={label}
      {...(detail === undefined ? {} : { description: detail })}
      leftSection={<Icon size={18} aria-hidden />}
      rightSection={aside}
      closeSpotlightOnTrigger={!isOutdated}
      onClick={choose}
    />
  );
}
