import { CliError, EXIT } from "#cli/exit.ts";
import type { Calendar } from "#schedule/calendar.ts";

/** The options that say when a schedule makes its batches. */
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

/** Each rule, and the options that it reads. */
const READ: Readonly<Record<string, readonly Days[]>> = {
  day: [],
  week: ["on", "weeks", "from"],
  month: ["on"],
  "month-end": [],
  "last-working-day": [],
  once: ["on"],
};
export const RULES = Object.keys(READ);

/** The rule as the flags say it, still to be looked at. */
function ruleOf({ every, on, weeks, from }: RuleFlags): object {
  switch (every) {
    case "week":
      return {
        every,
        on: (on ?? "").split(","),
        ...(weeks !== undefined && { weeks: Number(weeks) }),
        ...(from !== undefined && { from }),
      };
    case "month":
      return { every, on: Number(on) };
    case "once":
      return { every, date: on };
    default:
      return { every: every.replaceAll("-", "_") };
  }
}

/** An option that nobody reads would pay on other days than were asked for. */
function refuseUnread(flags: RuleFlags): void {
  const { every } = flags;
  const unread = (["on", "weeks", "from"] as const).filter(
    (name) => flags[name] !== undefined && READ[every]?.includes(name) !== true,
  );
  if (unread.length === 0) return;
  const said = unread.map((name) => `--${name} does not go with --every ${every}.`);
  throw new CliError(EXIT.usage, said.join("\n"));
}

/** @throws CliError where it is no rule. */
export async function calendarOf(flags: RuleFlags): Promise<Calendar> {
  refuseUnread(flags);
  const { Calendar } = await import("#schedule/calendar.ts");
  const { prettifyError } = await import("zod");
  const { time, zone, holidays = null, shift = "none" } = flags;
  const read = Calendar.safeParse({ rule: ruleOf(flags), time, zone, holidays, shift });
  if (read.success) return read.data;
  // Here they are words with a dash.
  const said = prettifyError(read.error).replaceAll(/\b(?:month_end|last_working_day)\b/g, (name) =>
    name.replaceAll("_", "-"),
  );
  throw new CliError(EXIT.usage, `This is no rule:\n${said}`);
}
