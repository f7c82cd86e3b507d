import { ask } from "#flows/ask.ts";
import type { PayDeps } from "#flows/deps.ts";
import { withSlot } from "#flows/slots.ts";
import type { Question } from "#ledger/ledger.ts";
import { ARRIVES_WITHIN_MS, processingMsOf } from "#payout/resend.ts";

const AT_ONCE = 4;

/**
 * Looks again at payouts that have settled or were declined after their code had been sent again: a second record of the code is
 * the only trace of a payout that the gateway took twice, and it may show after the first one has ended. Safe to run twice at once, and
 * to be killed: what was not looked at stays due.
 */
export async function checkRepeated(deps: PayDeps): Promise<void> {
  const { ledger, leaseMs, stopping } = deps;
  while (!stopping.aborted) {
    const due = await ledger.takeChecks({ sizeMax: AT_ONCE, leaseMs });
    if (due.length === 0) return;
    await Promise.all(due.map((question) => check(question, deps)));
  }
}

async function check(question: Question, deps: PayDeps): Promise<void> {
  const { ledger, pace } = deps;
  const answer = await withSlot(deps, () => ask(question, deps));
  const againMs = Math.max(processingMsOf(question, pace), question.sinceLastSentMs / 4);
  const isOver = question.sinceLastSentMs > ARRIVES_WITHIN_MS + againMs;
  await ledger.noteCheck(question.payoutId, isOver && answer === "found" ? null : againMs);
}
