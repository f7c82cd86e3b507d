import { unreachable } from "#base/result.ts";
import type { Calendar, Rule, Weekday } from "#schedule/calendar.ts";

const NAMES: Readonly<Record<Weekday, string>> = {
  mon: "Monday",
  tue: "Tuesday",
  wed: "Wednesday",
  thu: "Thursday",
  fri: "Friday",
  sat: "Saturday",
  sun: "Sunday",
};

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

function daysText(rule: Rule): string {
  switch (rule.every) {
    case "once":
      return `Once, on ${rule.date},`;
    case "day":
      return "Every day";
    case "week": {
      const days = (Object.keys(NAMES) as Weekday[]).filter((day) => rule.on.includes(day));
      const names = listed(days.map((day) => NAMES[day]));
      return rule.weeks === 1
        ? `Every ${names}`
        : `Every ${rule.weeks} weeks on ${names}, from ${rule.from},`;
    }
    case "month":
      return rule.on > 28
        ? `On day ${rule.on} of every month, or on the last day of a shorter month,`
        : `On day ${rule.on} of every month`;
    case "month_end":
      return "On the last day of every month";
    case "last_working_day":
      return "On the last working day of every month";
    default:
      return unreachable(rule);
  }
}

/** States the rule as a sentence, so that people can check whether it is the one they intended. */
export function ruleSentence({ rule, time, zone, holidays, shift }: Calendar): string {
  const when = `${daysText(rule)} at ${time} ${zone}`;
  const closed = holidays === null ? "a weekend" : `a weekend or ${holidays} holiday`;
  if (rule.every === "last_working_day") {
    const off = holidays === null ? "weekends" : `weekends and ${holidays} holidays`;
    return `${when}; ${off} are not working days.`;
  }
  if (shift === "none") return `${when}.`;
  const near = shift === "before" ? "previous" : "next";
  return `${when}; moved to the ${near} working day if it falls on ${closed}.`;
}
