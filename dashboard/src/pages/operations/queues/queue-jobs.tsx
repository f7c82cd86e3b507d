import { NativeSelect, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { ErrorState } from "../../../components/error-state.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Section } from "../../../components/section.tsx";
import { Timestamp } from "../../../components/timestamp.tsx";
import classes from "../shared/operations.module.css";
import type { OperationsView } from "../shared/operations-view.ts";
import { messages } from "./queue-messages.ts";

const texts = messages.jobs;

type Queue = NonNullable<OperationsView["queue"]["queues"]>[number];
type Job = NonNullable<Answer<"GET /api/operations/queues/:name/jobs">["items"]>[number];

const NAMES = ["payrun-submit", "payrun-resolve", "payrun-callback", "payrun-deposit"] as const;
type QueueName = (typeof NAMES)[number];
const STATES = ["waiting", "active", "delayed"] as const;
type JobState = (typeof STATES)[number];

const REFRESH_MS = 5_000;
/** The server lists at most this many jobs. */
const LISTED = 50;

/** The jobs of one queue, by state. */
export function QueueJobs({ queues }: { readonly queues: readonly Queue[] }) {
  const [name, setName] = useState<QueueName>("payrun-submit");
  const [state, setState] = useState<JobState>("waiting");
  const { data, error } = useQuery({
    queryKey: ["GET /api/operations/queues/:name/jobs", name, state],
    queryFn: ({ signal }) =>
      call("GET /api/operations/queues/:name/jobs", { params: { name }, query: { state }, signal }),
    refetchInterval: REFRESH_MS,
  });
  const counts = queues.find((queue) => queue.name === name);
  return (
    <Section
      title={texts.title}
      actions={
        <div className={classes.buttons}>
          <NativeSelect
            size="xs"
            aria-label={texts.queue}
            data={NAMES.map((value) => ({ value, label: messages.names[value] ?? value }))}
            value={name}
            onChange={({ currentTarget: { value } }) =>
              setName(NAMES.find((each) => each === value) ?? "payrun-submit")
            }
          />
          <SegmentedControl
            size="xs"
            aria-label={texts.state}
            data={STATES.map((value) => ({ value, label: texts.states(value, counts?.[value]) }))}
            value={state}
            onChange={setState}
          />
        </div>
      }
    >
      {error ? <ErrorState error={error} /> : null}
      {data ? <JobTable items={data.items} /> : error ? null : <Loading lines={2} />}
    </Section>
  );
}

function JobTable({ items }: { readonly items: readonly Job[] | null }) {
  if (items === null) return <EmptyState text={messages.unreachable} />;
  return (
    <>
      <DataTable
        caption={texts.title}
        hideCaption
        columns={COLUMNS}
        rows={items}
        rowKey={({ id }) => id}
        empty={
          <Text size="sm" c="dimmed">
            {texts.empty}
          </Text>
        }
      />
      {items.length === LISTED ? (
        <Text size="xs" c="dimmed">
          {texts.first(LISTED)}
        </Text>
      ) : null}
    </>
  );
}

const COLUMNS: readonly Column<Job>[] = [
  {
    key: "payload",
    header: texts.payload,
    names: true,
    cell: ({ payload }) =>
      Object.entries(payload)
        .map(([key, value]) => texts.value(key, value))
        .join(", "),
  },
  { key: "added", header: texts.added, cell: ({ added_at }) => <Timestamp at={added_at} /> },
  {
    key: "due",
    header: texts.due,
    isBlank: ({ due_at }) => due_at === null,
    cell: ({ due_at }) => (due_at === null ? texts.now : <Timestamp at={due_at} />),
  },
];
