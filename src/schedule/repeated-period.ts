import { Temporal } from "temporal-polyfill";
import type { Calendar, Rule } from "#schedule/calendar.ts";

/** The usual number of days between two occurrences of a rule. */
function usualDays(rule: Rule): number {
  if (rule.every === "day") return 1;
  if (rule.every === "week") return (7 * rule.weeks) / rule.on.length;
  return 28;
}

/**
 * States why the first occurrence after an edit may pay for a period that is already paid: the days
 * of the rule have changed, and less time than usual has passed since the last batch. Null: neither
 * is the case.
 *
 * @param last local time of the last occurrence that has, or is getting, a batch.
 * @param first local time of the first occurrence under the new rule.
 */
export function repeatedPeriod(
  { rule }: Calendar,
  { isNewRule, last, first }: { isNewRule: boolean; last: string | null; first: string },
): string | null {
  if (!isNewRule || last === null) return null;
  const dayOf = (local: string) => Temporal.PlainDate.from(local.slice(0, 10));
  const { days } = dayOf(last).until(dayOf(first), { largestUnit: "days" });
  return days < usualDays(rule)
    ? `The schedule already has a batch for ${last.replace("T", " ")}. With the new rule, it also pays on ${first.slice(0, 10)}.`
    : null;
}
