import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
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
};

/** What is made again and again, what comes next, and what became of the last times. */
export function SchedulesPage() {
  const client = useQueryClient();
  const { data: answer, error, refetch } = useQuery(schedulesQuery);
  const { data: session } = useQuery(sessionQuery);
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
              actions={maySteer ? <Steer schedule={schedule} again={again} /> : null}
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

function Steer({ schedule, again }: { readonly schedule: Schedule; readonly again: () => void }) {
  const [asked, setAsked] = useState<"pause" | "resume" | "remove" | null>(null);
  const verbs = [schedule.state === "paused" ? "resume" : "pause", "remove"] as const;
  const missed = schedule.occurrences.filter(
    ({ state }) => state === "missed" || state === "failed",
  );
  return (
    <Group gap="xs">
      {missed.map(({ day }) => (
        <Decide key={day} id={schedule.id} day={day} again={again} />
      ))}
      {verbs.map((verb) => (
        <Button
          // One button pauses and resumes: the focus stays on it.
          key={verb === "remove" ? verb : "steer"}
          variant="default"
          size="xs"
          aria-label={`${VERBS[verb].word} ${schedule.name}`}
          onClick={() => setAsked(verb)}
        >
          {VERBS[verb].word}
        </Button>
      ))}
      {asked === null ? null : (
        <ConfirmInNumbers
          opened
          onClose={() => setAsked(null)}
          title={`${VERBS[asked].word} ${apart(schedule.name)}?`}
          sentence={VERBS[asked].sentence}
          verb={VERBS[asked].word}
          danger={asked === "remove"}
          asksReason
          onConfirm={async ({ reason }) => {
            const input = { params: { id: schedule.id }, body: { reason } };
            if (asked === "pause") await call("POST /api/schedules/:id/pause", input);
            else if (asked === "resume") await call("POST /api/schedules/:id/resume", input);
            else await call("POST /api/schedules/:id/remove", input);
            again();
          }}
        />
      )}
    </Group>
  );
}

const VERBS = {
  pause: { word: "Pause", sentence: "No batch is made until it is resumed." },
  resume: { word: "Resume", sentence: "It goes on. What was due meanwhile is left out." },
  remove: { word: "Remove", sentence: "No batch is made any more. Those that were made stay." },
} as const;

function Decide({
  id,
  day,
  again,
}: {
  readonly id: string;
  readonly day: string;
  readonly again: () => void;
}) {
  const [word, setWord] = useState<"make" | "skip" | null>(null);
  return (
    <>
      <Button size="xs" onClick={() => setWord("make")}>
        Make {day} all the same
      </Button>
      <Button size="xs" variant="default" onClick={() => setWord("skip")}>
        Leave {day} out
      </Button>
      {word === null ? null : (
        <ConfirmInNumbers
          opened
          onClose={() => setWord(null)}
          title={word === "make" ? `Make ${day} all the same?` : `Leave ${day} out?`}
          sentence={
            word === "make"
              ? "Its batch is made now and waits for approval."
              : "Nothing is made for this day."
          }
          verb={word === "make" ? "Make it" : "Leave it out"}
          asksReason
          onConfirm={async ({ reason }) => {
            const input = { params: { id, day }, body: { word, reason } };
            await call("POST /api/schedules/:id/occurrences/:day/decide", input);
            again();
          }}
        />
      )}
    </>
  );
}
