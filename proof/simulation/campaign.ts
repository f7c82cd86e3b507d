import { availableParallelism } from "node:os";
import type { RunResult } from "#proof/simulation/run/run.ts";
import { inThread } from "./thread.ts";
import { addTotals, noTotals, type Totals } from "./totals.ts";

export interface Campaign {
  readonly seed: number;
  readonly runs: number;
  readonly payouts: number;
}

/** The part of one thread: every `step`-th seed of the campaign from its own. */
export interface CampaignShare extends Campaign {
  readonly step: number;
}

/**
 * A thread stops at its first failure, so the smallest failing seed is known whatever the number of
 * threads.
 */
export interface ShareResult {
  readonly totals: Totals;
  readonly failure: RunResult | null;
}

export interface CampaignResult {
  readonly totals: Totals;
  /** The failing run with the smallest seed. */
  readonly failure: RunResult | null;
}

/**
 * Spreads the runs over threads. Without a failure the totals do not depend on the number of
 * threads.
 */
export async function runCampaign(
  campaign: Campaign,
  threads = Math.min(availableParallelism(), campaign.runs),
): Promise<CampaignResult> {
  const shares = Array.from({ length: threads }, (_, index) =>
    inThread<ShareResult>("./campaign-thread.ts", {
      ...campaign,
      seed: campaign.seed + index,
      runs: campaign.runs - index,
      step: threads,
    } satisfies CampaignShare),
  );
  const totals = noTotals();
  let failure: RunResult | null = null;
  for (const share of await Promise.all(shares)) {
    addTotals(totals, share.totals);
    if (share.failure && !(failure && failure.seed < share.failure.seed)) failure = share.failure;
  }
  return { totals, failure };
}
