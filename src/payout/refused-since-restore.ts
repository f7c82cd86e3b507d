import { storedReason, reasonDetail } from "#payout/reasons.ts";
import { queryDelayMs } from "#payout/backoff.ts";
import type { Decision, KnownPayout, Timings } from "#payout/decision.ts";

/**
 * The record of an attempt that the ledger has lost is old by now: this many first waits are
 * enough, and this many answers.
 */
const CONFIRMED_AFTER = 2;
const NOT_FOUND_MIN = 2;

/**
 * Decides what "not found" requires after a refusal in a restored ledger. The gateway may check
 * other things before the code, so the refusal alone does not show that the code was never paid in
 * the history that the ledger has lost.
 */
export function decideRefusedSinceRestore(known: KnownPayout, timings: Timings): Decision {
  const times = known.statusAnswer === "not_found" ? known.statusAnswerTimes + 1 : 1;
  const isLongAgo = known.sinceLastSentMs >= CONFIRMED_AFTER * timings.resolveAfterMs;
  if (times < NOT_FOUND_MIN || !isLongAgo) {
    return { kind: "wait", dueInMs: queryDelayMs(known, timings, null), statusAnswer: "not_found" };
  }
  return {
    kind: "move",
    event: "decline",
    reason: storedReason("refused", reasonDetail(known.reason)),
    dueInMs: 0,
    gatewayNumber: null,
  };
}
