import { Button, Group, NativeSelect, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, Fragment, useState } from "react";
import type { Part } from "#approval/status-breakdown.ts";
import { type Answer, call } from "../../../server/client.ts";
import { AmountSummary } from "../../../components/amount-summary.tsx";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { UserText } from "../../../components/user-text.tsx";
import { PageLink } from "../../../components/page-link.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Page } from "../../../components/page.tsx";
import { SavedViews } from "../../../components/forms/saved-views.tsx";
import { BatchStateBadge } from "../../../components/payout/state-badge.tsx";
import { StateBar } from "../../../components/payout/state-bar.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import { paging } from "../../../base/paging.ts";
import { useRowShortcuts } from "../../../base/shortcuts.ts";
import { useMay } from "../../../server/session.ts";
import { isScheduled, LISTED_BATCH_STATES } from "../../../base/state.ts";
import { batchName } from "../../../base/text.ts";
import { messages } from "./messages.ts";
import { type BatchesSearch, batchesQuery } from "./search-params.ts";

const { columns: texts, filters: filterTexts } = messages;

type Batch = Answer<"GET /api/batches">["items"][number];

/** The list of batches with its filters and saved views. */
export function BatchesPage() {
  const search = useSearch({ from: "/dashboard/batches" });
  const navigate = useNavigate({ from: "/batches" });
  const mayUpload = useMay("upload");
  const table = useRowShortcuts<HTMLDivElement>();
  const { data: page, error } = useQuery({
    queryKey: ["GET /api/batches", search],
    queryFn: ({ signal }) => call("GET /api/batches", { query: batchesQuery(search), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  const { cursor, ...filters } = search;
  const go = (next: BatchesSearch) => void navigate({ search: next });
  const isFiltered = Object.keys(search).length > 0;
  return (
    <Page
      title={messages.title}
      actions={
        mayUpload ? (
          <Button component={Link} to="/upload">
            {messages.upload}
          </Button>
        ) : null
      }
    >
      <Filters key={JSON.stringify(search)} search={search} onFilter={go} />
      <SavedViews page="batches" search={search} />
      {error ? <ErrorState error={error} /> : null}
      {page ? (
        <div ref={table}>
          <DataTable
            caption={messages.caption}
            hideCaption
            columns={COLUMNS}
            rows={page.items}
            rowKey={({ batch_id }) => batch_id}
            paging={paging(["batches", filters], { cursor, next: page.next }, (to) =>
              go(to === undefined ? filters : { ...filters, cursor: to }),
            )}
            empty={
              <EmptyState text={isFiltered ? messages.emptyFiltered : messages.empty}>
                {isFiltered ? (
                  <Button variant="default" onClick={() => go({})}>
                    {messages.showAll}
                  </Button>
                ) : null}
              </EmptyState>
            }
          />
        </div>
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

function Filters({
  search,
  onFilter,
}: {
  readonly search: BatchesSearch;
  readonly onFilter: (next: BatchesSearch) => void;
}) {
  const [typed, setTyped] = useState(search);
  const put = (change: BatchesSearch) => {
    const { cursor: _, ...next } = { ...typed, ...change };
    setTyped(next);
    return next;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onFilter(typed);
  };
  return (
    <form onSubmit={submit} role="search" aria-label={filterTexts.form}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={filterTexts.text}
          type="search"
          value={typed.text ?? ""}
          onChange={({ currentTarget }) => put({ text: currentTarget.value })}
        />
        <NativeSelect
          label={filterTexts.state}
          value={typed.state ?? ""}
          onChange={({ currentTarget: { value } }) =>
            onFilter(put({ state: (value || undefined) as BatchesSearch["state"] }))
          }
          data={[
            { value: "", label: filterTexts.any },
            ...Object.entries(LISTED_BATCH_STATES).map(([value, { word }]) => ({
              value,
              label: word,
            })),
          ]}
        />
        <TextInput
          label={filterTexts.uploadedBy}
          value={typed.maker ?? ""}
          onChange={({ currentTarget }) => put({ maker: currentTarget.value })}
        />
        <TextInput
          label={filterTexts.from}
          type="date"
          value={typed.from ?? ""}
          onChange={({ currentTarget }) => put({ from: currentTarget.value })}
        />
        <TextInput
          label={filterTexts.to}
          type="date"
          value={typed.to ?? ""}
          onChange={({ currentTarget }) => put({ to: currentTarget.value })}
        />
        <Button type="submit" variant="default">
          {filterTexts.find}
        </Button>
      </Group>
    </form>
  );
}

/** A batch to correct opens on the page of its file, where its uploader continues. */
const addressOfBatch = ({ batch_id, state }: Batch): string =>
  state === "needs_correction" ? `/batches/${batch_id}/file` : `/batches/${batch_id}`;

const COLUMNS: readonly Column<Batch>[] = [
  {
    key: "batch",
    header: texts.batch,
    names: true,
    cell: (batch) => (
      <>
        <PageLink to={addressOfBatch(batch)} row>
          <UserText text={batchName(batch)} />
        </PageLink>
        <Text size="xs" c="dimmed">
          {batch.batch_id}
          {[batch.name === null ? null : batch.file, batch.purpose].map((text, place) =>
            text === null ? null : (
              <Fragment key={place}>
                {" · "}
                <UserText text={text} />
              </Fragment>
            ),
          )}
        </Text>
      </>
    ),
  },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state, rejected, send, cancelling }) => (
      <BatchStateBadge state={state} rejected={rejected} send={send} cancelling={cancelling} />
    ),
  },
  {
    key: "rows",
    header: texts.rows,
    numeric: true,
    cell: ({ rows, rejected }) => (
      <>
        {rows.toLocaleString()}
        {rejected > 0 ? (
          <Text size="xs" c="dimmed">
            {texts.rejected(rejected)}
          </Text>
        ) : null}
      </>
    ),
  },
  {
    key: "total",
    header: texts.total,
    numeric: true,
    card: "amount",
    cell: ({ totals }) => (
      <AmountSummary of={totals} payouts={totals.reduce((sum, { payouts }) => sum + payouts, 0)} />
    ),
  },
  {
    key: "progress",
    header: texts.payouts,
    cell: ({ progress, send, file }) =>
      progress && !isScheduled(send) ? (
        <StateBar parts={partsOf(progress)} label={texts.payoutsOf(file)} />
      ) : (
        "–"
      ),
  },
  { key: "maker", header: texts.uploadedBy, cell: ({ maker }) => <UserText text={maker.name} /> },
  { key: "at", header: texts.uploadedAt, cell: ({ created_at }) => <Timestamp at={created_at} /> },
];

function partsOf(progress: NonNullable<Batch["progress"]>): { part: Part; count: number }[] {
  const counts = new Map<Part, number>();
  for (const { part, count } of progress) counts.set(part, (counts.get(part) ?? 0) + count);
  return [...counts].map(([part, count]) => ({ part, count }));
}
