import { ask } from "#flows/ask.ts";
import type { PayDeps } from "#flows/deps.ts";
import { isStale } from "#jobs/submit.ts";
import { again, done, type Verdict } from "#jobs/verdict.ts";

const SHARE = 200;

/** Asks about payouts of one batch and lane that are accepted or in doubt and due for a question. */
export async function resolve(
  job: { readonly batchId: string; readonly lane: string; readonly round: number },
  deps: PayDeps,
): Promise<Verdict> {
  const { batchId, lane } = job;
  if (isStale(job, deps.clock.nowMs())) return done;
  const { ledger, log, slots, stopping, leaseMs } = deps;
  const asking = new Set<Promise<void>>();
  let left = SHARE;
  while (left > 0 && !stopping.aborted) {
    const free = await slots.take(left);
    const questions = await ledger
      .takeQuestions({ batchId, lane, sizeMax: free, leaseMs })
      .catch((error: unknown) => {
        slots.give(free);
        throw error;
      });
    slots.give(free - questions.length);
    if (questions.length === 0) break;
    left -= questions.length;

    for (const question of questions) {
      const answered = ask(question, deps)
        // It is due again when its lease runs out.
        .catch((error: unknown) => {
          log.error({ err: error, transaction_code: question.transactionCode }, "question broke");
        })
        .finally(() => {
          slots.give(1);
          asking.delete(answered);
        });
      asking.add(answered);
    }
  }
  await Promise.all(asking);
  return left === 0 && !stopping.aborted ? again(0) : done;
}
