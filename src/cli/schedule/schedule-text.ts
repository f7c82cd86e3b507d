import type { API } from "#api/api.ts";
import type { AnswerOf } from "#api/app/operation.ts";
import { missedCutOffText } from "#cli/schedule/missed-cut-offs.ts";
import type { ScheduleDocument } from "#cli/schedule/schedules.ts";
import { plural } from "#cli/terminal/output.ts";

/** The rule as a sentence, with its note. */
export const ruleText = ({ says, note }: Pick<ScheduleDocument, "says" | "note">): string =>
  note === null ? says : `${says} ${note}`;

/** Formats the next times, each with the cut-offs that it misses. */
export const nextLines = (times: ScheduleDocument["next"]): string[] =>
  times.flatMap(({ says, misses }) => [
    `  ${says}`,
    ...misses.map((miss) => `    ${missedCutOffText(miss)}`),
  ]);

type Occurrence = Pick<ScheduleDocument["occurrences"][number], "state" | "needs_duplicate_reason">;

/** The state of an occurrence. Exact duplicates may block the batch that was created. */
export const occurrenceState = ({
  state,
  needs_duplicate_reason: isBlocked,
}: Occurrence): string => (isBlocked ? "blocked: exact duplicates need a reason" : state);

type Preview = AnswerOf<(typeof API)["POST /api/schedules/preview"]>;

/** Describes the first batch of a schedule from a list, and why it may be blocked. */
export function firstBatchLines({ first_batch: first, collision }: Preview): string[] {
  if (first === null) return [];
  const { payouts, totals, says, created_says: created } = first;
  const amounts = totals.map(({ currency, amount }) => `${currency} ${amount}`).join(", ");
  const when = created === null ? "now" : `on ${created}`;
  const batch = `First batch: ${plural(payouts, "payout")} (${amounts}), created ${when} and sent on ${says} if it has been approved.`;
  return collision === null ? [batch] : [batch, `The first batch may be blocked. ${collision}`];
}
