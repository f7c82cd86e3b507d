import { Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Answer, call } from "../../server/client.ts";
import { ErrorState } from "../../components/error-state.tsx";
import {
  currentMonth,
  datesFrom,
  isWeekend,
  MonthButtons,
  MonthGrid,
  monthTitle,
} from "../../components/month-grid/month-grid.tsx";
import { localDay } from "../../base/local-time.ts";
import { UserText } from "../../components/user-text.tsx";
import { PageLink } from "../../components/page-link.tsx";
import { Section } from "../../components/section.tsx";
import { messages } from "./messages.tsx";

const texts = messages.month;

type Month = Answer<"GET /api/schedules/month">;
type Time = Month["days"][number]["times"][number];

/** The next run of a schedule, as "2026-12-31 09:00 Asia/Bangkok". */
export interface NextRun {
  readonly schedule: string;
  readonly says: string;
}

/**
 * The calendar of one month with its scheduled batches. It opens at the month of the next run, and
 * marks the next run of each schedule and the last working day.
 */
export function ScheduleCalendar({ nextRuns }: { readonly nextRuns: readonly NextRun[] }) {
  const [today] = useState(() => localDay(Date.now()));
  const [nearest] = nextRuns.map(({ says }) => says.slice(0, 7)).toSorted();
  const [month, setMonth] = useState(nearest ?? currentMonth);
  const [isWhole, setIsWhole] = useState(false);
  const { data: shown, error } = useQuery({
    queryKey: ["GET /api/schedules", "month", month],
    queryFn: ({ signal }) => call("GET /api/schedules/month", { query: { month }, signal }),
    placeholderData: (before) => before,
  });
  return (
    <Section title={monthTitle(month)} actions={<MonthButtons month={month} onMonth={setMonth} />}>
      {error && !shown ? <ErrorState error={error} /> : null}
      {shown ? (
        <Days
          of={shown}
          nextRuns={nextRuns}
          first={isWhole ? undefined : today}
          onEarlier={() => setIsWhole(true)}
        />
      ) : error ? null : (
        <Text role="status">{texts.loading}</Text>
      )}
    </Section>
  );
}

function Days({
  of: { month, days, cut_offs: cutOffs },
  nextRuns,
  first,
  onEarlier,
}: {
  readonly of: Month;
  readonly nextRuns: readonly NextRun[];
  /** The weeks of the month before this day are hidden. Undefined: none are. */
  readonly first: string | undefined;
  readonly onEarlier: () => void;
}) {
  const isEmpty = days.every(({ times }) => times.length === 0);
  const [start = ""] = first === undefined ? [] : datesFrom(month, first);
  const listed = days.filter(({ date }) => date >= start);
  const lastWorkingDay = days.findLast(
    ({ date, closed }) => closed.length === 0 && !isWeekend(date),
  )?.date;
  const isNext = ({ schedule_id: id, says }: Time): boolean =>
    nextRuns.some((run) => run.schedule === id && run.says === says);
  return (
    <>
      {isEmpty ? <Text size="sm">{texts.empty}</Text> : null}
      {listed.length < days.length ? (
        <Group>
          <Button size="xs" variant="subtle" onClick={onEarlier}>
            {texts.earlier}
          </Button>
        </Group>
      ) : null}
      <MonthGrid
        days={listed.map(({ date, closed, times }) => ({
          date,
          content:
            closed.length === 0 && times.length === 0 && date !== lastWorkingDay ? null : (
              <>
                {date === lastWorkingDay ? (
                  <Text size="xs" c="dimmed">
                    {texts.lastWorkingDay}
                  </Text>
                ) : null}
                {closed.length > 0 ? (
                  <Text size="xs" c="dimmed">
                    {texts.closed(closed)}
                  </Text>
                ) : null}
                {times.map((time) => (
                  <ScheduledTime
                    key={`${time.schedule_id} ${time.batch_id} ${time.says}`}
                    of={time}
                    isNext={isNext(time)}
                  />
                ))}
              </>
            ),
        }))}
      />
      {cutOffs.length > 0 ? <Text size="sm">{texts.cutOffs(cutOffs)}</Text> : null}
    </>
  );
}

const ALARMS = new Set<Time["state"]>(["missed", "failed", "held_back"]);
/** The batch is not sent at its time unless a person acts. */
const OPEN = new Set<Time["state"]>(["unapproved", "blocked", "paused"]);

const toneOf = ({ state, misses }: Time): string =>
  ALARMS.has(state) || misses.length > 0 ? "hold" : OPEN.has(state) ? "awaiting" : "progress";

const ScheduledTime = ({ of, isNext }: { readonly of: Time; readonly isNext: boolean }) => (
  <div data-tone={toneOf(of)}>
    {isNext ? (
      <Text size="xs" fw={600} c="var(--tone-fg)">
        {texts.nextRun}
      </Text>
    ) : null}
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
