import { newId } from "#base/ids.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import { type ResolutionRefusal, valueOrRefusal } from "#ledger/payout/resolution-refusals.ts";
import type { BreakApplyOrder, BreakApplyRefusal } from "#ledger/reconciliation/bulk/apply.ts";
import type { StoredBreakAction } from "#ledger/reconciliation/bulk/break-actions.ts";
import { type BreakOrder, TooManyBreaks } from "#ledger/reconciliation/bulk/preview.ts";

/** Time in which a preview can be applied. */
const PREVIEW_MS = 15 * 60_000;

/** Stores which breaks an action would change, and why it would not change the others. */
export async function previewBreakAction(
  order: Pick<BreakOrder, "action" | "chosen" | "actor">,
  { ledger, clock }: StatementDeps,
): Promise<Result<StoredBreakAction, "too_many_breaks">> {
  const nowMs = clock.nowMs();
  const stored = {
    ...order,
    id: newId("BA"),
    at: new Date(nowMs),
    expiresAt: new Date(nowMs + PREVIEW_MS),
  };
  try {
    return ok(
      await ledger.transaction(({ reconciliation }) => reconciliation.previewBreakAction(stored)),
    );
  } catch (error) {
    if (error instanceof TooManyBreaks) return err("too_many_breaks");
    throw error;
  }
}

/** Applies a preview to exactly the previewed breaks that still qualify. */
export async function applyBreakAction(
  order: Omit<BreakApplyOrder, "at">,
  { ledger, clock }: StatementDeps,
): Promise<Result<StoredBreakAction, BreakApplyRefusal | ResolutionRefusal>> {
  const run = await valueOrRefusal(
    ledger.transaction(({ reconciliation }) =>
      reconciliation.applyBreakAction({ ...order, at: new Date(clock.nowMs()) }),
    ),
  );
  return run.ok ? run.value : run;
}
