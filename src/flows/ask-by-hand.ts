import { ask } from "#flows/ask.ts";
import type { PayDeps } from "#flows/deps.ts";
import { withSlot } from "#flows/slots.ts";
import type { Database } from "#ledger/database.ts";
import { noteOn } from "#ledger/payout-page.ts";
import { whyNotAsked } from "#payout/outlook.ts";
import { err, ok, type Result } from "#result.ts";

/** Asks the gateway about one payout now, whatever is due when. A code that is not ours is asked about nowhere. */
export async function askByHand(transactionCode: string, deps: PayDeps): Promise<void> {
  const question = await deps.ledger.questionAbout(transactionCode);
  if (!question) return;
  await withSlot(deps, () => ask(question, deps));
}

/** The same for a person, whose wish is on the audit log first. Err: why it is not asked for; null: there is no such payout. */
export async function askForPerson(
  wish: { readonly code: string; readonly actor: string; readonly at: Date },
  deps: PayDeps,
  database: Database,
): Promise<Result<true, string | null>> {
  const question = await deps.ledger.questionAbout(wish.code);
  if (!question) return err(null);
  const why = whyNotAsked(question.state);
  if (why !== null) return err(why);
  await noteOn(database, "ask", wish);
  await askByHand(wish.code, deps);
  return ok(true);
}
