import { CircleCheck, CircleX } from "lucide-react";
import { type Column, DataTable } from "../../../components/data-table.tsx";
import { EmptyState } from "../../../components/empty-state.tsx";
import { Section } from "../../../components/section.tsx";
import { useNow, Timestamp } from "../../../components/timestamp.tsx";
import { messages } from "../shared/messages.ts";
import classes from "../shared/operations.module.css";
import { ageText, type OperationsView } from "../shared/operations-view.ts";

const texts = messages.processes;

type Worker = OperationsView["workers"][number];

const columnsAt = (
  nowMs: number,
  nameOf: (worker: Worker) => string,
): readonly Column<Worker>[] => [
  {
    key: "id",
    header: texts.process,
    names: true,
    cell: (worker) => (
      <span className={classes.lane} title={texts.processId(worker.pid)}>
        {nameOf(worker)}
      </span>
    ),
  },
  { key: "host", header: texts.host, cell: ({ host }) => host },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ is_alive, seen_at }) => (
      <span className={classes.state} data-tone={is_alive ? "settled" : "declined"}>
        {is_alive ? <CircleCheck size={14} aria-hidden /> : <CircleX size={14} aria-hidden />}
        {is_alive ? texts.alive : texts.silent(ageText(seen_at, nowMs))}
      </span>
    ),
  },
  {
    key: "works",
    header: texts.tasks,
    isMinor: true,
    cell: ({ works }) => (works ? texts.works : texts.servesOnly),
  },
  {
    key: "in_flight",
    header: texts.requests,
    numeric: true,
    cell: ({ in_flight, slots }) => texts.requestsOf(in_flight, slots),
  },
  {
    key: "swept",
    header: texts.lastSweep,
    cell: ({ swept_at }) => (swept_at ? texts.ago(ageText(swept_at, nowMs)) : "–"),
  },
  {
    key: "version",
    header: texts.version,
    cell: ({ version, is_current }) => (is_current ? version : texts.otherVersion(version)),
  },
  {
    key: "started",
    header: texts.started,
    cell: ({ started_at }) => <Timestamp at={started_at} />,
  },
];

/** Names the processes by their work, and numbers those with the same work from the oldest. */
function namesOf(
  workers: readonly Pick<Worker, "id" | "works" | "started_at">[],
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const works of [true, false]) {
    const same = workers
      .filter((each) => each.works === works)
      .toSorted((one, other) => (one.started_at < other.started_at ? -1 : 1));
    for (const [place, { id }] of same.entries())
      names.set(id, texts.name(works, same.length > 1 ? place + 1 : null));
  }
  return names;
}

/**
 * The processes that use the ledger, from their own reports. A silent process has died or hangs.
 */
export function Processes({ workers }: { readonly workers: readonly Worker[] }) {
  const nowMs = useNow();
  const names = namesOf(workers);
  return (
    <Section title={texts.title}>
      <DataTable
        caption={texts.caption}
        hideCaption
        columns={columnsAt(nowMs, ({ id }) => names.get(id) ?? "")}
        rows={workers}
        rowKey={({ id }) => id}
        empty={<EmptyState text={texts.empty} />}
      />
    </Section>
  );
}
