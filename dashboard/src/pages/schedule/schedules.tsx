import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate } from "@tanstack/react-router";
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
import { type NextRun, ScheduleCalendar } from "./calendar.tsx";
import { isMissed, type ScheduleAction, ScheduleActionDialog } from "./action-dialog.tsx";
import { ScheduleFacts } from "./schedule-facts.tsx";
import { Occurrences } from "./occurrences.tsx";
import { isBlocked, ScheduleList } from "./schedule-list.tsx";
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
  const [saved, setSaved] = useState<Pick<Schedule, "id" | "name"> | null>(null);
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
          {messages.form.saved(<UserText text={saved.name} />)}
        </Text>
      )}
      {answer ? (
        <Schedules key={saved?.id} of={answer} first={saved?.id} reload={reload} />
      ) : error ? null : (
        <Loading />
      )}
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

/** Whether the dialog for a new schedule is open. The address "/schedules#new" opens it. */
function useNewSchedule() {
  const [isChosen, setChosen] = useState(false);
  const isAsked = useLocation({ select: ({ hash }) => hash === "new" });
  const navigate = useNavigate();
  return {
    isOpen: isChosen || isAsked,
    open: (): void => setChosen(true),
    close: (): void => {
      setChosen(false);
      if (isAsked) void navigate({ to: "/schedules", replace: true });
    },
  };
}

/** The next run of each schedule that is not paused. */
const nextRunsOf = (items: readonly Schedule[]): readonly NextRun[] =>
  items.flatMap(({ id, next }) => (next[0] ? [{ schedule: id, says: next[0].says }] : []));

/** The schedules in order, and the one whose details are shown. */
function inList(items: readonly Schedule[], chosen: string | undefined) {
  const sorted = items.toSorted(inOrder);
  return { sorted, shown: sorted.find(({ id }) => id === chosen) ?? sorted[0] };
}

/** The schedules that the reader may edit, and whether they may pause and decide. */
function useRights() {
  const { data: session } = useQuery(sessionQuery);
  const mayMake = session?.person?.permissions.includes("upload") ?? false;
  const maySteer = session?.person?.permissions.includes("operate") ?? false;
  const self = `user:${session?.person?.id}`;
  const mayEdit = ({ maker }: Schedule): boolean => maySteer || (mayMake && maker === self);
  return { mayEdit, maySteer };
}

/** The schedules and the calendar, with the dialogs that change a schedule. */
function Schedules({
  of: { items, holiday_currencies: holidayCurrencies },
  first,
  reload,
}: {
  readonly of: Answer<"GET /api/schedules">;
  /** The schedule whose details are shown at first. Default: the first of the list. */
  readonly first: string | undefined;
  readonly reload: () => void;
}) {
  const { mayEdit, maySteer } = useRights();
  const [action, setAction] = useState<ScheduleAction | null>(null);
  const [edited, setEdited] = useState<Schedule | null>(null);
  const [decided, setDecided] = useState<Schedule | null>(null);
  const [chosen, setChosen] = useState(first);
  const { sorted, shown } = inList(items, chosen);
  return (
    <>
      {shown === undefined ? (
        <EmptyState text={messages.empty} />
      ) : (
        <>
          <ScheduleList
            schedules={sorted}
            shown={shown}
            onShow={({ id }) => setChosen(id)}
            mayEdit={mayEdit}
            onEdit={(schedule) => {
              setChosen(schedule.id);
              setEdited(schedule);
            }}
            onDecideAll={maySteer ? setDecided : null}
          />
          <ScheduleSection
            key={shown.id}
            schedule={shown}
            mayEdit={mayEdit(shown)}
            ask={maySteer ? setAction : null}
            reload={reload}
          />
        </>
      )}
      <ScheduleCalendar nextRuns={nextRunsOf(items)} />
      <Suspense fallback={null}>
        {edited ? (
          <EditScheduleDialog
            {...{ holidayCurrencies, reload }}
            schedule={edited}
            onClose={() => setEdited(null)}
          />
        ) : null}
        {decided ? (
          <DecideAllDialog
            {...{ reload }}
            schedule={decided}
            current={items.find(({ id }) => id === decided.id)}
            onClose={() => setDecided(null)}
          />
        ) : null}
      </Suspense>
      {action ? (
        <ScheduleActionDialog
          {...{ action, reload }}
          schedules={items}
          onClose={() => setAction(null)}
        />
      ) : null}
    </>
  );
}

/** The details of one schedule: its rule, its occurrences, and the buttons for operators. */
const ScheduleSection = ({
  schedule,
  mayEdit,
  ask,
  reload,
}: {
  readonly schedule: Schedule;
  readonly mayEdit: boolean;
  /** Null: the reader may not pause or remove schedules. */
  readonly ask: ((action: ScheduleAction) => void) | null;
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
    actions={ask ? <ScheduleButtons schedule={schedule} ask={ask} /> : null}
  >
    <ScheduleFacts of={schedule} />
    {mayEdit ? <AmountsQuestion of={schedule} reload={reload} /> : null}
    <Occurrences of={schedule} />
  </Section>
);

const needsSomebody = (schedule: Schedule): boolean =>
  schedule.undecided.length > 0 || isBlocked(schedule);

/** Schedules that need a decision or a reason first, then by their next occurrence. */
const inOrder = (one: Schedule, other: Schedule): number =>
  Number(needsSomebody(other)) - Number(needsSomebody(one)) ||
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
