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
import { useState } from "react";
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
        {items.map((event) => (
          <EventLine key={`${event.at} ${event.kind} ${event.lane} ${event.text}`} event={event} />
        ))}
      </ol>
      {isMore ? (
        <Text size="sm" c="dimmed">
          {texts.more(items.length)}
        </Text>
      ) : null}
    </>
  );
}

function EventLine({ event }: { readonly event: Event }) {
  const { icon: Icon, tone } = LOOKS[event.kind];
  return (
    <li className={classes.event}>
      <span className={classes.icon} data-tone={tone}>
        <Icon size={16} aria-hidden />
      </span>
      <div>
        <strong>
          {texts.kinds[event.kind]}
          {event.lane_name ? ` · ${event.lane === "all" ? texts.allLanes : event.lane_name}` : ""}
        </strong>
        <div>
          <UserText text={event.text} />
        </div>
        <small className={classes.by}>
          {event.actor_name ? `${event.actor_name} · ` : ""}
          <Timestamp seconds at={event.at} />
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
