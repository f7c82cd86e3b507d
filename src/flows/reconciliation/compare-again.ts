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
    await ledger.transaction(async ({ reconciliation, integrity }) => {
      await reconciliation.lockStatements(lane);
      const { closed, days } = await compareCodes(lane, codes, actor, reconciliation);
      if (days.length === 0) return;
      const facts = { lane, action: id, closed, other_days: days };
      const line = { actor, action: "reconcile", object: id, facts } as const;
      await integrity.appendAudit(new Date(clock.nowMs()), line);
    });
  }
}

/**
 * Repeats the comparison of a day for the codes that may have changed since: those of its
 * unresolved breaks, and those of payouts that have settled or were resolved later. A break that
 * the settlement explains is closed, and one is opened if no line lists the payout.
 */
export async function compareLate(
  { lane, day }: { readonly lane: string; readonly day: string },
  actor: string,
  { ledger, clock }: StatementDeps,
): Promise<void> {
  await ledger.transaction(async ({ reconciliation, integrity }) => {
    await reconciliation.lockStatements(lane);
    const statement = await reconciliation.findStatement(lane, day);
    if (!statement?.isCompared) return;
    const codes = await reconciliation.findLateCodes(statement.id);
    const before = new Set((await reconciliation.findOpenBreaks(lane, day)).map(String));
    const { closed, days } = await compareCodes(lane, codes, actor, reconciliation);
    const after = await reconciliation.findOpenBreaks(lane, day);
    // An opened or changed break has a new ID or version.
    const changed = after.filter((each) => !before.has(String(each))).length;
    const others = days.filter((each) => each !== day);
    if (changed + closed + others.length === 0) return;
    const facts = { lane, day, changed, closed, ...(others.length > 0 && { other_days: others }) };
    const line = { actor, action: "reconcile", object: statement.id, facts } as const;
    await integrity.appendAudit(new Date(clock.nowMs()), line);
  });
}

/** Repeats the comparisons of all days on which these codes are listed or expected. */
async function compareCodes(
  lane: string,
  codes: readonly string[],
  actor: string,
  reconciliation: LedgerSteps["reconciliation"],
) {
  // No statement is left out, because none has just been compared.
  const compared = { lane, day: "", statementId: "", comparison: newId("CM"), actor };
  const days = new OtherDays(compared, reconciliation);
  await days.add(codes);
  return days.end();
}
