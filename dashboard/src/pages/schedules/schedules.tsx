import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { type Answer, call } from "../../client.ts";
import { ConfirmInNumbers } from "../../components/confirm-in-numbers.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Go } from "../../components/go.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { sessionQuery } from "../../session.ts";
import { apart } from "../../words.ts";
import { MonthOf } from "./month.tsx";
import { NewSchedule } from "./new-schedule.tsx";
import { Next } from "./next.tsx";

type Schedule = Answer<"GET /api/schedules">["items"][number];
type Occurrence = Schedule["occurrences"][number];

const schedulesQuery = {
  queryKey: ["GET /api/schedules"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call("GET /api/schedules", { signal }),
  // What is made, missed and decided meanwhile.
  refetchInterval: 15_000,
};

/** What is made again and again, what comes next, and what became of the last times. */
export function SchedulesPage() {
  const client = useQueryClient();
  const { data: answer, error, refetch } = useQuery(schedulesQuery);
  const { data: session } = useQuery(sessionQuery);
  const [wish, setWish] = useState<Wish | null>(null);
  const again = () => void client.invalidateQueries(schedulesQuery);
  const mayMake = session?.person?.permissions.includes("upload") ?? false;
  const maySteer = session?.person?.permissions.includes("operate") ?? false;
  return (
    <Page title="Schedules">
      {error && !answer ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {answer ? (
        <>
          <MonthOf />
          {answer.items.length === 0 ? <EmptyState text="Nothing is made by a schedule." /> : null}
          {answer.items.map((schedule) => (
            <Section
              key={schedule.id}
              title={apart(schedule.name)}
              actions={maySteer ? <Buttons schedule={schedule} ask={setWish} /> : null}
            >
              <Text size="sm">
                {schedule.says} <From of={schedule} />
                {schedule.state === "paused" ? ` Paused: ${schedule.reason ?? ""}` : ""}
              </Text>
              <Next of={schedule.next} />
              <DataTable
                caption={`What became of ${apart(schedule.name)}`}
                columns={COLUMNS}
                rows={schedule.occurrences}
                rowKey={({ day }) => day}
                empty={<Text size="sm">Nothing yet.</Text>}
              />
            </Section>
          ))}
          {mayMake ? <NewSchedule again={again} /> : null}
          {wish ? (
            <Asked
              wish={wish}
              schedules={answer.items}
              again={again}
              onClose={() => setWish(null)}
            />
          ) : null}
        </>
      ) : error ? null : (
        <Loading />
      )}
    </Page>
  );
}

const From = ({ of: { list, folder } }: { readonly of: Schedule }) =>
  list === null ? (
    <>Out of the file that arrives in the folder {folder}.</>
  ) : (
    <>
      Rows of <Go to={`/batches/${list}`}>{list}</Go>.
    </>
  );

// biome-ignore format: the columns are the point
const WORDS: Readonly<Record<Occurrence["state"], string>> = {
  planned: "to come",
  due:     "its batch is to be made",
  made:    "made",
  missed:  "missed: nothing was made",
  failed:  "failed: nothing was made",
  skipped: "left out",
};

const COLUMNS: readonly Column<Occurrence>[] = [
  { key: "time", header: "Time", names: true, cell: ({ says }) => says },
  { key: "state", header: "What became of it", cell: ({ state }) => WORDS[state] },
  {
    key: "batch",
    header: "Batch",
    cell: ({ batch_id }) =>
      batch_id === null ? "–" : <Go to={`/batches/${batch_id}`}>{batch_id}</Go>,
  },
  { key: "why", header: "Why", cell: ({ why }) => why ?? "" },
];

type Steering = "pause" | "resume" | "remove";

/** What somebody is about to do to a schedule, or to one day of it. */
interface Wish {
  readonly verb: Steering | "make" | "skip";
  readonly schedule: Schedule;
  readonly day: string;
}

const isMissed = ({ state }: Occurrence): boolean => state === "missed" || state === "failed";

function Buttons({
  schedule,
  ask,
}: {
  readonly schedule: Schedule;
  readonly ask: (wish: Wish) => void;
}) {
  const verbs = [schedule.state === "paused" ? "resume" : "pause", "remove"] as const;
  return (
    <Group gap="xs">
      {schedule.occurrences.filter(isMissed).map(({ day }) => (
        <Fragment key={day}>
          <Button size="xs" onClick={() => ask({ verb: "make", schedule, day })}>
            Make {day} all the same
          </Button>
          <Button size="xs" variant="default" onClick={() => ask({ verb: "skip", schedule, day })}>
            Leave {day} out
          </Button>
        </Fragment>
      ))}
      {verbs.map((verb) => (
        <Button
          // One button pauses and resumes: the focus stays on it.
          key={verb === "remove" ? verb : "steer"}
          variant="default"
          size="xs"
          aria-label={`${VERBS[verb].word} ${schedule.name}`}
          onClick={() => ask({ verb, schedule, day: "" })}
        >
          {VERBS[verb].word}
        </Button>
      ))}
    </Group>
  );
}

// biome-ignore format: the columns are the point
const VERBS = {
  pause:  { word: "Pause",        sentence: "No batch is made until it is resumed." },
  resume: { word: "Resume",       sentence: "It goes on. What was due meanwhile is left out." },
  remove: { word: "Remove",       sentence: "No batch is made any more. Those that were made stay." },
  make:   { word: "Make it",      sentence: "Its batch is made now and waits for approval." },
  skip:   { word: "Leave it out", sentence: "Nothing is made for this day." },
} as const;

/** The last word before it is done. It stands on the page, not in the schedule: that one may be gone meanwhile. */
function Asked({
  wish,
  schedules,
  again,
  onClose,
}: {
  readonly wish: Wish;
  /** As they are now. */
  readonly schedules: readonly Schedule[];
  readonly again: () => void;
  readonly onClose: () => void;
}) {
  const { verb, schedule, day } = wish;
  const name = apart(schedule.name);
  const titles = { make: `Make ${day} all the same?`, skip: `Leave ${day} out?` };
  return (
    <ConfirmInNumbers
      opened
      onClose={onClose}
      title={verb === "make" || verb === "skip" ? titles[verb] : `${VERBS[verb].word} ${name}?`}
      sentence={VERBS[verb].sentence}
      verb={VERBS[verb].word}
      danger={verb === "remove"}
      asksReason
      passed={passedOf(wish, schedules)}
      onConfirm={async ({ reason }) => {
        const { id } = schedule;
        if (verb === "make" || verb === "skip") {
          const input = { params: { id, day }, body: { word: verb, reason } };
          await call("POST /api/schedules/:id/occurrences/:day/decide", input);
        } else await call(`POST /api/schedules/:id/${verb}`, { params: { id }, body: { reason } });
        again();
      }}
    />
  );
}

/** Why it cannot be done any more; null: it can. */
function passedOf({ verb, schedule, day }: Wish, schedules: readonly Schedule[]): string | null {
  const now = schedules.find(({ id }) => id === schedule.id);
  if (!now) return "Somebody has removed it.";
  if (verb === "pause") return now.state === "paused" ? "It is paused already." : null;
  if (verb === "resume") return now.state === "paused" ? null : "It is not paused any more.";
  if (verb === "remove") return null;
  const occurrence = now.occurrences.find((each) => each.day === day);
  return occurrence && isMissed(occurrence) ? null : "Somebody has decided about this day.";
}
