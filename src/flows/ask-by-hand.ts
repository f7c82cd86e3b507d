import { ask } from "#flows/ask.ts";
import type { PayDeps } from "#flows/deps.ts";

/** Asks the gateway about one payout now, whatever is due when. A code that is not ours is asked about nowhere. */
export async function askByHand(transactionCode: string, deps: PayDeps): Promise<void> {
  const question = await deps.ledger.questionAbout(transactionCode);
  if (!question) return;
  const slot = await deps.slots.take(1);
  try {
    await ask(question, deps);
  } finally {
    deps.slots.give(slot);
  }
}
