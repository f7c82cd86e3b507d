import type { PayDeps } from "#flows/deps.ts";
import { JOB_PAYOUTS_MAX } from "#jobs/submit.ts";
import { runAgain, done, type JobResult } from "#jobs/verdict.ts";

/**
 * Maximum duration of a share in milliseconds, regardless of the number of payouts sent: other jobs
 * get their turn after a second, not after a full share.
 */
const SHARE_MS = 1_000;

/**
 * Works through one share of the due work. Work is taken only when a request slot is free for it,
 * so that a kill leaves in doubt only the payouts in flight. Work that throws is logged and keeps
 * its lease: it is due again when the lease runs out.
 *
 * @param take claims up to `sizeMax` pieces of work in the ledger. Empty: no work is left.
 * @param rank lower ranks get request slots first.
 */
export async function runShare<Work>(
  take: (sizeMax: number) => Promise<readonly Work[]>,
  run: (work: Work) => Promise<unknown>,
  { slots, stopping, log, clock }: Pick<PayDeps, "slots" | "stopping" | "log" | "clock">,
  rank = 0,
): Promise<JobResult> {
  const endMs = clock.monotonicMs() + SHARE_MS;
  const underWay = new Set<Promise<unknown>>();
  const start = (work: Work) => {
    const running = slots
      .trackInFlight(() => run(work))
      .catch((error: unknown) => log.error({ err: error }, "work on a payout failed"))
      .finally(() => {
        slots.release(1, rank);
        underWay.delete(running);
      });
    underWay.add(running);
  };
  try {
    for (
      let left = JOB_PAYOUTS_MAX;
      left > 0 && clock.monotonicMs() < endMs && !stopping.aborted;
    ) {
      const free = await slots.acquire(left, rank);
      let taken: readonly Work[] = [];
      try {
        if (!stopping.aborted) taken = await take(free);
      } finally {
        slots.release(free - taken.length, rank);
      }
      if (taken.length === 0) return done;
      left -= taken.length;
      for (const work of taken) start(work);
    }
  } finally {
    await Promise.all(underWay);
  }
  return stopping.aborted ? done : runAgain(0);
}
