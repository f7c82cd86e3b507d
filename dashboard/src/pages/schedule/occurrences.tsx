import { Text } from "@mantine/core";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { localTimeText } from "../../base/dates.ts";
import { isolateDirection } from "../../base/text.ts";
import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.tsx";

const texts = messages.occurrences;

type Schedule = Answer<"GET /api/schedules">["items"][number];

type Occurrence = Schedule["occurrences"][number];

/** An occurrence of a schedule, with the cut-offs that it misses. */
interface Run extends Occurrence {
  readonly misses: readonly string[];
}

const NEXT_SHOWN = 3;

/** The next occurrences, earliest first, then the earlier ones, latest first. */
function runsOf({ next, occurrences }: Schedule): readonly Run[] {
  const upcoming = next.slice(0, NEXT_SHOWN).map((each) => ({
    ...(occurrences.find(({ at }) => at === each.at) ?? { ...UNSTORED, day: each.at }),
    ...each,
  }));
  const shown = new Set(upcoming.map(({ at }) => at));
  const earlier = occurrences.filter(({ at }) => !shown.has(at));
  return [...upcoming, ...earlier.map((each) => ({ ...each, misses: [] }))];
}

/** An occurrence that follows from the rule and is not in the ledger yet. */
const UNSTORED = { state: "planned", batch_id: null, why: null, amounts: null } as const;

const COLUMNS: readonly Column<Run>[] = [
  {
    key: "time",
    header: texts.time,
    names: true,
    cell: ({ says }) => localTimeText(says),
  },
  {
    key: "state",
    header: texts.state,
    card: "state",
    cell: ({ state }) => texts.states[state],
  },
  {
    key: "batch",
    header: texts.batch,
    cell: ({ batch_id }) =>
      batch_id === null ? "–" : <PageLink to={`/batches/${batch_id}`}>{batch_id}</PageLink>,
  },
  {
    key: "note",
    header: texts.note,
    cell: ({ why, misses }) =>
      why ?? (misses.length === 0 ? "" : misses.map(messages.next.miss).join(" ")),
  },
];

/** The occurrences of a schedule, each with its state and its batch. */
export const Occurrences = ({ of }: { readonly of: Schedule }) => (
  <DataTable
    caption={texts.caption(isolateDirection(of.name))}
    hideCaption
    columns={COLUMNS}
    rows={runsOf(of)}
    rowKey={({ day }) => day}
    empty={<Text size="sm">{texts.empty}</Text>}
  />
);
