import type { PayDeps } from "#flows/deps.ts";
import { SHARE } from "#jobs/submit.ts";
import { again, done, type Verdict } from "#jobs/verdict.ts";

/**
 * Works through one share of what is due. Something is taken only when a request slot is free for it, so a kill
 * leaves in doubt only what was on the wire. What breaks is logged and keeps its lease: it is due again when that
 * runs out.
 *
 * @param take up to so many pieces of work, claimed in the ledger; none: there is no more.
 */
export async function workThrough<Work>(
  take: (sizeMax: number) => Promise<readonly Work[]>,
  run: (work: Work) => Promise<void>,
  { slots, stopping, log }: Pick<PayDeps, "slots" | "stopping" | "log">,
): Promise<Verdict> {
  const underWay = new Set<Promise<void>>();
  let left = SHARE;
  try {
    while (left > 0 && !stopping.aborted) {
      const free = await slots.take(left);
      let taken: readonly Work[] = [];
      try {
        if (!stopping.aborted) taken = await take(free);
      } finally {
        slots.give(free - taken.length);
      }
      if (taken.length === 0) break;
      left -= taken.length;

      for (const work of taken) {
        const running = run(work)
          .catch((error: unknown) => log.error({ err: error }, "a payout's work broke"))
          .finally(() => {
            slots.give(1);
            underWay.delete(running);
          });
        underWay.add(running);
      }
    }
  } finally {
    await Promise.all(underWay);
  }
  return left === 0 && !stopping.aborted ? again(0) : done;
}
