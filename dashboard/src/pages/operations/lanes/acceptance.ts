import type { Tone } from "../../../base/state.ts";

/** The acceptance of a lane in the last ten minutes: its mark and the threshold it is below. */
interface Acceptance {
  readonly level: "low" | "critical";
  readonly tone: Tone;
  readonly threshold: number;
}

/** With fewer submissions, a low rate may be chance, so it is not critical. */
const CRITICAL_SENT_MIN = 5;
/** The two-minute intervals of the last ten minutes. */
const INTERVALS = 5;

/** Returns the mark of an acceptance rate, or null if the rate is as usual or unknown. */
export function acceptanceOf(
  rate: { readonly accepted_percent: number | null; readonly sent: readonly number[] } | null,
  thresholds: {
    readonly low_acceptance_percent: number;
    readonly critical_acceptance_percent: number;
  },
): Acceptance | null {
  const percent = rate?.accepted_percent ?? null;
  if (rate === null || percent === null) return null;
  const { low_acceptance_percent: low, critical_acceptance_percent: critical } = thresholds;
  const sent = rate.sent.slice(-INTERVALS).reduce((sum, count) => sum + count, 0);
  if (percent < critical && sent >= CRITICAL_SENT_MIN)
    return { level: "critical", tone: "declined", threshold: critical };
  if (percent < Math.max(low, critical))
    return { level: "low", tone: "awaiting", threshold: Math.max(low, critical) };
  return null;
}
