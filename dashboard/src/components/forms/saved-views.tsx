import { Anchor, Button, Text, TextInput } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { queryClient } from "../../server/query-client.ts";
import { usePerson } from "../../server/session.ts";
import { UserText } from "../user-text.tsx";
import { InlineForm } from "./inline-form.tsx";
import classes from "./saved-views.module.css";
import { messages as texts } from "./saved-views-messages.ts";

type Views = Answer<"GET /api/views">;
type View = Views["items"][number];
type ViewPage = View["page"];

const KEY = ["GET /api/views"];
const reload = (): Promise<unknown> => queryClient.invalidateQueries({ queryKey: KEY });

/**
 * The reader's saved views of a list, and the form that saves the current filters as another one.
 */
export function SavedViews({ page, search }: { readonly page: ViewPage; readonly search: object }) {
  const person = usePerson();
  const { data: views } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call("GET /api/views", { signal }),
    staleTime: 60_000,
    enabled: person !== null,
  });
  const summary = useRef<HTMLElement>(null);
  if (!views) return null;
  const own = views.items.filter((view) => view.page === page);
  const kept = new Set(views.keeps[page]);
  const asked = Object.entries(search).filter(
    ([name, value]) => typeof value === "string" && value.trim() !== "" && name !== "cursor",
  );
  const filters = Object.fromEntries(asked.filter(([name]) => kept.has(name)));
  const without = asked.flatMap(([name]) => (kept.has(name) ? [] : [name.replaceAll("_", " ")]));
  const toSummary = (): void => summary.current?.focus();
  // Without filters there is nothing to save, and an empty line would only take up space.
  if (own.length === 0 && asked.length === 0) return null;
  return (
    <nav className={classes.views} aria-label={texts.title}>
      {own.length === 0 ? null : (
        <ul className={classes.list}>
          {own.map((view) => (
            <li key={view.id}>
              <Anchor
                component={Link}
                to={`/${page}`}
                search={view.filters as never}
                activeOptions={{ exact: true, includeSearch: true }}
                size="sm"
              >
                <UserText text={view.name} />
              </Anchor>
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary ref={summary}>{own.length === 0 ? texts.saveFirst : texts.edit}</summary>
        <div className={classes.edit}>
          <Save page={page} filters={filters} without={without} />
          {own.length === 0 ? null : (
            <ul className={classes.own} aria-label={texts.own}>
              {own.map((view) => (
                <Own key={`${view.id} ${view.name}`} view={view} onDone={toSummary} />
              ))}
            </ul>
          )}
        </div>
      </details>
    </nav>
  );
}

const NAME_MAX = 60;

function Save({
  page,
  filters,
  without,
}: {
  readonly page: ViewPage;
  readonly filters: Readonly<Record<string, string>>;
  readonly without: readonly string[];
}) {
  const [name, setName] = useState("");
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
