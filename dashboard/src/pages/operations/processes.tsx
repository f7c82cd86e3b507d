import { CircleCheck, CircleX } from "lucide-react";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Section } from "../../components/section.tsx";
import { useNow, When } from "../../components/when.tsx";
import classes from "./operations.module.css";
import { ageText, type Seen } from "./seen.ts";

type Worker = Seen["workers"][number];

const columnsAt = (nowMs: number): readonly Column<Worker>[] => [
  {
    key: "id",
    header: "Process",
    names: true,
    cell: ({ host, pid }) => <span className={classes.lane}>{`${host}, process ${pid}`}</span>,
  },
  {
    key: "state",
    header: "State",
    cell: ({ is_alive, seen_at }) => (
      <span className={classes.state} data-tone={is_alive ? "good" : "bad"}>
        {is_alive ? <CircleCheck size={14} aria-hidden /> : <CircleX size={14} aria-hidden />}
        {is_alive ? "alive" : `no word for ${ageText(seen_at, nowMs)}`}
      </span>
    ),
  },
  {
    key: "works",
    header: "Does",
    cell: ({ works }) => (works ? "sends and asks" : "pages alone"),
  },
  {
    key: "in_flight",
    header: "On the wire",
    numeric: true,
    cell: ({ in_flight, slots }) => `${in_flight} of ${slots}`,
  },
  {
    key: "swept",
    header: "Last sweep",
    cell: ({ swept_at }) => (swept_at ? `${ageText(swept_at, nowMs)} ago` : "–"),
  },
  {
    key: "version",
    header: "Version",
    cell: ({ version, is_current }) => (is_current ? version : `${version} (not this one)`),
  },
  { key: "started", header: "Started", cell: ({ started_at }) => <When at={started_at} /> },
];

/** The processes that work, as they tell of themselves; one that is silent has died or is frozen. */
export function Processes({ workers }: { readonly workers: readonly Worker[] }) {
  const nowMs = useNow();
  return (
    <Section title="Processes">
      <DataTable
        caption="Processes that work on this ledger"
        hideCaption
        columns={columnsAt(nowMs)}
        rows={workers}
        rowKey={({ id }) => id}
        empty={<EmptyState text="No process has reported itself. Start one: payrun worker" />}
      />
    </Section>
  );
}
