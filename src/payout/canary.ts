import type { PayoutState } from "#payout/lifecycle.ts";

/** The first payouts of a batch in one lane, as they stand while the rest waits for them. */
export interface CanaryNow {
  readonly payouts: number;
  readonly settled: number;
  /** One that has ended otherwise. */
  readonly lost: { readonly transactionCode: string; readonly state: PayoutState } | null;
  /** How long the one has been under way that was sent first and has not ended; null: none is. */
  readonly openMs: number | null;
}

export type CanaryVerdict =
  | { readonly kind: "wait" }
  | { readonly kind: "release" }
  /** The batch is paused, for a person. */
  | { readonly kind: "fail"; readonly reason: string };

/** Whether the rest may follow. One that has not been sent yet is waited for as long as it takes: its lane tells why. */
export function judgeCanary(
  { payouts, settled, lost, openMs }: CanaryNow,
  patienceMinutes: number,
): CanaryVerdict {
  if (lost) {
    return { kind: "fail", reason: `canary: ${lost.transactionCode} is ${lost.state}` };
  }
  if (settled === payouts) return { kind: "release" };
  if (openMs === null || openMs <= patienceMinutes * 60_000) return { kind: "wait" };
  return {
    kind: "fail",
    reason: `canary: ${settled} of ${payouts} settled after ${patienceMinutes} minutes`,
  };
}
