import { reason, reasonSaid } from "#payout/reasons.ts";
import { untilAskedMs } from "#payout/backoff.ts";
import type { Decision, Known, Pace } from "#payout/decision.ts";

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
export function decideRefusedSinceRestore(known: Known, pace: Pace): Decision {
  const times = known.heard === "not_found" ? known.heardTimes + 1 : 1;
  const isLongAgo = known.sinceLastSentMs >= CONFIRMED_AFTER * pace.resolveAfterMs;
  if (times < NOT_FOUND_MIN || !isLongAgo) {
    return { kind: "wait", dueInMs: untilAskedMs(known, pace, null), heard: "not_found" };
  }
  return {
    kind: "move",
    event: "decline",
    reason: reason("refused", reasonSaid(known.reason)),
    dueInMs: 0,
    gatewayNumber: null,
  };
}
