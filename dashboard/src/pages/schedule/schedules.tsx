import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Fragment, lazy, Suspense, useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Page } from "../../components/page.tsx";
import { Section } from "../../components/section.tsx";
import { sessionQuery } from "../../server/session.ts";
import { weekdayText } from "../../base/dates.ts";
import { isolateDirection } from "../../base/text.ts";
import { messages } from "./messages.tsx";
import { AmountsQuestion } from "./amounts-question.tsx";
import { ScheduleCalendar } from "./calendar.tsx";
import { isMissed, type ScheduleAction, ScheduleActionDialog } from "./action-dialog.tsx";
import { ScheduleFacts } from "./schedule-facts.tsx";
import { Occurrences } from "./occurrences.tsx";
import { useNewSchedule } from "./use-new-schedule.ts";
import { UserText } from "../../components/user-text.tsx";

/** The form has the largest inputs of the page, so it loads when it is opened. */
const form = () => import("./schedule-form.tsx");
const NewScheduleDialog = lazy(async () => ({ default: (await form()).NewScheduleDialog }));
const EditScheduleDialog = lazy(async () => ({ default: (await form()).EditScheduleDialog }));

const DecideAllDialog = lazy(() => import("./decide-all.tsx"));

type Schedule = Answer<"GET /api/schedules">["items"][number];

const schedulesQuery = {
  queryKey: ["GET /api/schedules"],
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => call("GET /api/schedules", { signal }),
  refetchInterval: 15_000,
};

/** Each schedule with its next and latest occurrences, and the calendar. */
export function SchedulesPage() {
  const client = useQueryClient();
  const { data: answer, error, refetch } = useQuery(schedulesQuery);
  const { data: session } = useQuery(sessionQuery);
  const added = useNewSchedule();
  const [saved, setSaved] = useState<string | null>(null);
  const reload = () => void client.invalidateQueries(schedulesQuery);
  const mayMake = session?.person?.permissions.includes("upload") ?? false;
  return (
    <Page
      title={messages.title}
      actions={mayMake ? <Button onClick={added.open}>{messages.form.title}</Button> : null}
    >
      {error && !answer ? <ErrorState error={error} reset={() => void refetch()} /> : null}
      {saved === null ? null : (
        <Text role="status" fw={600}>
          {messages.form.saved(<UserText text={saved} />)}
        </Text>
      )}
      {answer ? <Schedules of={answer} reload={reload} /> : error ? null : <Loading />}
      {answer && added.isOpen && mayMake ? (
        <Suspense fallback={null}>
          <NewScheduleDialog
            holidayCurrencies={answer.holiday_currencies}
            reload={reload}
            onSaved={setSaved}
            onClose={added.close}
          />
        </Suspense>
      ) : null}
    </Page>
  );
}

/** The schedules and the calendar, with the dialogs that change a schedule. */
function Schedules({
  of: { items, holiday_currencies: holidayCurrencies },
  reload,
}: {
  readonly of: Answer<"GET /api/schedules">;
  readonly reload: () => void;
}) {
  const { data: session } = useQuery(sessionQuery);
  const [action, setAction] = useState<ScheduleAction | null>(null);
  const [edited, setEdited] = useState<Schedule | null>(null);
  const [decided, setDecided] = useState<Schedule | null>(null);
  const mayMake = session?.person?.permissions.includes("upload") ?? false;
  const maySteer = session?.person?.permissions.includes("operate") ?? false;
  const self = `user:${session?.person?.id}`;
  return (
    <>
      {items.length === 0 ? <EmptyState text={messages.empty} /> : null}
      {items.toSorted(inOrder).map((schedule) => (
        <ScheduleSection
          key={schedule.id}
          schedule={schedule}
          edit={maySteer || (mayMake && schedule.maker === self) ? setEdited : null}
          ask={maySteer ? setAction : null}
          decideAll={setDecided}
          reload={reload}
        />
      ))}
      <ScheduleCalendar />
      <Suspense fallback={null}>
        {edited ? (
          <EditScheduleDialog
            schedule={edited}
            holidayCurrencies={holidayCurrencies}
            reload={reload}
            onClose={() => setEdited(null)}
          />
        ) : null}
        {decided ? (
          <DecideAllDialog
            schedule={decided}
            current={items.find(({ id }) => id === decided.id)}
            reload={reload}
            onClose={() => setDecided(null)}
          />
        ) : null}
      </Suspense>
      {action ? (
        <ScheduleActionDialog
          action={action}
          schedules={items}
          reload={reload}
          onClose={() => setAction(null)}
        />
      ) : null}
    </>
  );
}

/** One schedule with its rule, its occurrences and the buttons for the reader's permissions. */
const ScheduleSection = ({
  schedule,
  edit,
  ask,
  decideAll,
  reload,
}: {
  readonly schedule: Schedule;
  /** Null: the reader may not edit this schedule. */
  readonly edit: ((schedule: Schedule) => void) | null;
  /** Null: the reader may not pause or remove schedules. */
  readonly ask: ((action: ScheduleAction) => void) | null;
  readonly decideAll: (schedule: Schedule) => void;
  readonly reload: () => void;
}) => (
  <Section
    title={isolateDirection(schedule.name)}
    badge={
      schedule.state === "paused" ? (
        <Text span size="xs" fw={600} data-tone="hold" c="var(--tone-fg)">
          {messages.paused(schedule.reason ?? "")}
        </Text>
      ) : null
    }
    actions={
      <Group gap="xs">
        {edit ? (
          <Button
            variant="default"
            size="xs"
            aria-label={texts.of(texts.verbs.edit, schedule.name)}
            onClick={() => edit(schedule)}
          >
            {texts.verbs.edit}
          </Button>
        ) : null}
        {ask && schedule.undecided.length > 1 ? (
          <Button size="xs" onClick={() => decideAll(schedule)}>
            {texts.decideAll(schedule.undecided.length)}
          </Button>
        ) : null}
        {ask ? <ScheduleButtons schedule={schedule} ask={ask} /> : null}
      </Group>
    }
  >
    <ScheduleFacts of={schedule} />
    {edit ? <AmountsQuestion of={schedule} reload={reload} /> : null}
    <Occurrences of={schedule} />
  </Section>
);

/** Schedules that need a decision first, then by their next occurrence. */
const inOrder = (one: Schedule, other: Schedule): number =>
  Number(other.undecided.length > 0) - Number(one.undecided.length > 0) ||
  (one.next[0]?.at ?? "9").localeCompare(other.next[0]?.at ?? "9");

const texts = messages.actions;

function ScheduleButtons({
  schedule,
  ask,
}: {
  readonly schedule: Schedule;
  readonly ask: (action: ScheduleAction) => void;
}) {
  const verbs = [schedule.state === "paused" ? "resume" : "pause", "remove"] as const;
  return (
    <Group gap="xs">
      {schedule.occurrences.filter(isMissed).map(({ day }) => (
        <Fragment key={day}>
          <Button size="xs" onClick={() => ask({ verb: "create", schedule, day })}>
            {texts.createFor(weekdayText(day))}
          </Button>
          <Button size="xs" variant="default" onClick={() => ask({ verb: "skip", schedule, day })}>
            {texts.skipDay(weekdayText(day))}
          </Button>
        </Fragment>
      ))}
      {verbs.map((verb) => (
        <Button
          // The same button pauses and resumes, so that it keeps the focus.
          key={verb === "remove" ? verb : "steer"}
          variant="default"
          size="xs"
          aria-label={texts.of(texts.verbs[verb], schedule.name)}
          onClick={() => ask({ verb, schedule, day: "" })}
        >
          {texts.verbs[verb]}
        </Button>
      ))}
    </Group>
  );
}
