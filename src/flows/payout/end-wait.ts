import type { Clock } from "#base/clock.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import { type ResolutionRefusal, runOrRefuse } from "#ledger/payout/resolution-refusals.ts";
import type { StatusQuery } from "#ledger/payout/status-queries.ts";
import { err, ok, type Result } from "#base/result.ts";

interface EndWaitDeps {
  readonly ledger: LedgerSteps;
  readonly clock: Clock;
}

interface By {
  readonly code: string;
  readonly actor: string;
}

export type EndWaitRefusal = "not_found" | "wrong_state" | ResolutionRefusal;

/**
 * Proposes to end the wait of a payout in doubt, on the ground that no earlier request can still be
 * in progress. The proposal has no effect until an approver confirms it.
 */
export async function proposeWaitEnding(
  { code, actor, reason }: By & { readonly reason: string },
  deps: EndWaitDeps,
): Promise<Result<true, EndWaitRefusal>> {
  const known = await waitingPayout(code, deps);
  if (!known.ok) return known;
  const { payoutId, seq } = known.value;
  const at = new Date(deps.clock.nowMs());
  return runOrRefuse(
    deps.ledger.transaction(async (transaction) => {
      await transaction.payout.insertWaitEnding({ payoutId, seq, reason, proposedBy: actor, at });
      const facts = { text: reason };
      await transaction.integrity.appendAudit(at, {
        actor,
        action: "propose_end_wait",
        object: code,
        facts,
      });
    }),
  );
}

/**
 * Confirms or refuses the proposal; this takes an approver other than the proposer. Confirmation
 * only ends the wait: the code is sent again after one more status query, and only if the gateway
 * does not show it.
 */
export async function decideWaitEnding(
  { code, actor, id, agree }: By & { readonly id: number; readonly agree: boolean },
  deps: EndWaitDeps,
): Promise<Result<true, EndWaitRefusal>> {
  const known = await waitingPayout(code, deps);
  if (!known.ok) return known;
  const ending = await deps.ledger.payout.findProposedWaitEnding(known.value);
  if (ending?.id !== id) return err("content_changed");
  const at = new Date(deps.clock.nowMs());
  return runOrRefuse(
    deps.ledger.transaction(async (transaction) => {
      const outcome = agree ? "agreed" : "refused";
      await transaction.payout.recordWaitDecision({ id, outcome, by: actor });
      const action = agree ? "end_wait" : "refuse_end_wait";
      const facts = { proposed_by: ending.proposedBy };
      await transaction.integrity.appendAudit(at, { actor, action, object: code, facts });
      if (agree) await transaction.payout.makeStatusQueryDue(known.value.payoutId);
    }),
  );
}

async function waitingPayout(
  code: string,
  { ledger }: EndWaitDeps,
): Promise<Result<StatusQuery, "not_found" | "wrong_state">> {
  const known = await ledger.payout.findStatusQuery(code);
  if (!known) return err("not_found");
  const isWaiting = known.state === "in_doubt" && known.sinceUnansweredMs !== null;
  return isWaiting && !known.isFrozen ? ok(known) : err("wrong_state");
}
