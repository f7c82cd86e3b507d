import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** The state of the first payouts of a batch in one lane, while the other payouts wait for them. */
export interface CanaryProgress {
  readonly payouts: number;
  readonly settled: number;
  /** A canary that has finished in another state. Null: there is none. */
  readonly lost: { readonly transactionCode: string; readonly state: PayoutState } | null;
  /** Milliseconds that the earliest sent unfinished canary has been in progress. Null: none is. */
  readonly openMs: number | null;
}

export type CanaryDecision =
  | { readonly kind: "wait" }
  | { readonly kind: "release" }
  /** The batch is paused until a person decides. */
  | { readonly kind: "fail"; readonly reason: string };

/**
 * Decides whether the other payouts may follow. A canary that has not been sent yet is awaited
 * without limit: its lane reports the reason.
 */
export function decideCanary(
  { payouts, settled, lost, openMs }: CanaryProgress,
  patienceMinutes: number,
): CanaryDecision {
  if (lost) {
    return {
      kind: "fail",
      reason: `the canary payout ${lost.transactionCode} is ${lost.state.replaceAll("_", " ")}`,
    };
  }
  if (settled === payouts) return { kind: "release" };
  if (openMs === null || openMs <= patienceMinutes * 60_000) return { kind: "wait" };
  return {
    kind: "fail",
    reason: `${settled} of ${payouts} canary payouts settled within ${patienceMinutes} minutes`,
  };
}
