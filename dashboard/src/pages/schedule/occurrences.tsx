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

/**
 * The occurrences with a batch, a decision or a problem, latest first. The coming ones without are
 * listed in one line above.
 */
const runsOf = ({ next, occurrences }: Schedule): readonly Run[] =>
  occurrences
    .filter(({ state, why }) => state !== "planned" || why !== null)
    .map((each) => ({ ...each, misses: next.find(({ at }) => at === each.at)?.misses ?? [] }));

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
    cell: ({ state, needs_duplicate_reason: isBlocked }) =>
      isBlocked ? texts.blocked : texts.states[state],
  },
  {
    key: "batch",
    header: texts.batch,
    cell: ({ batch_id, needs_duplicate_reason: isBlocked }) =>
      batch_id === null ? (
        "–"
      ) : (
        <PageLink to={`/batches/${batch_id}${isBlocked ? "/approval" : ""}`}>{batch_id}</PageLink>
      ),
  },
  {
    key: "note",
    header: texts.note,
    cell: ({ why, misses, needs_duplicate_reason: isBlocked }) =>
      isBlocked
        ? texts.duplicates
        : (why ?? (misses.length === 0 ? "" : misses.map(messages.next.miss).join(" "))),
  },
];

/** The occurrences of a schedule that have a batch or a state of their own. Null: none has. */
export const Occurrences = ({ of }: { readonly of: Schedule }) => (
  <DataTable
    caption={texts.caption(isolateDirection(of.name))}
    hideCaption
    columns={COLUMNS}
    rows={runsOf(of)}
    rowKey={({ day }) => day}
    empty={null}
  />
);
