import type { Clock } from "#base/clock.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";
import {
  type ResolutionRefusal,
  ChangedSinceProposal,
  runOrRefuse,
} from "#ledger/payout/resolution-refusals.ts";
import type { EstablishedResult } from "#ledger/payout/manual-resolution.ts";
import type { StatusQuery } from "#ledger/payout/status-queries.ts";
import { storedReason } from "#payout/reasons.ts";
import { err, ok, type Result } from "#base/result.ts";

interface ResolveDeps {
  readonly ledger: LedgerSteps;
  readonly clock: Clock;
}

interface By {
  readonly code: string;
  readonly actor: string;
}

export type ResolveRefusal = "not_found" | "wrong_state" | ResolutionRefusal;

/**
 * Proposes a manual resolution of an on-hold payout to the approvers, from evidence found
 * elsewhere: the bank's statement, or the gateway's support. On the command line of a ledger
 * without approvers it takes effect immediately.
 */
export async function proposePayoutResolution(
  { code, actor, finding }: By & { readonly finding: EstablishedResult },
  deps: ResolveDeps,
): Promise<Result<true, ResolveRefusal>> {
  const known = await heldPayout(code, deps);
  if (!known.ok) return known;
  const { payoutId, seq } = known.value;
  const at = new Date(deps.clock.nowMs());
  return runOrRefuse(
    deps.ledger.transaction(async (transaction) => {
      const id = await transaction.payout.insertResolution({
        payoutId,
        seq,
        ...finding,
        proposedBy: actor,
        at,
      });
      const agreed = { finding, proposedBy: actor, actor, at };
      const isAlone = actor.startsWith("cli:") && !(await transaction.payout.hasApprover());
      // The result locks the days of the lane; a close does so before it locks the audit log.
      if (isAlone) {
        await transaction.payout.recordDecision({ id, outcome: "alone", by: actor });
        await applyResolution(transaction, known.value, agreed);
      }
      const facts = { finding: shortOf(finding), text: finding.evidence };
      await transaction.integrity.appendAudit(at, {
        actor,
        action: "propose_resolution",
        object: code,
        facts,
      });
      if (isAlone) await recordResolution(transaction, known.value, agreed);
    }),
  );
}

/** Confirms or refuses a proposed manual resolution. The approver must not be the proposer. */
export async function decidePayoutResolution(
  { code, actor, id, agree }: By & { readonly id: number; readonly agree: boolean },
  deps: ResolveDeps,
): Promise<Result<true, ResolveRefusal>> {
  const known = await heldPayout(code, deps);
  if (!known.ok) return known;
  const closing = await deps.ledger.payout.findProposedResolution(known.value);
  if (closing?.id !== id) return err("content_changed");
  const { proposedBy, ...finding } = closing;
  const at = new Date(deps.clock.nowMs());
  return runOrRefuse(
    deps.ledger.transaction(async (transaction) => {
      const outcome = agree ? "agreed" : "refused";
      await transaction.payout.recordDecision({ id, outcome, by: actor });
      if (agree) {
        const agreed = { finding, proposedBy, actor, at };
        await applyResolution(transaction, known.value, agreed);
        return recordResolution(transaction, known.value, agreed);
      }
      const facts = { finding: shortOf(finding) };
      await transaction.integrity.appendAudit(at, {
        actor,
        action: "refuse_resolution",
        object: code,
        facts,
      });
    }),
  );
}

async function heldPayout(
  code: string,
  { ledger }: ResolveDeps,
): Promise<Result<StatusQuery, "not_found" | "wrong_state">> {
  const known = await ledger.payout.findStatusQuery(code);
  if (!known) return err("not_found");
  return known.state === "on_hold" ? ok(known) : err("wrong_state");
}

interface Agreed {
  readonly finding: EstablishedResult;
  readonly proposedBy: string;
  readonly actor: string;
  readonly at: Date;
}

async function applyResolution(
  transaction: LedgerSteps,
  { payoutId, seq }: StatusQuery,
  { finding, actor, at }: Agreed,
): Promise<void> {
  const why = finding.arrived ? "resolved_arrived" : "resolved_not_arrived";
  const move = {
    payoutId,
    seq,
    from: "on_hold",
    event: "resolve",
    dueInMs: 0,
    evidence: null,
  } as const;
  const moved = await transaction.payout.moveFinished(
    { ...move, reason: storedReason(why, finding.evidence), actor },
    at,
  );
  if (!moved) throw new ChangedSinceProposal();
}

async function recordResolution(
  transaction: LedgerSteps,
  { transactionCode }: StatusQuery,
  { finding, proposedBy, actor, at }: Agreed,
): Promise<void> {
  const facts = { finding: shortOf(finding), proposed_by: proposedBy };
  const line: AuditLine = { actor, action: "resolve_payout", object: transactionCode, facts };
  await transaction.integrity.appendAudit(at, line);
}

const shortOf = ({ arrived }: EstablishedResult): string => (arrived ? "arrived" : "not arrived");
