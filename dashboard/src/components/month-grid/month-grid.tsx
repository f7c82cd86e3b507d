import { ActionIcon, Button, Group } from "@mantine/core";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { weekdayText } from "../../base/dates.ts";
import { localDay } from "../../base/local-time.ts";
import { messages } from "./messages.ts";
import classes from "./month-grid.module.css";

/** The days of the week, from Monday. */
export const WEEKDAY_NAMES = messages.weekdays;

/** Noon stays on the same day when daylight saving time starts or ends. */
const dayOf = (date: string): Date => new Date(`${date}T12:00:00`);

/** Returns the current month in the reader's time zone: "2026-12". */
export const currentMonth = (): string => localDay(Date.now()).slice(0, 7);

/** Returns a month as text: "December 2026". */
export const monthTitle = (month: string): string =>
  dayOf(`${month}-01`).toLocaleDateString("en", { month: "long", year: "numeric" });

/** Returns the dates of a month. */
function datesOf(month: string): string[] {
  const [year = 0, number = 0] = month.split("-").map(Number);
  const count = new Date(year, number, 0).getDate();
  return Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, "0")}`);
}

/** Returns the dates of a month without the weeks that end before a day. */
export function datesFrom(month: string, first: string): string[] {
  const dates = datesOf(month);
  const at = dates.findIndex((date) => date >= first);
  const found = dates[at];
  return found === undefined ? dates : dates.slice(Math.max(0, at - weekdayOf(found)));
}

/** Days since Monday. */
const weekdayOf = (date: string): number => (dayOf(date).getDay() + 6) % 7;

/** Returns whether a day is a Saturday or Sunday. */
export const isWeekend = (date: string): boolean => [0, 6].includes(dayOf(date).getDay());

function moved(month: string, by: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number - 1 + by)).toISOString().slice(0, 7);
}

/** The buttons that change the month. */
export const MonthButtons = ({
  month,
  onMonth,
}: {
  readonly month: string;
  readonly onMonth: (month: string) => void;
}) => (
  <Group gap="xs" wrap="nowrap">
    <ActionIcon
      variant="default"
      aria-label={messages.previous}
      onClick={() => onMonth(moved(month, -1))}
    >
      <ChevronLeft size={16} aria-hidden />
    </ActionIcon>
    <Button size="xs" variant="default" onClick={() => onMonth(currentMonth())}>
      {messages.current}
    </Button>
    <ActionIcon
      variant="default"
      aria-label={messages.next}
      onClick={() => onMonth(moved(month, 1))}
    >
      <ChevronRight size={16} aria-hidden />
    </ActionIcon>
  </Group>
);

/** A day of the grid. */
export interface GridDay {
  readonly date: string;
  /** Null: a phone does not list the day. */
  readonly content: ReactNode | null;
}

/** The days of a month in weeks. A narrow screen lists the days with content below each other. */
export function MonthGrid({ days }: { readonly days: readonly GridDay[] }) {
  const [today] = useState(() => new Date().toDateString());
  const first = days[0] ? weekdayOf(days[0].date) : 0;
  return (
    <>
      <div className={classes.week} aria-hidden="true">
        {WEEKDAY_NAMES.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <ol className={classes.days} aria-label={messages.days}>
        {days.map(({ date, content }, at) => (
          <li
            key={date}
            className={classes.day}
            style={at === 0 ? { gridColumnStart: first + 1 } : undefined}
            data-weekend={isWeekend(date) ? "" : undefined}
            data-empty={content === null ? "" : undefined}
            data-today={dayOf(date).toDateString() === today ? "" : undefined}
          >
            <time className={classes.date} dateTime={date}>
              <span className={classes.short}>{Number(date.slice(8))}</span>
              <span className={classes.long}>{weekdayText(date)}</span>
            </time>
            {content}
          </li>
        ))}
      </ol>
    </>
  );
}
