import { Anchor, Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { addressOf } from "../../address.ts";
import { call } from "../../client.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { SavedViews } from "../../components/saved-views.tsx";
import { Section } from "../../components/section.tsx";
import { paging } from "../../paging.ts";
import { startOfDay } from "../../days.ts";
import classes from "./audit.module.css";
import { actionText, LINE_COLUMNS } from "./lines.tsx";
import type { AuditSearch } from "./search.ts";
import { Verified } from "./verified.tsx";

/** Who did what, in the order in which it was written, with proof that no line was changed since. */
export function AuditPage() {
  const search = useSearch({ from: "/desk/audit" });
  const navigate = useNavigate({ from: "/audit" });
  const query = queryOf(search);
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/audit", query],
    queryFn: ({ signal }) => call("GET /api/audit", { query, signal }),
    placeholderData: keepPreviousData,
  });
  const go = (change: AuditSearch) => void navigate({ search: change });
  const isFiltered = Object.values({ ...search, cursor: undefined }).some(Boolean);
  const { cursor: _cursor, ...whole } = query;
  return (
    <Page
      title="Audit"
      actions={
        <Anchor href={addressOf("GET /api/audit.csv", { query: whole }).address} download>
          Download as CSV
        </Anchor>
      }
    >
      <Verified />
      <Section title="Who did what">
        <Filters key={JSON.stringify(search)} search={search} onFilter={go} />
        <SavedViews page="audit" search={search} />
        {error ? <ErrorState error={error} /> : null}
        {page ? (
          <DataTable
            caption="The audit log, the newest first"
            hideCaption
            columns={LINE_COLUMNS}
            rows={page.items}
            rowKey={({ number }) => String(number)}
            empty={
              <EmptyState text={isFiltered ? "No line fits these filters." : "The log is empty."} />
            }
            paging={paging(
              ["audit", { ...search, cursor: undefined }],
              { cursor: search.cursor, next: page.next },
              (cursor) => go({ ...search, cursor }),
            )}
          />
        ) : error ? null : (
          <Loading />
        )}
      </Section>
    </Page>
  );
}

/** Days of the reader's own calendar, from the first moment of one to the last of the other. */
function queryOf({ from, to, ...search }: AuditSearch) {
  return {
    ...search,
    from: from ? startOfDay(from) : undefined,
    to: to ? startOfDay(to, 1) : undefined,
  };
}

function Filters({
  search,
  onFilter,
}: {
  readonly search: AuditSearch;
  readonly onFilter: (search: AuditSearch) => void;
}) {
  const [wanted, setWanted] = useState<AuditSearch>({ ...search, cursor: undefined });
  const { data: known } = useQuery({
    queryKey: ["GET /api/audit/actions"],
    queryFn: ({ signal }) => call("GET /api/audit/actions", { signal }),
    staleTime: 60_000,
  });
  const actions = known?.actions ?? (search.action ? [search.action] : []);
  const field = (name: keyof AuditSearch) => ({
    size: "xs" as const,
    value: wanted[name] ?? "",
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setWanted((before) => ({ ...before, [name]: value || undefined })),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFilter(wanted);
  };
  return (
    <form className={classes.filters} onSubmit={submit}>
      <TextInput label="Who" placeholder="name, or user:US…" {...field("actor")} />
      <NativeSelect
        label="Did"
        data={[
          { value: "", label: "anything" },
          ...actions.map((action) => ({ value: action, label: actionText(action) })),
        ]}
        {...field("action")}
      />
      <TextInput label="To" placeholder="batch, lane, user" {...field("object")} />
      <TextInput label="From" type="date" {...field("from")} />
      <TextInput label="Up to" type="date" {...field("to")} />
      <div className={classes.buttons}>
        <Button type="submit" size="xs">
          Filter
        </Button>
        <Button size="xs" variant="default" onClick={() => onFilter({})}>
          Clear
        </Button>
      </div>
    </form>
  );
}
