import type { z } from "zod";
import { CliError, EXIT } from "#cli/terminal/exit.ts";
import type { Calendar } from "#schedule/calendar.ts";

/** The options that define when a schedule creates its batches. */
export interface RuleFlags {
  readonly every: string;
  readonly on?: string;
  readonly weeks?: string;
  readonly from?: string;
  readonly time: string;
  readonly zone: string;
  readonly holidays?: string;
  readonly shift?: string;
}

type Days = "on" | "weeks" | "from";

/** Each rule and the options that it reads. */
const OPTIONS_OF_RULE: Readonly<Record<string, readonly Days[]>> = {
  day: [],
  week: ["on", "weeks", "from"],
  month: ["on"],
  "month-end": [],
  "last-working-day": [],
  once: ["on"],
};
export const RULES = Object.keys(OPTIONS_OF_RULE);

/**
 * Parses a whole number. Unlike JavaScript's conversion, it does not turn an empty or blank text
 * into 0.
 */
export const parseWholeNumber = (text: string | undefined): number =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN;

/** Builds the rule from the options. It is not validated yet. */
function ruleOf({ every, on, weeks, from }: RuleFlags): object {
  switch (every) {
    case "week":
      return {
        every,
        on: (on ?? "").split(","),
        ...(weeks !== undefined && { weeks: parseWholeNumber(weeks) }),
        ...(from !== undefined && { from }),
      };
    case "month":
      return { every, on: parseWholeNumber(on) };
    case "once":
      return { every, date: on };
    default:
      return { every: every.replaceAll("-", "_") };
  }
}

/** Rejects options that the rule ignores: the schedule would pay on other days than intended. */
function refuseUnusedOptions(flags: RuleFlags): void {
  const { every } = flags;
  const unread = (["on", "weeks", "from"] as const).filter(
    (name) => flags[name] !== undefined && OPTIONS_OF_RULE[every]?.includes(name) !== true,
  );
  if (unread.length === 0) return;
  const said = unread.map((name) => `--${name} cannot be combined with --every ${every}.`);
  throw new CliError(EXIT.usage, said.join("\n"));
}

const ON: Readonly<Record<string, string>> = {
  week: "days of the week such as mon,fri",
  month: "a day of the month from 1 to 31",
  once: "a date such as 2026-12-31",
};

/** The expected value of each option. */
const EXPECTED: Readonly<Record<string, string>> = {
  weeks: "a whole number of weeks from 1 to 52",
  from: "a date such as 2026-12-31, in the week of the first occurrence (required if --weeks is above 1)",
  time: "a time such as 09:00",
  zone: "a time zone such as Asia/Kolkata",
  holidays: "a currency such as INR",
  shift: "none, before or after",
  name: "3 to 100 characters",
  list: "the ID of the batch that is paid again at each occurrence (alternative to --folder)",
  folder: "a folder name such as salaries: up to 60 characters from a-z, 0-9, - and _",
  lead: "a whole number of hours from 0 to MAX",
  grace: "a whole number of hours from 1 to MAX",
  expires: "a whole number of hours from 1 to MAX",
  "allow-repeat": "a date such as 2026-12-31",
  "allow-skip": "a date such as 2026-12-31",
};

/** Options whose name differs from the field. */
const FLAGS: Readonly<Record<string, string>> = {
  date: "on",
  lead_hours: "lead",
  grace_hours: "grace",
  expires_hours: "expires",
  allow_repeat: "allow-repeat",
  allow_skip: "allow-skip",
};

/** Describes each invalid option, with the value found and the expected one. */
export async function wrongOptions(
  { issues }: z.ZodError,
  flags: RuleFlags & Readonly<Record<string, unknown>>,
): Promise<CliError> {
  const { HOURS_MAX } = await import("#schedule/release.ts");
  const names = issues.map(({ path }) => {
    const field = String(path.findLast((part) => typeof part === "string"));
    return FLAGS[field] ?? field;
  });
  const said = [...new Set(names)].map((name) => {
    const found = flags[name] === undefined ? "is missing" : JSON.stringify(flags[name]);
    const expected = name === "on" ? ON[flags.every] : EXPECTED[name];
    return `--${name} ${found}: expected ${expected?.replace("MAX", String(HOURS_MAX))}`;
  });
  return new CliError(EXIT.usage, said.join("\n"));
}

/**
 * Builds the calendar.
 * @throws CliError if the options are not a valid rule.
 */
export async function parseCalendar(
  flags: RuleFlags & Readonly<Record<string, unknown>>,
): Promise<Calendar> {
  refuseUnusedOptions(flags);
  const { Calendar } = await import("#schedule/calendar.ts");
  const { time, zone, holidays = null, shift = "none" } = flags;
  const read = Calendar.safeParse({ rule: ruleOf(flags), time, zone, holidays, shift });
  if (read.success) return read.data;
  throw await wrongOptions(read.error, flags);
}
