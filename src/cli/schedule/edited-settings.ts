import {
  parseCalendar,
  parseWholeNumber,
  type RuleFlags,
  wrongOptions,
} from "#cli/schedule/schedule-rule.ts";
import type { EditedSchedule, ScheduleDocument } from "#cli/schedule/schedules.ts";

/** The options of an edit. An omitted one keeps the stored setting. */
interface EditFlags extends Partial<RuleFlags>, Readonly<Record<string, unknown>> {
  readonly name?: string;
  readonly list?: string;
  readonly folder?: string;
  readonly amounts?: string;
  readonly currency?: string;
  readonly allowSecond?: boolean;
  readonly allowRepeat?: string;
  readonly allowSkip?: string;
  readonly lead?: string;
  readonly grace?: string;
  readonly expires?: string;
}

/** The value of --amounts with which each file decides its format. */
export const ANY_FORMAT = "detect";

/** The value of --currency with which each file needs a column for the currency. */
export const NO_CURRENCY = "none";

/** Writes the stored rule as the options that would create it. */
function storedRule({
  calendar: { rule, time, zone, holidays, shift },
}: ScheduleDocument): RuleFlags {
  const when = { time, zone, shift, ...(holidays !== null && { holidays }) };
  switch (rule.every) {
    case "week": {
      const { on, weeks, from } = rule;
      const first = from !== undefined && { from };
      return { ...when, every: "week", on: on.join(","), weeks: String(weeks), ...first };
    }
    case "month":
      return { ...when, every: "month", on: String(rule.on) };
    case "once":
      return { ...when, every: "once", on: rule.date };
    case "day":
    case "month_end":
    case "last_working_day":
      return { ...when, every: rule.every.replaceAll("_", "-") };
  }
}

/** With another frequency, the stored days do not apply any longer. */
function editedRule(stored: RuleFlags, flags: EditFlags): RuleFlags {
  const { time, zone, shift = "none" } = stored;
  const kept =
    flags.every === undefined || flags.every === stored.every
      ? stored
      : { every: flags.every, time, zone, shift, holidays: stored.holidays };
  const { holidays, ...edited } = { ...kept, ...flags };
  return { ...edited, ...(holidays !== undefined && holidays !== "none" && { holidays }) };
}

/**
 * Returns all settings of a schedule with the given options changed.
 * @throws CliError if an option is invalid.
 */
export async function editedSettings(
  stored: ScheduleDocument,
  flags: EditFlags,
): Promise<EditedSchedule> {
  const { ScheduleEdit } = await import("#schedule/schedule.ts");
  const rule = editedRule(storedRule(stored), flags);
  const { list, folder, amounts = stored.amounts ?? ANY_FORMAT, lead, grace, expires } = flags;
  const { currency = stored.currency ?? NO_CURRENCY } = flags;
  const isSameSource = list === undefined && folder === undefined;
  const hours = (text: string | undefined, before: number) =>
    text === undefined ? before : parseWholeNumber(text);
  const edited = ScheduleEdit.safeParse({
    name: flags.name ?? stored.name,
    calendar: await parseCalendar({ ...rule }),
    list: isSameSource ? (stored.list ?? undefined) : list,
    folder: isSameSource ? (stored.folder ?? undefined) : folder,
    ...(amounts !== ANY_FORMAT && list === undefined && { amounts }),
    ...(currency !== NO_CURRENCY && list === undefined && { currency }),
    allow_second: flags.allowSecond ?? false,
    allow_repeat: flags.allowRepeat,
    allow_skip: flags.allowSkip,
    lead_hours: hours(lead, stored.lead_hours),
    grace_hours: hours(grace, stored.grace_hours),
    expires_hours: hours(expires, stored.expires_hours),
    version: stored.version,
  });
  if (!edited.success) {
    const days = { "allow-repeat": flags.allowRepeat, "allow-skip": flags.allowSkip };
    throw await wrongOptions(edited.error, { ...flags, ...days, ...rule });
  }
  return edited.data;
}
