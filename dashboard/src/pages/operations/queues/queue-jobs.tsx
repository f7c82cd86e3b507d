import { NativeSelect, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useIsPhone } from "../../../base/use-is-phone.ts";
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
const LISTED_STATES = ["waiting", "active", "delayed"] as const;
/** A queue removes a job when it ends, and counts it. */
const ENDED_STATES = ["finished", "failed"] as const;
type EndedState = (typeof ENDED_STATES)[number];
const STATES = [...LISTED_STATES, ...ENDED_STATES];
type JobState = (typeof STATES)[number];

const isEnded = (state: JobState): state is EndedState =>
  ENDED_STATES.some((each) => each === state);

const REFRESH_MS = 5_000;
const HISTORY_REFRESH_MS = 15_000;
/** The server lists at most this many jobs. */
const LISTED = 50;

/** The jobs of one queue, by state. */
export function QueueJobs({ queues }: { readonly queues: readonly Queue[] }) {
  const [name, setName] = useState<QueueName>("payrun-submit");
  const [state, setState] = useState<JobState>("waiting");
  const ended = useEndedJobs(name);
  const counts = { ...queues.find((queue) => queue.name === name), ...ended };
  const isPhone = useIsPhone();
  const labels = STATES.map((value) => ({ value, label: texts.states(value, counts?.[value]) }));
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
          {/* The segments are wider than a phone. */}
          {isPhone ? (
            <NativeSelect
              size="xs"
              aria-label={texts.state}
              data={labels}
              value={state}
              onChange={({ currentTarget: { value } }) =>
                setState(STATES.find((each) => each === value) ?? "waiting")
              }
            />
          ) : (
            <SegmentedControl
              size="xs"
              aria-label={texts.state}
              data={labels}
              value={state}
              onChange={setState}
            />
          )}
        </div>
      }
    >
      {isEnded(state) ? (
        <Text size="sm">{texts.ended[state](ended[state])}</Text>
      ) : (
        <ListedJobs name={name} state={state} />
      )}
    </Section>
  );
}

/** The jobs that ended in the last 24 hours. Zero while they load. */
function useEndedJobs(name: QueueName): Readonly<Record<EndedState, number>> {
  const { data } = useQuery({
    queryKey: ["GET /api/operations/queue-history", "24"],
    queryFn: ({ signal }) =>
      call("GET /api/operations/queue-history", { query: { hours: 24 }, signal }),
    refetchInterval: HISTORY_REFRESH_MS,
  });
  const known = data?.items.find((each) => each.name === name);
  const sumOf = (counts: readonly number[] = []): number =>
    counts.reduce((sum, count) => sum + count, 0);
  return { finished: sumOf(known?.finished), failed: sumOf(known?.failed) };
}

function ListedJobs({
  name,
  state,
}: {
  readonly name: QueueName;
  readonly state: (typeof LISTED_STATES)[number];
}) {
  const { data, error } = useQuery({
    queryKey: ["GET /api/operations/queues/:name/jobs", name, state],
    queryFn: ({ signal }) =>
      call("GET /api/operations/queues/:name/jobs", { params: { name }, query: { state }, signal }),
    refetchInterval: REFRESH_MS,
  });
  if (error) return <ErrorState error={error} />;
  return data ? <JobTable items={data.items} /> : <Loading lines={2} />;
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
