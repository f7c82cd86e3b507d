import { newId } from "#base/ids.ts";
import { OtherDays } from "#flows/reconciliation/other-days.ts";
import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
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
      await transaction.reconciliation.lockStatements(lane);
      const at = new Date(clock.nowMs());
      await compareCodes(
        { lane, codes, object: id, facts: { action: id } },
        { actor, at },
        transaction,
      );
    });
  }
}

/**
 * Repeats the comparison of a day for the codes that may have changed since: those of its
 * unresolved breaks, and those of payouts that have settled or were resolved later. A payout that
 * settles after the comparison thus closes its break, or becomes one if no line lists it.
 */
export async function compareLate(
  { lane, day }: { readonly lane: string; readonly day: string },
  actor: string,
  { ledger, clock }: StatementDeps,
): Promise<void> {
  await ledger.transaction(async (transaction) => {
    const { reconciliation } = transaction;
    await reconciliation.lockStatements(lane);
    const statement = await reconciliation.findStatement(lane, day);
    if (!statement?.isCompared) return;
    const codes = await reconciliation.findLateCodes(statement.id);
    const at = new Date(clock.nowMs());
    await compareCodes(
      { lane, codes, object: statement.id, facts: { day } },
      { actor, at },
      transaction,
    );
  });
}

/** Repeats the comparisons of all days on which these codes are listed or expected. */
async function compareCodes(
  {
    lane,
    codes,
    object,
    facts,
  }: {
    readonly lane: string;
    readonly codes: readonly string[];
    /** The object of the audit line. */
    readonly object: string;
    readonly facts: Readonly<Record<string, string>>;
  },
  { actor, at }: { readonly actor: string; readonly at: Date },
  { reconciliation, integrity }: LedgerSteps,
): Promise<void> {
  // No statement is left out, because none has just been compared.
  const compared = { lane, day: "", statementId: "", comparison: newId("CM"), actor };
  const days = new OtherDays(compared, reconciliation);
  await days.add(codes);
  const { closed, days: comparedDays } = await days.end();
  if (comparedDays.length === 0) return;
  await integrity.appendAudit(at, {
    actor,
    action: "reconcile",
    object,
    facts: { lane, ...facts, closed, other_days: comparedDays },
  });
}
