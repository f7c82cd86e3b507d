import { ask } from "#flows/ask.ts";
import type { PayDeps } from "#flows/deps.ts";
import { workThrough } from "#flows/share.ts";
import type { Verdict } from "#jobs/verdict.ts";

/**
 * Asks for every payout that a frozen ledger knows of no attempt for: another history of the ledger may have sent it
 * (F25, F26). What the gateway knows is followed or held; the rest is marked as asked for. Killed, it goes on where
 * no answer is on record; with several workers at it, they share the work. What has been sent as far as the ledger
 * knows is asked for by the questions that are due anyway.
 */
export async function askUnsent(deps: PayDeps): Promise<void> {
  const { ledger, leaseMs } = deps;
  let after = 0;
  const page = async (sizeMax: number) => {
    const taken = await ledger.takeUnasked({ after, sizeMax, leaseMs });
    after = taken.at(-1)?.payoutId ?? after;
    return taken;
  };
  let verdict: Verdict;
  do verdict = await workThrough(page, (question) => ask(question, deps), deps);
  while (verdict.kind === "again");
}
