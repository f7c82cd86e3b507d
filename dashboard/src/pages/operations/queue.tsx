import { Anchor, Text } from "@mantine/core";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Section } from "../../components/section.tsx";
import { useNow } from "../../components/timestamp.tsx";
import { useMay } from "../../server/session.ts";
import { messages } from "./messages.ts";
import classes from "./operations.module.css";
import { ageText, countText, type OperationsView } from "./operations-view.ts";

type Queue = NonNullable<OperationsView["queue"]["queues"]>[number];

const texts = messages.queue;

const columnsAt = (nowMs: number): readonly Column<Queue>[] => [
  { key: "name", header: texts.jobs, names: true, cell: ({ name }) => texts.names[name] ?? name },
  {
    key: "waiting",
    header: texts.waiting,
    numeric: true,
    cell: ({ waiting }) => countText(waiting),
  },
  { key: "active", header: texts.running, numeric: true, cell: ({ active }) => countText(active) },
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
];

/** The job queues and the database. Losing jobs costs time only: the sweep finds their work. */
export function QueueSection({
  queue,
  ledger,
}: {
  readonly queue: OperationsView["queue"];
  readonly ledger: OperationsView["ledger"];
}) {
  const nowMs = useNow();
  const mayOperate = useMay("operate");
  return (
    <Section
      title={texts.title}
      actions={
        mayOperate ? (
          <Anchor href="/api/board" size="sm">
            {texts.board}
          </Anchor>
        ) : null
      }
    >
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={columnsAt(nowMs)}
        rows={queue.queues ?? []}
        rowKey={({ name }) => name}
        empty={<EmptyState text={texts.empty} />}
      />
      <dl className={classes.facts}>
        <div>
          <dt>{texts.queue}</dt>
          <dd>{queueText(queue)}</dd>
        </div>
        <div>
          <dt>{texts.database}</dt>
          <dd>{texts.postgres(ledger.database_version, ledger.is_durable)}</dd>
        </div>
        <div>
          <dt>{texts.ledger}</dt>
          <dd>{texts.epoch(ledger.epoch, ledger.is_frozen)}</dd>
        </div>
      </dl>
      <Text size="xs" c="dimmed">
        {texts.note}
      </Text>
    </Section>
  );
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
