import type { PayDeps } from "#flows/deps.ts";
import { send } from "#flows/send.ts";
import { isStale } from "#jobs/submit.ts";
import { again, done, type Verdict } from "#jobs/verdict.ts";

/** How many payouts one job may send before it goes to the back of the queue: a small batch gets its turn beside a large one. */
export const SHARE = 200;

/**
 * Sends due payouts of one batch and lane. A payout is claimed only when a request slot is free for it, so a kill
 * leaves in doubt only what was on the wire. Safe to run twice at once: a claim is a compare-and-set.
 */
export async function submit(
  job: { readonly batchId: string; readonly lane: string; readonly round: number },
  deps: PayDeps,
): Promise<Verdict> {
  const { batchId, lane } = job;
  if (isStale(job, deps.clock.nowMs())) return done;
  const { ledger, keyring, log, slots, stopping, worker, leaseMs } = deps;
  const merchant = keyring.all.find(({ merchantCode, currencies }) =>
    currencies.some((currency) => lane === `${merchantCode}/${currency}`),
  );
  if (!merchant) {
    await ledger.stopLane(lane, {
      until: "person",
      reason: `no merchant is configured for ${lane}: its credentials are missing, or were replaced after the batch was approved`,
    });
    return done;
  }

  const onTheWire = new Set<Promise<void>>();
  let left = SHARE;
  while (left > 0 && !stopping.aborted) {
    const free = await slots.take(left);
    const claim = { batchId, lane, sizeMax: free, worker, leaseMs, keyId: merchant.keyId };
    const attempts = await ledger.openAttempts(claim).catch((error: unknown) => {
      slots.give(free);
      throw error;
    });
    slots.give(free - attempts.length);
    if (attempts.length === 0) break;
    left -= attempts.length;

    for (const attempt of attempts) {
      const sending = send(attempt, deps)
        // The payout stays `submitting` with a lease: it will be asked for.
        .catch((error: unknown) => {
          log.error({ err: error, transaction_code: attempt.order.transactionCode }, "send broke");
        })
        .finally(() => {
          slots.give(1);
          onTheWire.delete(sending);
        });
      onTheWire.add(sending);
    }
  }
  await Promise.all(onTheWire);
  return left === 0 && !stopping.aborted ? again(0) : done;
}
