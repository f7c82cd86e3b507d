import { err, type Result } from "#base/result.ts";
import { factsOf } from "#flows/reconciliation/load-statement.ts";
import type { StatementDeps } from "#flows/reconciliation/statement-upload.ts";
import {
  ChangedSinceProposal,
  type ResolutionRefusal,
  runOrRefuse,
} from "#ledger/payout/resolution-refusals.ts";

/**
 * Confirms or refuses a statement that replaces a compared one. The approver must not be the person
 * who uploaded it. A confirmed statement has to be compared.
 */
export async function decideProposedStatement(
  { id, agree, actor }: { readonly id: string; readonly agree: boolean; readonly actor: string },
  { ledger, clock }: StatementDeps,
): Promise<Result<true, "not_found" | ResolutionRefusal>> {
  const found = await ledger.reconciliation.findStatementById(id);
  if (!found) return err("not_found");
  const { lane, day } = found;
  return runOrRefuse(
    ledger.transaction(async ({ reconciliation, integrity }) => {
      await reconciliation.lockStatements(lane);
      const state = agree ? "current" : "refused";
      if (agree) await reconciliation.replaceStatement(lane, day);
      const isDecided = await reconciliation.decideStatement({ id, state, by: actor });
      if (!isDecided) throw new ChangedSinceProposal();
      const action = agree ? "confirm_statement" : "refuse_statement";
      const facts = { ...factsOf({ ...found, state }), uploaded_by: found.actor };
      await integrity.appendAudit(new Date(clock.nowMs()), { actor, action, object: id, facts });
    }),
  );
}
