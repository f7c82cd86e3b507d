import { createHash } from "node:crypto";
import { err, ok, type Result } from "#base/result.ts";
import type { PayoutAction } from "#ledger/payout/action/actions.ts";
import type { AppliedAction, ApplyOrder, ApplyRefusal } from "#ledger/payout/action/apply.ts";
import type { ActionOrder } from "#ledger/payout/action/preview.ts";
import type { Change } from "#ledger/payout/action/qualification.ts";
import { type LeftReason, PREVIEW_MS } from "#payout/action/payout-action.ts";
import { isFinal } from "#payout/payout-lifecycle.ts";
import { storedReason } from "#payout/reasons.ts";
import { leftOf, payoutOf, shareOf } from "./action-totals.ts";
import { resolvableResult } from "./listed-results.ts";
import { propose } from "./payout-resolutions.ts";
import { isAtGateway, step } from "./payouts.ts";
import type { PayoutRow, Tables } from "./tables.ts";

/** The statements of src/ledger/payout/action/ in memory. Resolutions: payout-resolutions.ts. */

const REASONS = { hold_back: "held_back", cancel: "cancelled" } as const;

/** Stores a preview. It selects by batch, states and ids. */
export function previewAction(tables: Tables, order: ActionOrder): PayoutAction {
  const { id, action, filter, actor, at } = order;
  if (action === "assign") throw new Error("the simulation assigns no payouts");
  const { batchId, states, ids } = filter;
  const chosen = tables.payouts.filter(
    (payout) =>
      (batchId === undefined || payout.batchId === batchId) &&
      (states === undefined || states.includes(payout.state)) &&
      (ids === undefined || ids.includes(payout.id)),
  );
  const rows = chosen.map((payout) => {
    const { id: payoutId, seq } = payout;
    if (action !== "resolve") {
      return { payoutId, seq, why: notQualified(tables, action, payout), listed: null };
    }
    const result = resolvableResult(tables, payout);
    return result.ok
      ? { payoutId, seq, why: null, listed: result.value }
      : { payoutId, seq, why: result.error, listed: null };
  });
  const qualifying = rows.filter(({ why }) => why === null);
  const preview: PayoutAction = {
    id,
    action,
    state: "previewed",
    createdBy: actor,
    createdAt: at,
    expiresAt: new Date(at.getTime() + PREVIEW_MS),
    selected: rows.length,
    qualifying: shareOf(qualifying.map(({ payoutId }) => payoutOf(tables, payoutId))),
    excluded: leftOf(rows.map(({ why }) => why)),
    assignees: null,
    assignedTo: null,
    reason: null,
    appliedAt: null,
    decidedBy: null,
    decidedAt: null,
    decision: null,
    changed: null,
    left: null,
    digest: null,
  };
  tables.payoutActions.set(id, { action: preview, rows, outcomes: new Map() });
  return preview;
}

function notQualified(tables: Tables, action: Change, payout: PayoutRow): LeftReason | null {
  const { state } = payout;
  if (action === "query") {
    if (state === "in_doubt" || state === "accepted") return null;
    if (state === "submitting") return "being_sent";
    return isFinal(state) ? "finished" : "not_sent";
  }
  const batch = tables.batches.get(payout.batchId);
  const isOpen =
    batch && !batch.cancelling && (batch.state === "approved" || batch.state === "paused");
  if (action === "release") {
    if (state !== "held_back") return "not_held_back";
    return isOpen ? null : "batch_not_open";
  }
  if (action === "hold_back" && state === "held_back") return "held_back";
  if (state === "awaiting_approval") return "not_approved";
  if (state === "submitting") return "being_sent";
  if (isFinal(state)) return "finished";
  if (isAtGateway(payout) || payout.maybeArrived) return "sent";
  return isOpen ? null : "batch_not_open";
}

/** Applies a preview once. */
export function applyAction(
  tables: Tables,
  order: ApplyOrder,
  nowMs: number,
): Result<AppliedAction, ApplyRefusal> {
  const known = tables.payoutActions.get(order.id);
  if (!known) return err("not_found");
  if (known.action.createdBy !== order.actor) return err("not_own_preview");
  if (known.action.state !== "previewed") return ok({ action: known.action, batchIds: [] });
  if (known.action.expiresAt <= order.at) return err("preview_expired");
  const { action } = known.action;
  if (action === "assign") return err("not_found");
  if (action === "resolve") return ok({ action: propose(tables, known, order), batchIds: [] });
  const outcomes = new Map<number, LeftReason | "changed">();
  const changed: PayoutRow[] = [];
  const lines: string[] = [];
  for (const { payoutId, seq, why } of known.rows) {
    if (why !== null) continue;
    const payout = payoutOf(tables, payoutId);
    const left =
      notQualified(tables, action, payout) ??
      (action !== "query" && payout.seq !== seq ? "moved" : null);
    outcomes.set(payoutId, left ?? "changed");
    if (left !== null) continue;
    const from = payout.state;
    change(tables, payout, action, order, nowMs);
    changed.push(payout);
    const { currency, minor } = payout.order.money;
    lines.push(`${payout.order.transactionCode} ${currency} ${minor} ${from} ${payout.state}`);
  }
  const digest = createHash("sha256").update(lines.toSorted().join("\n")).digest("hex");
  const applied: PayoutAction = {
    ...known.action,
    state: "applied",
    reason: order.reason,
    appliedAt: order.at,
    changed: shareOf(changed),
    left: leftOf([...outcomes.values()].map((outcome) => (outcome === "changed" ? null : outcome))),
    digest,
  };
  tables.payoutActions.set(order.id, { ...known, action: applied, outcomes });
  const facts = {
    action,
    reason: order.reason,
    payouts: changed.length,
    left: applied.left,
    digest,
  };
  tables.audit.push({ actor: order.actor, action: "apply_payout_action", object: order.id, facts });
  return ok({ action: applied, batchIds: [...new Set(changed.map(({ batchId }) => batchId))] });
}

function change(
  tables: Tables,
  payout: PayoutRow,
  action: Change,
  { actor, reason: said }: ApplyOrder,
  nowMs: number,
): void {
  if (action === "query") {
    payout.dueMs = Math.min(payout.dueMs, nowMs);
    return;
  }
  const reason = action === "release" ? null : storedReason(REASONS[action], said);
  step(tables, payout, action, { reason, actor });
  payout.reason = reason;
  if (action !== "hold_back") payout.dueMs = nowMs;
  const followed = tables.descendants.get(payout.id);
  if (followed && action === "cancel") {
    tables.descendants.set(payout.id, { ...followed, live: false });
  }
}
