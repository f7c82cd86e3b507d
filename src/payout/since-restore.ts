import type { Decision, Known, Pace } from "#payout/decide.ts";
import { reason, reasonSaid } from "#payout/reasons.ts";
import { untilAskedMs } from "#payout/waits.ts";

/** A record of an attempt that the ledger has lost is long there: so many first waits are enough, and so many answers. */
const CONFIRMED_AFTER = 2;
const NOT_FOUND_MIN = 2;

/**
 * What "not found" calls for after a refusal in a ledger that was restored. The gateway may look at other things before it
 * looks at the code, so the refusal alone does not say that the code was not paid in what the ledger has lost.
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
