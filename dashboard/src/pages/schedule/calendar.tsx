import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import { UserText } from "../../components/user-text.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { messages } from "./messages.tsx";
import classes from "./calendar.module.css";

const texts = messages.month;

type Month = Answer<"GET /api/schedules/month">;
type Time = Month["days"][number]["times"][number];

/** The month of a day in the reader's time zone: "2026-12". */
const monthOf = (day: Date): string =>
  `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, "0")}`;
/** Noon stays on the same day when daylight saving time starts or ends. */
const dayOf = (date: string): Date => new Date(`${date}T12:00:00`);

function moved(month: string, by: number): string {
  const day = dayOf(`${month}-01`);
  day.setMonth(day.getMonth() + by);
  return monthOf(day);
}

/** The calendar of one month with its scheduled batches. */
export function ScheduleCalendar() {
  const [month, setMonth] = useState(() => monthOf(new Date()));
  const { data: shown, error } = useQuery({
    queryKey: ["GET /api/schedules", "month", month],
    queryFn: ({ signal }) => call("GET /api/schedules/month", { query: { month }, signal }),
    placeholderData: (before) => before,
  });
  const title = dayOf(`${month}-01`).toLocaleDateString("en", { month: "long", year: "numeric" });
  return (
    <Section
      title={title}
      actions={
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => setMonth(moved(month, -1))}>
            {texts.previous}
          </Button>
          <Button size="xs" variant="default" onClick={() => setMonth(monthOf(new Date()))}>
            {texts.current}
          </Button>
          <Button size="xs" variant="default" onClick={() => setMonth(moved(month, 1))}>
            {texts.next}
          </Button>
        </Group>
      }
    >
      {error && !shown ? <ErrorState error={error} /> : null}
      {shown ? <Days of={shown} /> : error ? null : <Text role="status">{texts.loading}</Text>}
    </Section>
  );
}

function Days({ of: { month, days, cut_offs } }: { readonly of: Month }) {
  const isEmpty = days.every(({ times }) => times.length === 0);
  const first = (dayOf(`${month}-01`).getDay() + 6) % 7;
  const [today] = useState(() => new Date().toDateString());
  return (
    <>
      {isEmpty ? <Text size="sm">{texts.empty}</Text> : null}
      <div className={classes.week} aria-hidden="true">
        {texts.weekdays.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className={classes.days} aria-label={texts.days}>
        {days.map(({ date, closed, times }, at) => (
          <li
            key={date}
            className={classes.day}
            style={at === 0 ? { gridColumnStart: first + 1 } : undefined}
            data-empty={closed.length === 0 && times.length === 0 ? "" : undefined}
            data-today={dayOf(date).toDateString() === today ? "" : undefined}
          >
            <time className={classes.date} dateTime={date}>
              <span className={classes.short}>{Number(date.slice(8))}</span>
              <span className={classes.long}>
                {dayOf(date).toLocaleDateString("en", {
                  weekday: "long",
                  day: "numeric",
                  month: "long",
                })}
              </span>
            </time>
            {closed.length > 0 ? (
              <span className={classes.closed}>{texts.closed(closed)}</span>
            ) : null}
            {times.map((time) => (
              <ScheduledTime key={`${time.schedule_id} ${time.batch_id} ${time.says}`} of={time} />
            ))}
          </li>
        ))}
      </ol>
      {cut_offs.length > 0 ? <Text size="sm">{texts.cutOffs(cut_offs)}</Text> : null}
    </>
  );
}

const ALARMS = new Set<Time["state"]>(["missed", "failed", "held_back"]);
/** The batch is not sent at its time unless a person acts. */
const OPEN = new Set<Time["state"]>(["unapproved", "paused"]);

const toneOf = ({ state, misses }: Time): string =>
  ALARMS.has(state) || misses.length > 0 ? "hold" : OPEN.has(state) ? "awaiting" : "progress";

const ScheduledTime = ({ of }: { readonly of: Time }) => (
  <div data-tone={toneOf(of)}>
    <div>{of.says.slice(11)}</div>
    {of.batch_id === null ? (
      <strong>
        <UserText text={of.name} />
      </strong>
    ) : (
      <PageLink to={`/batches/${of.batch_id}`}>
        <UserText text={of.name} />
      </PageLink>
    )}
    <Text size="xs" c="var(--tone-fg)">
      {texts.states[of.state]}
    </Text>
    {of.misses.map((miss) => (
      <Text size="xs" c="var(--tone-fg)" key={miss}>
        {miss}
      </Text>
    ))}
  </div>
);
