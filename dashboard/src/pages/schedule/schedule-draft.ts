import { ApiProblem } from "../../server/client.ts";
import { messages } from "./messages.tsx";

const texts = messages.form;

/** How often a schedule repeats. */
export type Frequency = keyof typeof texts.rules;

/** The weekdays, as the API names them. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** The ways to move an occurrence that falls on a holiday. */
export const SHIFTS = ["none", "before", "after"] as const;

/** The fields of the form for a new schedule, as typed. */
export interface ScheduleDraft {
  readonly name: string;
  readonly source: keyof typeof texts.sources;
  readonly list: string;
  readonly folder: string;
  readonly every: Frequency;
  readonly weekdays: readonly string[];
  readonly monthDay: string;
  readonly date: string;
  readonly time: string;
  readonly zone: string;
  readonly holidays: string;
  readonly shift: (typeof SHIFTS)[number];
  readonly lead: string;
  readonly grace: string;
  readonly expires: string;
}

/** The form as it opens. */
export const NEW_SCHEDULE: ScheduleDraft = {
  name: "",
  source: "list",
  list: "",
  folder: "",
  every: "last_working_day",
  weekdays: ["fri"],
  monthDay: "1",
  date: "",
  time: "09:00",
  zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  holidays: "",
  shift: "none",
  lead: "24",
  grace: "4",
  expires: "24",
};

/** The list that the schedule pays; undefined if it pays files of a folder. */
export function listOf({ source, list }: ScheduleDraft): string | undefined {
  return source === "list" ? list.trim() || undefined : undefined;
}

/** The list or folder of the schedule, as the API expects it. */
export const sourceOf = ({ source, list, folder }: ScheduleDraft) =>
  source === "list" ? { list: list.trim() } : { folder: folder.trim() };

/** The calendar of the schedule, as the API expects it. */
export function calendarOf(draft: ScheduleDraft) {
  const { time, zone, holidays, shift } = draft;
  return {
    rule: ruleOf(draft),
    time,
    zone: zone.trim(),
    holidays: holidays.trim().toUpperCase() || null,
    shift,
  };
}

function ruleOf({ every, weekdays, monthDay, date }: ScheduleDraft) {
  if (every === "week") return { every, on: WEEKDAYS.filter((day) => weekdays.includes(day)) };
  if (every === "month") return { every, on: Number(monthDay) };
  return every === "once" ? { every, date } : { every };
}

const NEEDS: Partial<Record<Frequency, string>> = texts.needs;

/** The problems that the server finds in an incomplete rule. */
export function problemsOf(error: Error | null, every: Frequency): string {
  const places = error instanceof ApiProblem ? (error.document.places ?? []) : [];
  const problems = places.map(({ place, message }) =>
    place.startsWith("body.calendar.rule") ? NEEDS[every] : message,
  );
  return [...new Set(problems)].filter(Boolean).join("; ");
}
