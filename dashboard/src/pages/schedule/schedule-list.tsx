import { Anchor, Button } from "@mantine/core";
import { AmountSummary } from "../../components/amount-summary.tsx";
import type { ListColumn } from "../../components/list-table/list-column.ts";
import { ListTable } from "../../components/list-table/list-table.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { UserText } from "../../components/user-text.tsx";
import { localTimeText, weekdayText } from "../../base/dates.ts";
import { isolateDirection } from "../../base/text.ts";
import type { Tone } from "../../base/state.ts";
import type { Answer } from "../../server/client.ts";
import { messages } from "./messages.tsx";
import classes from "./schedule-list.module.css";

const texts = messages.list;
const actions = messages.actions;

type Schedule = Answer<"GET /api/schedules">["items"][number];

interface ScheduleListProps {
  readonly schedules: readonly Schedule[];
  /** The schedule whose details are shown. */
  readonly shown: Schedule | undefined;
  readonly onShow: (schedule: Schedule) => void;
  readonly mayEdit: (schedule: Schedule) => boolean;
  readonly onEdit: (schedule: Schedule) => void;
  /** Null: the reader may not decide about missed days. */
  readonly onDecideAll: ((schedule: Schedule) => void) | null;
}

/** The table of all schedules. Its action is the decision that is needed, or the edit. */
export const ScheduleList = (props: ScheduleListProps) => (
  <ListTable
    id="schedules"
    caption={messages.title}
    columns={columnsOf(props)}
    rows={props.schedules}
    rowKey={({ id }) => id}
    filters=""
    toolbar={<strong>{texts.count(props.schedules.length)}</strong>}
    more={null}
    empty={null}
  />
);

/** The columns without a button. */
const FACT_COLUMNS: readonly ListColumn<Schedule>[] = [
  {
    key: "next",
    header: texts.next,
    width: 210,
    cell: ({ next: [first] }) => (first === undefined ? "–" : localTimeText(first.says)),
  },
  {
    key: "last",
    header: texts.last,
    width: 190,
    cell: (schedule) => <LastRun of={lastRunOf(schedule)} />,
  },
  {
    key: "pays",
    header: texts.pays,
    numeric: true,
    card: "amount",
    width: 190,
    cell: ({ list_batch: batch }) =>
      batch === null ? (
        texts.folder
      ) : (
        <>
          <AmountSummary of={batch.totals} />
          <span className={classes.second}>{messages.facts.payouts(batch.payouts)}</span>
        </>
      ),
  },
  { key: "state", header: texts.state, card: "state", width: 140, cell: stateOf },
];

const columnsOf = ({
  shown,
  onShow,
  mayEdit,
  onEdit,
  onDecideAll,
}: ScheduleListProps): readonly ListColumn<Schedule>[] => [
  {
    key: "name",
    header: texts.name,
    names: true,
    card: "title",
    isFixed: true,
    width: 220,
    cell: (schedule) => (
      <Anchor
        component="button"
        type="button"
        className={classes.name}
        aria-pressed={schedule.id === shown?.id}
        onClick={() => onShow(schedule)}
      >
        <UserText text={schedule.name} />
      </Anchor>
    ),
  },
  ...FACT_COLUMNS,
  {
    key: "action",
    header: texts.action,
    card: "action",
    width: 160,
    cell: (schedule) =>
      onDecideAll && decidesAll(schedule) ? (
        <Button size="xs" onClick={() => onDecideAll(schedule)}>
          {actions.decideAll(schedule.undecided.length)}
        </Button>
      ) : mayEdit(schedule) ? (
        <Button
          size="xs"
          variant="default"
          aria-label={actions.of(actions.verbs.edit, isolateDirection(schedule.name))}
          onClick={() => onEdit(schedule)}
        >
          {actions.verbs.edit}
        </Button>
      ) : null,
  },
];

/** Whether several days need a decision, which one dialog records. */
const decidesAll = ({ undecided }: Schedule): boolean => undecided.length > 1;

/** The latest occurrence with a batch, a decision or a problem. */
const lastRunOf = ({ occurrences }: Schedule) =>
  occurrences.find(({ state }) => state !== "planned");

/** Whether a batch of the schedule waits for the reason of its exact duplicates. */
export const isBlocked = ({ occurrences }: Schedule): boolean =>
  occurrences.some((each) => each.needs_duplicate_reason);

function LastRun({ of }: { readonly of: Schedule["occurrences"][number] | undefined }) {
  if (of === undefined) return texts.never;
  const { batch_id: batch, needs_duplicate_reason: blocked, day, state } = of;
  const result = blocked ? messages.occurrences.blocked : messages.month.states[state];
  return (
    <>
      {weekdayText(day)}
      <span className={classes.second}>
        {batch === null ? (
          result
        ) : (
          <PageLink to={`/batches/${batch}${blocked ? "/approval" : ""}`}>{result}</PageLink>
        )}
      </span>
    </>
  );
}

/** The state of a schedule: first what needs somebody. */
function stateOf(schedule: Schedule) {
  const [tone, text]: readonly [Tone, string] =
    schedule.undecided.length > 0
      ? ["declined", texts.states.undecided]
      : schedule.state === "paused"
        ? ["hold", texts.states.paused]
        : isBlocked(schedule)
          ? ["awaiting", texts.states.blocked]
          : ["settled", texts.states.active];
  return (
    <span className={classes.state} data-tone={tone}>
      {text}
    </span>
  );
}
