import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import {
  CircleCheck,
  Gauge,
  type LucideIcon,
  PauseCircle,
  PlayCircle,
  Snowflake,
  Tag,
  TriangleAlert,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Loading } from "../../components/loading.tsx";
import { Section } from "../../components/section.tsx";
import { Timestamp } from "../../components/timestamp.tsx";
import { UserText } from "../../components/user-text.tsx";
import classes from "./events-tab.module.css";
import { messages } from "./shared/messages.ts";

const texts = messages.events;

type Event = Answer<"GET /api/operations/events">["items"][number];

const RANGES = Object.entries(texts.ranges).map(([value, label]) => ({ value, label }));
const REFRESH_MS = 15_000;

/** The alarms, pauses and changes of lanes, newest first. */
export function EventsTab() {
  const [hours, setHours] = useState("168");
  const { data, error } = useQuery({
    queryKey: ["GET /api/operations/events", hours],
    queryFn: ({ signal }) =>
      call("GET /api/operations/events", { query: { hours: Number(hours) }, signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: (before) => before,
  });
  return (
    <Section
      title={texts.title}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={texts.range}
          data={RANGES}
          value={hours}
          onChange={setHours}
        />
      }
    >
      {error ? <ErrorState error={error} /> : null}
      {data ? <EventList {...data} /> : error ? null : <Loading />}
    </Section>
  );
}

function EventList({ items, is_more: isMore }: Answer<"GET /api/operations/events">) {
  if (items.length === 0) return <EmptyState text={texts.empty} />;
  return (
    <>
      <ol className={classes.events} aria-label={texts.title}>
        {runsOf(items).map((run) =>
          run.length < RUN_MIN ? (
            run.map((event) => <EventLine key={keyOf(event)} event={event} />)
          ) : (
            <EventRun key={keyOf(run.at(-1) ?? run[0])} run={run} />
          ),
        )}
      </ol>
      {isMore ? (
        <Text size="sm" c="dimmed">
          {texts.more(items.length)}
        </Text>
      ) : null}
    </>
  );
}

const keyOf = ({ at, kind, lane, text }: Event): string => `${at} ${kind} ${lane} ${text}`;

/** Number of similar events from which they share a line. */
const RUN_MIN = 3;
const RUN_GAP_MS = 60_000;

type Run = [Event, ...Event[]];

/** Groups consecutive events of one kind by one person, each within a minute of the next. */
function runsOf(events: readonly Event[]): readonly Run[] {
  const runs: Run[] = [];
  for (const event of events) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && isContinued(last, event)) run.push(event);
    else runs.push([event]);
  }
  return runs;
}

const isContinued = (later: Event, event: Event): boolean =>
  event.actor_name !== null &&
  later.actor_name === event.actor_name &&
  later.kind === event.kind &&
  Date.parse(later.at) - Date.parse(event.at) <= RUN_GAP_MS;

function EventRun({ run }: { readonly run: Run }) {
  const [latest] = run;
  return (
    <EventItem of={latest}>
      <details>
        <summary>
          <strong>{texts.several(texts.kinds[latest.kind], run.length)}</strong>
        </summary>
        <ul className={classes.run}>
          {run.map((event) => (
            <li key={keyOf(event)}>
              {event.lane_name ? `${laneOf(event)}: ` : ""}
              <UserText text={event.text} />
            </li>
          ))}
        </ul>
      </details>
    </EventItem>
  );
}

const EventLine = ({ event }: { readonly event: Event }) => (
  <EventItem of={event}>
    <strong>
      {texts.kinds[event.kind]}
      {event.lane_name ? ` · ${laneOf(event)}` : ""}
    </strong>
    <div>
      <UserText text={event.text} />
    </div>
  </EventItem>
);

const laneOf = ({ lane, lane_name: name }: Event) => (lane === "all" ? texts.allLanes : name);

function EventItem({ of, children }: { readonly of: Event; readonly children: ReactNode }) {
  const { icon: Icon, tone } = LOOKS[of.kind];
  return (
    <li className={classes.event}>
      <span className={classes.icon} data-tone={tone}>
        <Icon size={16} aria-hidden />
      </span>
      <div>
        {children}
        <small className={classes.by}>
          {of.actor_name ? `${of.actor_name} · ` : ""}
          <Timestamp seconds relative={false} at={of.at} />
        </small>
      </div>
    </li>
  );
}

const LOOKS: Readonly<Record<Event["kind"], { readonly icon: LucideIcon; readonly tone: string }>> =
  {
    alarm: { icon: TriangleAlert, tone: "hold" },
    pause_lane: { icon: PauseCircle, tone: "hold" },
    resume_lane: { icon: PlayCircle, tone: "settled" },
    open_lane: { icon: CircleCheck, tone: "settled" },
    set_lane: { icon: Gauge, tone: "progress" },
    name_account: { icon: Tag, tone: "draft" },
    freeze: { icon: Snowflake, tone: "declined" },
    unfreeze: { icon: CircleCheck, tone: "settled" },
  };
