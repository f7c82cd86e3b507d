import { queryStatus } from "#flows/payout/status-query.ts";
import type { PayDeps } from "#flows/deps.ts";
import { withSlot } from "#flows/request-slots.ts";
import type { StatusQuery } from "#ledger/ledger.ts";
import { ARRIVES_WITHIN_MS, processingMsOf } from "#payout/resend.ts";

const AT_ONCE = 4;

/**
 * Checks payouts that have finished, are on hold or were resolved after their code had been sent
 * again. A second record of the code is the only trace of a payout that the gateway took twice, and
 * it may appear after the first one has finished. Safe to run concurrently and to kill: a check
 * that was not made stays due.
 */
export async function checkRepeatedCodes(deps: PayDeps): Promise<void> {
  const { ledger, leaseMs, stopping } = deps;
  while (!stopping.aborted) {
    const due = await ledger.payout.claimRepeatedCodeChecks({ sizeMax: AT_ONCE, leaseMs });
    if (due.length === 0) return;
    await Promise.all(due.map((query) => check(query, deps)));
  }
}

async function check(query: StatusQuery, deps: PayDeps): Promise<void> {
  const { ledger, timings } = deps;
  const answer = await withSlot(deps, () => queryStatus(query, deps, { isCheck: true }));
  const againMs = Math.max(processingMsOf(query, timings), query.sinceLastSentMs / 4);
  const isOver = query.sinceLastSentMs > ARRIVES_WITHIN_MS + againMs;
  await ledger.payout.scheduleRepeatedCodeCheck(
    query.payoutId,
    isOver && answer === "found" ? null : againMs,
  );
}
