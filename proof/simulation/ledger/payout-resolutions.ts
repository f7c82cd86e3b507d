import { createHash } from "node:crypto";
import { err, ok, type Result } from "#base/result.ts";
import type { PayoutAction } from "#ledger/payout/action/actions.ts";
import type { ApplyOrder } from "#ledger/payout/action/apply.ts";
import type { ActionDecision, DecideRefusal } from "#ledger/payout/action/resolutions.ts";
import type { LeftReason } from "#payout/action/payout-action.ts";
import { finishBatch } from "./batches.ts";
import { leftOf, payoutOf, shareOf } from "./action-totals.ts";
import { resolvableResult } from "./listed-results.ts";
import { clearStatusAnswer, step } from "./payouts.ts";
import type { ActionRow, ListedResult, PayoutRow, Tables } from "./tables.ts";

/** The statements of src/ledger/payout/action/proposals.ts and resolutions.ts in memory. */

type Outcomes = Map<number, LeftReason | "changed">;

/** Proposes the listed results of the previewed payouts that have not changed. */
export function propose(
  tables: Tables,
  { action, rows }: ActionRow,
  { id, actor, reason, at }: ApplyOrder,
): PayoutAction {
  const outcomes: Outcomes = new Map();
  const proposed: PayoutRow[] = [];
  for (const { payoutId, seq, listed } of rows) {
    if (listed === null) continue;
    const payout = payoutOf(tables, payoutId);
    const left = whyLeft(tables, payout, { seq, ...listed });
    if (left !== null) {
      outcomes.set(payoutId, left);
      continue;
    }
    tables.proposals.set(payoutId, { actionId: id, seq, ...listed });
    proposed.push(payout);
  }
  const left = leftOf([...outcomes.values()].map((each) => (each === "changed" ? null : each)));
  const state = { state: "proposed", reason, appliedAt: at } as const;
  const changed = { ...action, ...state, changed: shareOf(proposed), left };
  tables.payoutActions.set(id, { action: changed, rows, outcomes });
  const facts = { action: "resolve", reason, payouts: proposed.length, left };
  tables.audit.push({ actor, action: "propose_payout_action", object: id, facts });
  return changed;
}

/** Compares a payout with the version and the result that a person saw. Null: they are the same. */
function whyLeft(
  tables: Tables,
  payout: PayoutRow,
  seen: ListedResult & { readonly seq: number },
): LeftReason | null {
  const now = resolvableResult(tables, payout);
  if (!now.ok) return now.error;
  const { finding, evidence } = now.value;
  const isSame = payout.seq === seen.seq && finding === seen.finding && evidence === seen.evidence;
  return isSame ? null : "moved";
}

/** Confirms or rejects the proposals of an action. */
export function decideAction(
  tables: Tables,
  decision: ActionDecision,
  nowMs: number,
): Result<PayoutAction, DecideRefusal> {
  const { id, actor, agree, reason, at } = decision;
  const known = tables.payoutActions.get(id);
  if (!known) return err("not_found");
  const { action, rows } = known;
  const isDone = action.state === (agree ? "applied" : "rejected") && action.decidedBy === actor;
  if (isDone) return ok(action);
  if (action.state !== "proposed") return err("wrong_state");
  if (action.createdBy === actor) throw new Error("the proposer confirms the results");
  const decided = { decidedBy: actor, decidedAt: at };
  if (!agree) {
    for (const { payoutId } of rows) dropProposal(tables, payoutId, id);
    const rejected = { ...action, ...decided, state: "rejected", decision: reason } as const;
    tables.payoutActions.set(id, { ...known, action: { ...rejected, changed: shareOf([]) } });
    tables.audit.push({ actor, action: "refuse_payout_action", object: id, facts: { reason } });
    return ok({ ...rejected, changed: shareOf([]) });
  }
  const outcomes: Outcomes = new Map(known.outcomes);
  const { resolved, digest } = resolveListed(tables, known, decision, outcomes, nowMs);
  const left = leftOf([...outcomes.values()].map((each) => (each === "changed" ? null : each)));
  const state = { state: "applied", changed: shareOf(resolved), left, digest } as const;
  const confirmed = { ...action, ...decided, ...state };
  tables.payoutActions.set(id, { action: confirmed, rows, outcomes });
  for (const batchId of new Set(resolved.map((payout) => payout.batchId))) {
    finishBatch(tables, batchId, at, nowMs);
  }
  const facts = { action: "resolve", payouts: resolved.length, left, digest };
  tables.audit.push({ actor, action: "confirm_payout_action", object: id, facts });
  return ok(confirmed);
}

/** Resolves the payouts whose proposals still hold, and records the outcome of each. */
function resolveListed(
  tables: Tables,
  { rows, outcomes: before }: ActionRow,
  { id, actor }: ActionDecision,
  outcomes: Outcomes,
  nowMs: number,
): { readonly resolved: readonly PayoutRow[]; readonly digest: string } {
  const resolved: PayoutRow[] = [];
  const lines: string[] = [];
  for (const { payoutId, listed } of rows) {
    if (listed === null || before.has(payoutId)) continue;
    const payout = payoutOf(tables, payoutId);
    const proposal = tables.proposals.get(payoutId);
    const isOpen = proposal?.actionId === id;
    const now = resolvableResult(tables, payout);
    const left = isOpen ? whyLeft(tables, payout, proposal) : now.ok ? "moved" : now.error;
    outcomes.set(payoutId, left ?? "changed");
    dropProposal(tables, payoutId, id);
    if (left !== null || !isOpen) continue;
    const from = payout.state;
    resolve(tables, payout, proposal, actor, nowMs);
    resolved.push(payout);
    const { currency, minor } = payout.order.money;
    lines.push(`${payout.order.transactionCode} ${currency} ${minor} ${from} resolved`);
  }
  const digest = createHash("sha256").update(lines.toSorted().join("\n")).digest("hex");
  return { resolved, digest };
}

function resolve(
  tables: Tables,
  payout: PayoutRow,
  { finding, evidence }: ListedResult,
  actor: string,
  nowMs: number,
): void {
  const reason = `resolved_${finding}: ${evidence}`;
  step(tables, payout, "resolve", { reason, actor });
  payout.reason = reason;
  payout.dueMs = nowMs;
  payout.queryCount = 0;
  clearStatusAnswer(payout);
  payout.silentMs = null;
  payout.checkMs = payout.isRepeated ? nowMs : null;
}

function dropProposal(tables: Tables, payoutId: number, actionId: string): void {
  if (tables.proposals.get(payoutId)?.actionId === actionId) tables.proposals.delete(payoutId);
}
