import { Temporal } from "temporal-polyfill";
import type { Rule } from "#schedule/calendar.ts";

const MONTH_DAYS = 28;

/** The usual number of days between two occurrences of a rule. */
function usualDays(rule: Rule): number {
  if (rule.every === "day") return 1;
  if (rule.every === "week") return (7 * rule.weeks) / rule.on.length;
  return MONTH_DAYS;
}

/**
 * States why the first occurrence of a new rule may pay for a period that is already paid: less
 * time than usual has passed since the last occurrence, or both are in one month. Null: neither is
 * the case.
 *
 * @param rules the old and the new rule. `gapDays` are the days between the last two batches, which
 * may be of an earlier rule.
 * @param last local time of the last occurrence that is no longer planned, even if it was skipped.
 * @param first local time of the first occurrence under the new rule.
 */
export function repeatedPeriod(
  {
    before,
    after,
    gapDays,
  }: { readonly before: Rule; readonly after: Rule; readonly gapDays: number },
  { last, first }: { readonly last: string; readonly first: string },
): string | null {
  const dayOf = (local: string) => Temporal.PlainDate.from(local.slice(0, 10));
  const { days } = dayOf(last).until(dayOf(first), { largestUnit: "days" });
  const usual = Math.max(usualDays(before), usualDays(after), gapDays);
  const isSameMonth = usual >= MONTH_DAYS && last.slice(0, 7) === first.slice(0, 7);
  return days < usual || isSameMonth
    ? `The schedule already has an occurrence at ${last.replace("T", " ")}. With the new rule, it also pays on ${first.slice(0, 10)}.`
    : null;
}
