import { newId } from "#base/ids.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import type { PayoutAction } from "#ledger/payout/action/actions.ts";
import type { AssignRefusal } from "#ledger/payout/action/assign.ts";
import type { ApplyRefusal } from "#ledger/payout/action/apply.ts";
import { type ActionOrder, TooManySelected } from "#ledger/payout/action/preview.ts";
import type { DecideRefusal } from "#ledger/payout/action/resolutions.ts";
import { type ResolutionRefusal, valueOrRefusal } from "#ledger/payout/resolution-refusals.ts";

interface ActionDeps {
  readonly ledger: Pick<PayingLedger, "payout" | "integrity">;
}

/** Stores which payouts an action would change, and why it would not change the others. */
export async function previewPayoutAction(
  order: Omit<ActionOrder, "at" | "id">,
  { ledger, id = newId("PA") }: ActionDeps & { readonly id?: string },
): Promise<Result<PayoutAction, "too_many_payouts">> {
  try {
    return ok(await ledger.payout.previewAction({ ...order, id }));
  } catch (error) {
    if (error instanceof TooManySelected) return err("too_many_payouts");
    throw error;
  }
}

/**
 * Applies a preview to exactly the previewed payouts that still qualify. The sweep finds released
 * payouts like all other unsent ones. A batch whose last unfinished payouts were cancelled is
 * finished.
 */
export async function applyPayoutAction(
  order: { readonly id: string; readonly actor: string; readonly reason: string },
  { ledger }: ActionDeps,
): Promise<Result<PayoutAction, ApplyRefusal | ResolutionRefusal>> {
  if (await ledger.integrity.verify()) return err("ledger_frozen");
  const applied = await orRefused(ledger.payout.applyAction(order));
  if (!applied.ok) return applied;
  const { action, batchIds } = applied.value;
  if (action.action === "cancel") {
    for (const batchId of batchIds) await ledger.payout.finishBatch(batchId);
  }
  return ok(action);
}

/**
 * Assigns exactly the previewed payouts that still qualify to a user, or to nobody. No payout
 * changes, so a frozen ledger allows it.
 */
export const assignPreviewedPayouts = (
  order: { readonly id: string; readonly actor: string; readonly to: string | null },
  { ledger }: ActionDeps,
): Promise<Result<PayoutAction, AssignRefusal>> => ledger.payout.assignPayouts(order);

/** Confirms or rejects all proposals of a resolution. The approver must not be the proposer. */
export async function decidePayoutAction(
  decision: {
    readonly id: string;
    readonly actor: string;
    readonly agree: boolean;
    readonly reason: string | null;
  },
  { ledger }: ActionDeps,
): Promise<Result<PayoutAction, DecideRefusal | "ledger_frozen" | ResolutionRefusal>> {
  if (await ledger.integrity.verify()) return err("ledger_frozen");
  return orRefused(ledger.payout.decideAction(decision));
}

/** Returns the result of a transaction, or the reason if the ledger refused it. */
async function orRefused<T, E>(
  transaction: Promise<Result<T, E>>,
): Promise<Result<T, E | ResolutionRefusal>> {
  const run = await valueOrRefusal(transaction);
  return run.ok ? run.value : run;
}
