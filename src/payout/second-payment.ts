import type { StatusRecord } from "#payout/outcome.ts";
import { type ReasonCode, storedReason } from "#payout/reasons.ts";
import type { KnownPayout } from "#payout/decision.ts";

export const PAID_TWICE_REASONS: readonly ReasonCode[] = ["two_records", "accepted_twice"];

const CODES: ReadonlySet<string> = new Set(PAID_TWICE_REASONS);

/** Returns whether a payout is on hold because the gateway may have paid it twice. */
export const isTakenTwice = (cause: string | null): boolean => cause !== null && CODES.has(cause);

/**
 * Returns the only trace that a double payment leaves. Null: there is none, or it was known when
 * the payout was resolved manually.
 */
export function findSecondPayment(
  known: Pick<
    KnownPayout,
    "acceptedTimes" | "gatewayNumber" | "isRepeated" | "state" | "paidTwiceBefore"
  >,
  record: StatusRecord,
): string | null {
  const why = whyMaybePaidTwice(known, record);
  return why !== null && known.state === "resolved" && known.paidTwiceBefore.includes(why)
    ? null
    : why;
}

function whyMaybePaidTwice(
  {
    acceptedTimes,
    gatewayNumber,
    isRepeated,
  }: Pick<KnownPayout, "acceptedTimes" | "gatewayNumber" | "isRepeated">,
  record: StatusRecord,
): string | null {
  const seen = [gatewayNumber, record.gatewayNumber, ...(record.numbers ?? [])];
  const numbers = [...new Set(seen)].filter((number) => number !== null).toSorted();
  if (numbers.length > 1) return storedReason("two_records", numbers.join(" and "));
  // Records without a number may be one record that is listed twice. For a code that was sent twice
  // this cannot be known.
  const { unnumbered = 0 } = record;
  if (isRepeated && unnumbered > 0 && numbers.length + unnumbered > 1)
    return storedReason(
      "two_records",
      `${numbers.length + unnumbered} records, at least one without a number`,
    );
  return acceptedTimes > 1 ? storedReason("accepted_twice") : null;
}
