import { newId } from "#base/ids.ts";
import { OtherDays } from "#flows/reconciliation/other-days.ts";
import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import type { PayoutAction } from "#ledger/payout/action/actions.ts";

/**
 * Repeats the comparisons of the statements that list the payouts which an action has resolved, so
 * that breaks which the resolution explains are closed. Other actions resolve none. If the process
 * ends before, the breaks stay open until the next comparison of their day.
 */
export async function compareResolved(
  { id, action, state }: Pick<PayoutAction, "id" | "action" | "state">,
  actor: string,
  { ledger, clock }: StatementDeps,
): Promise<void> {
  if (action !== "resolve" || state !== "applied") return;
  for (const { lane, codes } of await ledger.reconciliation.findResolvedCodes(id)) {
    await ledger.transaction(async (transaction) => {
      const { reconciliation } = transaction;
      await reconciliation.lockStatements(lane);
      // No statement is left out, because none has just been compared.
      const compared = { lane, day: "", statementId: "", comparison: newId("CM"), actor };
      const days = new OtherDays(compared, reconciliation);
      await days.add(codes);
      const { closed, days: comparedDays } = await days.end();
      if (comparedDays.length === 0) return;
      const facts = { lane, action: id, closed, other_days: comparedDays };
      const at = new Date(clock.nowMs());
      await transaction.integrity.appendAudit(at, {
        actor,
        action: "reconcile",
        object: id,
        facts,
      });
    });
  }
}
