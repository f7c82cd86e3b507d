import { parentPort, workerData } from "node:worker_threads";
import type { CampaignShare, ShareResult } from "./campaign.ts";
import { runOnce } from "#proof/simulation/run/run.ts";
import { addRun, noTotals } from "./totals.ts";

/** A thread of a campaign. */
const { seed, runs, step, payouts } = workerData as CampaignShare;
const totals = noTotals();
let result: ShareResult = { totals, failure: null };
for (let at = 0; at < runs && !result.failure; at += step) {
  const run = await runOnce(seed + at, payouts, null);
  addRun(totals, run);
  if (run.violation) result = { totals, failure: run };
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
parentPort?.postMessage(result);
