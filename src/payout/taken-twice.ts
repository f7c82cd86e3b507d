import type { StatusRecord } from "#payout/outcome.ts";
import { type ReasonCode, reason } from "#payout/reasons.ts";
import type { Known } from "#payout/decision.ts";

export const TAKEN_TWICE: readonly ReasonCode[] = ["two_records", "accepted_twice"];

const CODES: ReadonlySet<string> = new Set(TAKEN_TWICE);

/** Returns whether a payout is on hold because the gateway may have paid it twice. */
export const isTakenTwice = (cause: string | null): boolean => cause !== null && CODES.has(cause);

/**
 * Returns the only trace that a double payment leaves. Null: there is none, or it was known when
 * the payout was resolved manually.
 */
export function takenTwice(
  known: Pick<
    Known,
    "acceptedTimes" | "gatewayNumber" | "isRepeated" | "state" | "takenTwiceBefore"
  >,
  record: StatusRecord,
): string | null {
  const why = whyTakenTwice(known, record);
  return why !== null && known.state === "resolved" && known.takenTwiceBefore.includes(why)
    ? null
    : why;
}

function whyTakenTwice(
  {
    acceptedTimes,
    gatewayNumber,
    isRepeated,
  }: Pick<Known, "acceptedTimes" | "gatewayNumber" | "isRepeated">,
  record: StatusRecord,
): string | null {
  const seen = [gatewayNumber, record.gatewayNumber, ...(record.numbers ?? [])];
  const numbers = [...new Set(seen)].filter((number) => number !== null).toSorted();
  if (numbers.length > 1) return reason("two_records", numbers.join(" and "));
  // Records without a number may be one record that is listed twice. For a code that was sent twice
  // this cannot be known.
  const { unnumbered = 0 } = record;
  if (isRepeated && unnumbered > 0 && numbers.length + unnumbered > 1)
    return reason(
      "two_records",
      `${numbers.length + unnumbered} records, at least one without a number`,
    );
  return acceptedTimes > 1 ? reason("accepted_twice") : null;
}
