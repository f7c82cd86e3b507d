import { parseAmountOf } from "#deposit/decision.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import { type DepositReason, depositReason } from "#deposit/reasons.ts";
import type { DepositDeps } from "#flows/deposit/deps.ts";
import type { PayerRefusal } from "#flows/deposit/payer.ts";
import type { AuditLine } from "#ledger/integrity/audit-hash-chain.ts";
import {
  type ResolutionRefusal,
  ChangedSinceProposal,
  runOrRefuse,
} from "#ledger/payout/resolution-refusals.ts";
import type { EstablishedResult, ProposedResolution } from "#ledger/deposit/manual-resolution.ts";
import type { DueDeposit } from "#ledger/deposit/transitions.ts";
import { decimalsText, formatMoney } from "#money/format.ts";
import type { Money } from "#money/money.ts";
import { err, type Result } from "#base/result.ts";

/** The result that a person states for a deposit that the gateway does not explain. */
export interface StatedResult {
  /** Exact decimal text of the amount received. Null: no money was received. */
  readonly cameIn: string | null;
  readonly evidence: string;
}

interface PayerActor {
  readonly code: string;
  readonly actor: string;
}

export type ResolveRefusal =
  | Extract<PayerRefusal, { kind: "not_found" | "wrong_state" | "refused" }>
  | { readonly kind: ResolutionRefusal };

/**
 * Proposes a manual resolution of a deposit to the approvers, from evidence found elsewhere: the
 * bank's statement, or the gateway's support. On the command line of a ledger without approvers it
 * takes effect immediately.
 */
export async function proposeDepositResolution(
  { code, actor, said }: PayerActor & { readonly said: StatedResult },
  deps: DepositDeps,
): Promise<Result<true, ResolveRefusal>> {
  const { ledger, clock } = deps;
  const known = await ledger.deposit.findDepositWork(code);
  if (!known) return err({ kind: "not_found" });
  const { state, money, depositId, seq } = known;
  if (state !== "manual") return err({ kind: "wrong_state", state });
  const minor = said.cameIn === null ? null : typedAmount(money, said.cameIn);
  if (minor === null && said.cameIn !== null) {
    const decimals = decimalsText(money.minorDigits);
    const problem = `amount is not valid in ${money.currency}, which has ${decimals}`;
    return err({ kind: "refused", problem });
  }
  const finding: EstablishedResult = {
    cameIn: minor === null ? null : { ...money, minor },
    evidence: said.evidence,
  };

  const at = new Date(clock.nowMs());
  return asResult(
    await runOrRefuse(
      ledger.transaction(async (transaction) => {
        const closing = { depositId, seq, finding, proposedBy: actor, at };
        const id = await transaction.deposit.insertResolution(closing);
        const proposed = { id, ...closing, ...finding };
        const isAlone = actor.startsWith("cli:") && !(await transaction.deposit.hasApprover());
        // The result locks the days of the lane; a close does so before it locks the audit log.
        if (isAlone) await applyResolution(transaction, known, proposed, { actor, alone: true });
        const facts = { finding: shortOf(finding), text: finding.evidence };
        const line: AuditLine = { actor, action: "propose_resolution", object: code, facts };
        await transaction.integrity.appendAudit(at, line);
        if (isAlone)
          await recordResolution(transaction, known, proposed, { actor, alone: true, at });
      }),
    ),
  );
}

/**
 * Parses a typed amount. In locales that separate thousands with a point, people type 100.000 for a
 * hundred thousand, so this text is not read as 100.
 */
const typedAmount = (money: Money, text: string): bigint | null =>
  (text.split(".")[1] ?? "").length > money.minorDigits ? null : parseAmountOf(money, text);

/** Confirms or refuses a proposed manual resolution. The approver must not be the proposer. */
export async function decideDepositResolution(
  { code, actor, id, agree }: PayerActor & { readonly id: number; readonly agree: boolean },
  deps: DepositDeps,
): Promise<Result<true, ResolveRefusal>> {
  const { ledger, clock } = deps;
  const known = await ledger.deposit.findDepositWork(code);
  if (!known) return err({ kind: "not_found" });
  if (known.state !== "manual") return err({ kind: "wrong_state", state: known.state });
  const closing = await ledger.deposit.findProposedResolution({ ...known, id: known.depositId });
  if (closing?.id !== id) return err({ kind: "content_changed" });

  const at = new Date(clock.nowMs());
  return asResult(
    await runOrRefuse(
      ledger.transaction(async (transaction) => {
        if (agree) {
          await applyResolution(transaction, known, closing, { actor, alone: false });
          return recordResolution(transaction, known, closing, { actor, alone: false, at });
        }
        await transaction.deposit.recordDecision({ id, outcome: "refused", by: actor });
        const facts = { finding: shortOf(closing) };
        await transaction.integrity.appendAudit(at, {
          actor,
          action: "refuse_resolution",
          object: code,
          facts,
        });
      }),
    ),
  );
}

interface Decider {
  readonly actor: string;
  readonly alone: boolean;
}

async function applyResolution(
  transaction: LedgerSteps,
  { code, seq }: DueDeposit,
  { id, ...finding }: ProposedResolution,
  { actor, alone }: Decider,
): Promise<void> {
  const outcome = alone ? "alone" : "agreed";
  await transaction.deposit.recordDecision({ id, outcome, by: actor });
  const why: DepositReason = finding.cameIn ? "resolved_received" : "resolved_not_received";
  const amount = finding.cameIn ? `${shortOf(finding)}; ` : "";
  const moved = await transaction.deposit.moveDeposit({
    code,
    seq,
    from: "manual",
    event: "resolve",
    reason: depositReason(why, amount + finding.evidence),
    dueInMs: null,
    actor,
    evidence: null,
  });
  if (!moved) throw new ChangedSinceProposal();
}

async function recordResolution(
  transaction: LedgerSteps,
  { code }: DueDeposit,
  { proposedBy, ...finding }: ProposedResolution,
  { actor, alone, at }: Decider & { readonly at: Date },
): Promise<void> {
  const facts = { finding: shortOf(finding), proposed_by: proposedBy, alone };
  await transaction.integrity.appendAudit(at, {
    actor,
    action: "resolve_deposit",
    object: code,
    facts,
  });
}

const shortOf = ({ cameIn }: EstablishedResult): string =>
  cameIn ? `${cameIn.currency} ${formatMoney(cameIn)}` : "not received";

const asResult = (taken: Result<true, ResolutionRefusal>): Result<true, ResolveRefusal> =>
  taken.ok ? taken : err({ kind: taken.error });
