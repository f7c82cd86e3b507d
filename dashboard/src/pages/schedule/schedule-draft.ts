import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { readerZone } from "../../base/time-zone.ts";
import { messages } from "./messages.tsx";

const texts = messages.form;

type Schedule = AnswerOf<(typeof API)["GET /api/schedules"]>["items"][number];

/** A number format of amounts, as the API names it. */
export type AmountStyle = NonNullable<Schedule["amounts"]>;

/** The number formats, named by example except the plain one. */
export const AMOUNT_STYLES: readonly AmountStyle[] = [
  "plain",
  "1,234.56",
  "1.234,56",
  "1 234,56",
  "1'234.56",
  "1,25,000.50",
];

/** Returns an amount in this format. */
export const exampleOf = (format: AmountStyle): string => (format === "plain" ? "1234.56" : format);

/** How often a schedule repeats. */
export type Frequency = keyof typeof texts.rules;

/** The weekdays, as the API names them. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** The ways to move an occurrence that falls on a holiday. */
export const SHIFTS = ["none", "before", "after"] as const;

/** The fields of the form for a schedule, as typed. */
export interface ScheduleDraft {
  readonly name: string;
  readonly source: keyof typeof texts.sources;
  readonly list: string;
  readonly folder: string;
  /** The number format of the files in the folder; empty if each file decides. */
  readonly amounts: AmountStyle | "";
  /** The currency of files without a currency column; empty if each file has that column. */
  readonly currency: string;
  readonly every: Frequency;
  readonly weekdays: readonly string[];
  readonly weeks: string;
  /** A date in the first week; empty if the weeks are not counted. */
  readonly weeksFrom: string;
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
export const newSchedule = (): ScheduleDraft => ({
  name: "",
  source: "list",
  list: "",
  folder: "",
  amounts: "",
  currency: "",
  every: "last_working_day",
  weekdays: ["fri"],
  weeks: "1",
  weeksFrom: "",
  monthDay: "1",
  date: "",
  time: "09:00",
  zone: readerZone(),
  holidays: "",
  shift: "none",
  lead: "24",
  grace: "4",
  expires: "24",
});

/** The form as it opens to edit a schedule. */
export function draftOf({ calendar, ...schedule }: Schedule): ScheduleDraft {
  const { rule, time, zone, holidays, shift } = calendar;
  const isWeekly = rule.every === "week";
  const unused = newSchedule();
  return {
    name: schedule.name,
    source: schedule.list === null ? "folder" : "list",
    list: schedule.list ?? "",
    folder: schedule.folder ?? "",
    amounts: schedule.amounts ?? "",
    currency: schedule.currency ?? "",
    every: rule.every,
    weekdays: isWeekly ? rule.on : unused.weekdays,
    weeks: isWeekly ? String(rule.weeks) : unused.weeks,
    weeksFrom: (isWeekly && rule.from) || "",
    monthDay: rule.every === "month" ? String(rule.on) : unused.monthDay,
    date: rule.every === "once" ? rule.date : "",
    time,
    zone,
    holidays: holidays ?? "",
    shift,
    lead: String(schedule.lead_hours),
    grace: String(schedule.grace_hours),
    expires: String(schedule.expires_hours),
  };
}

/** All settings of the schedule, as the API expects them. */
export const settingsOf = (draft: ScheduleDraft, allowSecond: boolean) => ({
  name: draft.name,
  ...sourceOf(draft),
  ...(listOf(draft) !== undefined && { allow_second: allowSecond }),
  calendar: calendarOf(draft),
  lead_hours: Number(draft.lead),
  grace_hours: Number(draft.grace),
  expires_hours: Number(draft.expires),
});

/** The list that the schedule pays; undefined if it pays files of a folder. */
export function listOf({ source, list }: ScheduleDraft): string | undefined {
  return source === "list" ? list.trim() || undefined : undefined;
}

const sourceOf = ({ source, list, folder, amounts, ...draft }: ScheduleDraft) => {
  if (source === "list") return { list: list.trim() };
  const currency = draft.currency.trim().toUpperCase();
  return {
    folder: folder.trim(),
    ...(amounts !== "" && { amounts }),
    ...(currency !== "" && { currency }),
  };
};

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

function ruleOf({ every, weekdays, weeks, weeksFrom, monthDay, date }: ScheduleDraft) {
  if (every === "week") {
    const on = WEEKDAYS.filter((day) => weekdays.includes(day));
    return { every, on, weeks: Number(weeks), ...(weeksFrom !== "" && { from: weeksFrom }) };
  }
  if (every === "month") return { every, on: Number(monthDay) };
  return every === "once" ? { every, date } : { every };
}
