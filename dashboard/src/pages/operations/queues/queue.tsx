import { Anchor, SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../../server/client.ts";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { FactList } from "../../../components/fact-list.tsx";
import { Section } from "../../../components/section.tsx";
import { useNow } from "../../../components/timestamp.tsx";
import { useMay } from "../../../server/session.ts";
import classes from "../shared/operations.module.css";
import { ageText, countText, type OperationsView } from "../shared/operations-view.ts";
import { messages as texts } from "./queue-messages.ts";
import { Sparkline } from "../shared/sparkline.tsx";

type Queue = NonNullable<OperationsView["queue"]["queues"]>[number];
type History = Answer<"GET /api/operations/queue-history">["items"][number];

const RANGES = Object.entries(texts.ranges).map(([value, label]) => ({ value, label }));
const REFRESH_MS = 15_000;

/** The job queues and the database. Losing jobs costs time only: the sweep finds their work. */
export function QueueSection({
  queue,
  ledger,
}: {
  readonly queue: OperationsView["queue"];
  readonly ledger: OperationsView["ledger"];
}) {
  const nowMs = useNow();
  const [hours, setHours] = useState("1");
  const { data: history } = useQuery({
    queryKey: ["GET /api/operations/queue-history", hours],
    queryFn: ({ signal }) =>
      call("GET /api/operations/queue-history", { query: { hours: Number(hours) }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
  const mayOperate = useMay("operate");
  return (
    <Section
      title={texts.title}
      actions={
        <div className={classes.buttons}>
          {mayOperate ? (
            <Anchor href="/api/board" size="sm">
              {texts.board}
            </Anchor>
          ) : null}
          <SegmentedControl
            size="xs"
            aria-label={texts.range}
            data={RANGES}
            value={hours}
            onChange={setHours}
          />
        </div>
      }
    >
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={columnsOf(nowMs, history?.items ?? [])}
        rows={queue.queues ?? []}
        rowKey={({ name }) => name}
        empty={<EmptyState text={texts.empty} />}
      />
      <FactList
        facts={[
          [texts.engine, queueText(queue)],
          [texts.database, texts.postgres(ledger.database_version, ledger.is_durable)],
          [texts.ledger, texts.epoch(ledger.epoch, ledger.is_frozen)],
        ]}
      />
      <Text size="xs" c="dimmed">
        {texts.note}
      </Text>
    </Section>
  );
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

function columnsOf(nowMs: number, history: readonly History[]): readonly Column<Queue>[] {
  const historyOf = (queue: Queue) => history.find(({ name }) => name === queue.name);
  const total = (queue: Queue, kind: "finished" | "failed") => {
    const known = historyOf(queue);
    return known ? countText(sumOf(known[kind])) : "–";
  };
  return [
    {
      key: "name",
      header: texts.queueName,
      names: true,
      cell: ({ name }) => texts.names[name] ?? name,
    },
    {
      key: "waiting",
      header: texts.waiting,
      numeric: true,
      cell: ({ waiting }) => countText(waiting),
    },
    {
      key: "active",
      header: texts.running,
      numeric: true,
      cell: ({ active }) => countText(active),
    },
    {
      key: "delayed",
      header: texts.delayed,
      numeric: true,
      cell: ({ delayed }) => countText(delayed),
    },
    {
      key: "oldest",
      header: texts.oldest,
      numeric: true,
      cell: ({ oldest_at }) => (oldest_at ? ageText(oldest_at, nowMs) : "–"),
    },
    {
      key: "finished",
      header: texts.finished,
      numeric: true,
      cell: (queue) => total(queue, "finished"),
    },
    { key: "failed", header: texts.failed, numeric: true, cell: (queue) => total(queue, "failed") },
    {
      key: "throughput",
      header: texts.throughput,
      isBlank: (queue) => !historyOf(queue),
      cell: (queue) => {
        const values = historyOf(queue)?.finished ?? [];
        const name = texts.names[queue.name] ?? queue.name;
        return (
          <Sparkline values={values} label={texts.throughputOf(name, Math.max(0, ...values))} />
        );
      },
    },
  ];
}

const MEGABYTE = 1_048_576;

function queueText({ engine, redis }: OperationsView["queue"]): string {
  if (engine === "postgres") return texts.inPostgres;
  if (!redis) return texts.redisUnreachable;
  const memory = texts.used(
    (redis.used_bytes / MEGABYTE).toFixed(1),
    redis.max_bytes === 0 ? null : Math.round(redis.max_bytes / MEGABYTE),
  );
  return texts.redis(redis.version, memory, redis.policy, redis.append_only);
}
