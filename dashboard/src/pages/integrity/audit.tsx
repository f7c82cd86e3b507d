import { Anchor, Button, NativeSelect, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { addressOf } from "../../server/address.ts";
import { call } from "../../server/client.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { SavedViews } from "../../components/forms/saved-views.tsx";
import { Section } from "../../components/section.tsx";
import { paging } from "../../base/paging.ts";
import { startOfDay } from "../../base/start-of-day.ts";
import classes from "./audit.module.css";
import { actionName } from "./action-messages.ts";
import { AUDIT_COLUMNS } from "./audit-columns.tsx";
import type { AuditSearch } from "./search-params.ts";
import { ChainVerification } from "./chain-verification.tsx";
import { messages } from "./messages.tsx";

const { log, filters } = messages;

/** The audit log, newest first, with the verification of its hash chain. */
export function AuditPage() {
  const search = useSearch({ from: "/dashboard/audit" });
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
      title={messages.title}
      actions={
        <Anchor href={addressOf("GET /api/audit.csv", { query: whole }).address} download>
          {messages.download}
        </Anchor>
      }
    >
      <ChainVerification />
      <Section title={log.title}>
        <Filters key={JSON.stringify(search)} search={search} onFilter={go} />
        <SavedViews page="audit" search={search} />
        {error ? <ErrorState error={error} /> : null}
        {page ? (
          <DataTable
            caption={log.caption}
            hideCaption
            columns={AUDIT_COLUMNS}
            rows={page.items}
            rowKey={({ number }) => String(number)}
            empty={<EmptyState text={isFiltered ? log.noMatch : log.empty} />}
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

/** Converts the days of the reader's calendar to the start of the first and the end of the last. */
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
      <TextInput label={filters.actor} placeholder={filters.actorHint} {...field("actor")} />
      <NativeSelect
        label={filters.action}
        data={[
          { value: "", label: filters.anyAction },
          ...actions.map((action) => ({ value: action, label: actionName(action) })),
        ]}
        {...field("action")}
      />
      <TextInput label={filters.object} placeholder={filters.objectHint} {...field("object")} />
      <TextInput label={filters.from} type="date" {...field("from")} />
      <TextInput label={filters.to} type="date" {...field("to")} />
      <div className={classes.buttons}>
        <Button type="submit" size="xs">
          {filters.filter}
        </Button>
        <Button size="xs" variant="default" onClick={() => onFilter({})}>
          {filters.clear}
        </Button>
      </div>
    </form>
  );
}
