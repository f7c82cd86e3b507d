import { Anchor, Text } from "@mantine/core";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Section } from "../../components/section.tsx";
import { useNow } from "../../components/when.tsx";
import { useMay } from "../../session.ts";
import classes from "./operations.module.css";
import { ageText, countText, type Seen } from "./seen.ts";

type Queue = NonNullable<Seen["queue"]["queues"]>[number];

const NAMES: Readonly<Record<string, string>> = {
  "payrun-submit": "send",
  "payrun-resolve": "ask",
  "payrun-callback": "follow a callback",
  "payrun-deposit": "follow a deposit",
};

const columnsAt = (nowMs: number): readonly Column<Queue>[] => [
  { key: "name", header: "Jobs to", names: true, cell: ({ name }) => NAMES[name] ?? name },
  { key: "waiting", header: "Waiting", numeric: true, cell: ({ waiting }) => countText(waiting) },
  { key: "active", header: "Running", numeric: true, cell: ({ active }) => countText(active) },
  {
    key: "delayed",
    header: "Back in line",
    numeric: true,
    cell: ({ delayed }) => countText(delayed),
  },
  {
    key: "oldest",
    header: "Oldest waits",
    numeric: true,
    cell: ({ oldest_at }) => (oldest_at ? ageText(oldest_at, nowMs) : "–"),
  },
];

/** Where jobs wait, and the database below. A job is only a hint: losing all of them costs a second. */
export function QueueSection({
  queue,
  ledger,
}: {
  readonly queue: Seen["queue"];
  readonly ledger: Seen["ledger"];
}) {
  const nowMs = useNow();
  const mayOperate = useMay("operate");
  return (
    <Section
      title="Queue and database"
      actions={
        mayOperate ? (
          <Anchor href="/api/board" size="sm">
            Queue board (read-only)
          </Anchor>
        ) : null
      }
    >
      <DataTable
        caption="Queues"
        hideCaption
        columns={columnsAt(nowMs)}
        rows={queue.queues ?? []}
        rowKey={({ name }) => name}
        empty={
          <EmptyState text="The queue cannot be asked. Nothing is lost: the ledger knows all the work." />
        }
      />
      <dl className={classes.facts}>
        <div>
          <dt>Queue</dt>
          <dd>{queueText(queue)}</dd>
        </div>
        <div>
          <dt>Database</dt>
          <dd>
            PostgreSQL {ledger.database_version},{" "}
            {ledger.is_durable ? "commits survive a power loss" : "COMMITS MAY BE LOST"}
          </dd>
        </div>
        <div>
          <dt>Ledger</dt>
          <dd>
            epoch {ledger.epoch}, {ledger.is_frozen ? "frozen: nothing is sent" : "may send"}
          </dd>
        </div>
      </dl>
      <Text size="xs" c="dimmed">
        A job carries no payout. Emptying or losing the queue sends nothing twice and loses nothing.
      </Text>
    </Section>
  );
}

const MEGABYTE = 1_048_576;

function queueText({ engine, redis }: Seen["queue"]): string {
  if (engine === "postgres") return "in PostgreSQL, beside the ledger";
  if (!redis) return "Redis, which cannot be asked";
  const used = `${(redis.used_bytes / MEGABYTE).toFixed(1)} MB used`;
  const limit =
    redis.max_bytes === 0 ? "no limit" : `of ${Math.round(redis.max_bytes / MEGABYTE)} MB`;
  return `Redis ${redis.version}, ${used}, ${limit}, ${redis.policy}${redis.append_only ? ", append-only file" : ""}`;
}
