import { Button, Text, TextInput, UnstyledButton } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useLinkProps } from "@tanstack/react-router";
import { type ReactNode, useId, useRef, useState } from "react";
import { useScrollToCurrent } from "../../base/scroll-to-current.ts";
import type { Tone } from "../../base/state.ts";
import { type Answer, call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import { usePerson } from "../../server/session.ts";
import { UserText } from "../user-text.tsx";
import { InlineForm } from "../forms/inline-form.tsx";
import classes from "./list-views.module.css";
import { messages as texts } from "./messages.ts";

type Views = Answer<"GET /api/views">;
type View = Views["items"][number];
type ViewPage = View["page"];

const KEY = ["GET /api/views"];
const reload = (): Promise<unknown> => queryClient.invalidateQueries({ queryKey: KEY });

/** A view that every reader has: a set of filters with a name, and the rows that they find. */
export interface BuiltInView {
  readonly key: string;
  readonly label: string;
  /** All filters of the page's address. */
  readonly search: object;
  readonly isCurrent: boolean;
  /** Undefined: not known. */
  readonly count: number | undefined;
  /** The rows wait for a person: their number has a colour. */
  readonly tone?: Tone;
}

/**
 * The views of a list as tabs: the built-in ones with their numbers, the reader's saved ones, and
 * the form that saves the current filters as another one.
 */
export function ListViews({
  page,
  search,
  builtIn = [],
}: {
  readonly page: ViewPage;
  readonly search: object;
  readonly builtIn?: readonly BuiltInView[];
}) {
  const person = usePerson();
  const { data: views } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call("GET /api/views", { signal }),
    staleTime: 60_000,
    enabled: person !== null,
  });
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const formId = useId();
  const own = views?.items.filter((view) => view.page === page) ?? [];
  const current = own.find(({ filters }) => isSame(filters, search));
  const row = useScrollToCurrent<HTMLDivElement>(
    current?.id ?? builtIn.find(({ isCurrent }) => isCurrent)?.key ?? "",
  );
  const asked = askedIn(search);
  // Without filters there is nothing to save, and an empty line would only take up space.
  if (own.length + builtIn.length + asked.length === 0) return null;
  const links = [
    ...builtIn.map((view) => ({ ...view, isCurrent: view.isCurrent && current === undefined })),
    ...own.map((view) => ({
      key: view.id,
      label: <UserText text={view.name} />,
      search: view.filters,
      isCurrent: view === current,
    })),
  ];
  return (
    <nav className={classes.views} aria-label={builtIn.length > 0 ? texts.views : texts.title}>
      <div ref={row} className={classes.row}>
        {links.length === 0 ? null : (
          <ul className={classes.list}>
            {links.map((view) => (
              <li key={view.key}>
                <ViewLink page={page} view={view} />
              </li>
            ))}
          </ul>
        )}
        {views && own.length + asked.length > 0 ? (
          <UnstyledButton
            ref={button}
            className={classes.edit}
            aria-expanded={isOpen}
            aria-controls={formId}
            onClick={() => setOpen(!isOpen)}
          >
            {own.length === 0 ? texts.saveFirst : texts.edit}
          </UnstyledButton>
        ) : null}
      </div>
      {views && isOpen && own.length + asked.length > 0 ? (
        <div id={formId} className={classes.form}>
          <Save page={page} asked={asked} keeps={views.keeps[page]} />
          <OwnViews views={own} onDone={() => button.current?.focus()} />
        </div>
      ) : null}
    </nav>
  );
}

/** The forms of the reader's own views. */
const OwnViews = ({
  views,
  onDone,
}: {
  readonly views: readonly View[];
  readonly onDone: () => void;
}) =>
  views.length === 0 ? null : (
    <ul className={classes.own} aria-label={texts.own}>
      {views.map((view) => (
        <Own key={`${view.id} ${view.name}`} view={view} onDone={onDone} />
      ))}
    </ul>
  );

/** The filters of an address with their values. */
const askedIn = (search: object): [string, unknown][] =>
  Object.entries(search).filter(
    ([name, value]) => typeof value === "string" && value.trim() !== "" && name !== "cursor",
  );

const isSame = (one: object, other: object): boolean => {
  const textOf = (search: object) =>
    JSON.stringify(askedIn(search).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return textOf(one) === textOf(other);
};

/** A view as a tab. Its number is a part of its name. */
const ViewLink = ({
  page,
  view: { label, search, isCurrent, count, tone },
}: {
  readonly page: ViewPage;
  readonly view: Omit<BuiltInView, "label" | "key" | "count"> & {
    readonly label: ReactNode;
    readonly count?: number | undefined;
  };
}) => {
  const link = useLinkProps({ to: `/${page}`, search: search as never, resetScroll: false });
  // The router would also mark a view whose filters are a part of the current ones.
  return (
    <a {...link} aria-current={isCurrent ? "page" : undefined}>
      {label}
      {count === undefined ? null : (
        <>
          {" "}
          <span
            className={classes.count}
            data-tone={tone && count > 0 ? tone : undefined}
            data-none={count === 0 || undefined}
          >
            {count.toLocaleString()}
          </span>
        </>
      )}
    </a>
  );
};

const NAME_MAX = 60;

function Save({
  page,
  asked,
  keeps,
}: {
  readonly page: ViewPage;
  /** The current filters, of which a view saves some. */
  readonly asked: readonly (readonly [string, unknown])[];
  readonly keeps: readonly string[];
}) {
  const [name, setName] = useState("");
  const kept = new Set(keeps);
  const filters = Object.fromEntries(
    asked.flatMap(([filter, value]) => (kept.has(filter) ? [[filter, String(value)]] : [])),
  );
  const without = asked.flatMap(([filter]) =>
    kept.has(filter) ? [] : [filter.replaceAll("_", " ")],
  );
  const save = useMutation({
    mutationFn: () =>
      // The server refuses a filter that the page does not have.
      call("POST /api/views", { body: { page, name: name.trim(), filters } }),
    onSuccess: async () => {
      setName("");
      await reload();
    },
  });
  if (Object.keys(filters).length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {without.length === 0 ? texts.noFilters : texts.privateFiltersOnly}
      </Text>
    );
  }
  return (
    <InlineForm
      onSend={() => save.mutate()}
      isSending={save.isPending}
      verb={texts.save}
      disabled={name.trim() === ""}
      error={save.error}
      below={
        without.length === 0 ? null : (
          <Text size="xs" c="dimmed" mt={4}>
            {texts.notStored(without)}
          </Text>
        )
      }
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        size="xs"
        maxLength={NAME_MAX}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </InlineForm>
  );
}

function Own({ view: { id, name }, onDone }: { readonly view: View; readonly onDone: () => void }) {
  const [next, setNext] = useState(name);
  const done = async (): Promise<void> => {
    await reload();
    // The focused row has been removed or replaced.
    onDone();
  };
  const rename = useMutation({
    mutationFn: () => call("PUT /api/views/:id", { params: { id }, body: { name: next.trim() } }),
    onSuccess: done,
  });
  const forget = useMutation({
    mutationFn: () => call("DELETE /api/views/:id", { params: { id } }),
    onSuccess: done,
  });
  return (
    <li>
      <InlineForm
        onSend={() => rename.mutate()}
        isSending={rename.isPending}
        verb={texts.rename}
        verbLabel={texts.renameOf(name)}
        disabled={next.trim() === "" || next.trim() === name}
        error={rename.error ?? forget.error}
        more={
          <Button
            size="xs"
            variant="default"
            aria-label={texts.deleteOf(name)}
            loading={forget.isPending}
            onClick={() => forget.mutate()}
          >
            {texts.delete}
          </Button>
        }
      >
        <TextInput
          aria-label={texts.nameOf(name)}
          size="xs"
          maxLength={NAME_MAX}
          autoComplete="off"
          value={next}
          onChange={({ currentTarget }) => setNext(currentTarget.value)}
        />
      </InlineForm>
    </li>
  );
}
