import { createHash } from "node:crypto";
import type { PayoutAction } from "#ledger/payout/action/actions.ts";
import type { PayoutRow, Tables } from "#proof/simulation/ledger/tables.ts";

/** The checker's own copy of what each action does. */
const EFFECTS: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>> =
  {
    hold_back: { from: ["approved"], to: "held_back" },
    release: { from: ["held_back"], to: "approved" },
    cancel: { from: ["approved", "held_back"], to: "cancelled" },
  };

/**
 * Compares an applied action with its preview: each previewed payout has changed exactly as shown,
 * or it has moved since, or its batch was closed; no other payout has changed; and the numbers,
 * sums and the digest agree. Returns what is wrong, or null.
 */
export function isActionWrong(
  tables: Tables,
  id: string,
  preview: PayoutAction,
  applied: PayoutAction,
): string | null {
  const stored = tables.payoutActions.get(id);
  if (!stored) return null;
  const previewed = stored.rows.filter(({ why }) => why === null);
  if (previewed.length !== preview.qualifying.count) return "other payouts than previewed";
  const effect = EFFECTS[preview.action];
  const lines: string[] = [];
  let minor = 0n;
  let changed = 0;
  for (const { payoutId, seq } of previewed) {
    const payout = tables.payouts[payoutId - 1];
    if (!payout) return `payout ${payoutId} is gone`;
    const isChanged = stored.outcomes.get(payoutId) === "changed";
    const wrong = effect && wrongTransition(payout, seq, isChanged, effect, tables);
    if (wrong) return `${payout.order.transactionCode} ${wrong}`;
    if (!isChanged) continue;
    changed += 1;
    minor += payout.order.money.minor * 10n ** BigInt(4 - payout.order.money.minorDigits);
    if (!effect) continue;
    const from = payout.transitions[seq]?.from;
    const { transactionCode, money } = payout.order;
    lines.push(`${transactionCode} ${money.currency} ${money.minor} ${from} ${effect.to}`);
  }
  const left = (applied.left ?? []).reduce((sum, { count }) => sum + count, 0);
  if (applied.changed?.count !== changed)
    return `${applied.changed?.count} changed, not ${changed}`;
  if (changed + left !== preview.qualifying.count) return `${changed} changed and ${left} left`;
  const sum = (applied.changed?.totals ?? []).reduce(
    (all, total) => all + total.sum.minor * 10n ** BigInt(4 - total.sum.minorDigits),
    0n,
  );
  if (sum !== minor) return `a sum of ${sum}, not ${minor}`;
  const digest = createHash("sha256").update(lines.sort().join("\n")).digest("hex");
  if (effect && applied.digest !== digest) return "another digest than that of the changed payouts";
  const entries = tables.audit.filter(
    ({ action, object }) => action === "apply_payout_action" && object === id,
  );
  return entries.length === 1 ? null : `${entries.length} lines on the audit log`;
}

/** A changed payout made exactly the announced transition; a left one had moved, or its batch. */
function wrongTransition(
  payout: PayoutRow,
  seq: number,
  isChanged: boolean,
  { from, to }: { readonly from: readonly string[]; readonly to: string },
  tables: Tables,
): string | null {
  const next = payout.transitions[seq];
  if (isChanged) {
    const isRight = next !== undefined && from.includes(next.from) && next.to === to;
    return isRight ? null : `was to become ${to}, but became ${next?.to ?? "nothing"}`;
  }
  const batch = tables.batches.get(payout.batchId);
  const isClosed = batch?.cancelling === true || batch?.finishedAt != null;
  return next !== undefined || isClosed ? null : "was left, although it has not moved";
}

/**
 * Checks a decided resolution: exactly the payouts with the outcome `changed` were resolved by it,
 * each once, and a rejected one changed nothing. Returns what is wrong, or null.
 */
export function isResolutionWrong(
  tables: Tables,
  id: string,
  decided: PayoutAction,
  agree: boolean,
): string | null {
  const stored = tables.payoutActions.get(id);
  if (!stored) return null;
  const previewed = stored.rows.filter(({ why }) => why === null);
  const lines: string[] = [];
  for (const { payoutId, seq } of previewed) {
    const payout = tables.payouts[payoutId - 1];
    if (!payout) return `payout ${payoutId} is gone`;
    const code = payout.order.transactionCode;
    const next = payout.transitions[seq];
    const isChanged = stored.outcomes.get(payoutId) === "changed";
    if (isChanged !== (next?.event === "resolve")) {
      // Another action may have resolved it.
      if (isChanged || stored.outcomes.get(payoutId) === undefined) {
        return `${code} was to be resolved, but became ${next?.to ?? "nothing"}`;
      }
    }
    if (!isChanged || !next) continue;
    const { currency, minor } = payout.order.money;
    lines.push(`${code} ${currency} ${minor} ${next.from} resolved`);
  }
  const isRejected = decided.state === "rejected" && lines.length === 0;
  if (!agree) return isRejected ? null : "was to be rejected, but resolved payouts";
  if (decided.changed?.count !== lines.length) {
    return `${decided.changed?.count} changed, not ${lines.length}`;
  }
  const left = (decided.left ?? []).reduce((sum, { count }) => sum + count, 0);
  if (lines.length + left !== previewed.length) return `${lines.length} changed and ${left} left`;
  const digest = createHash("sha256").update(lines.sort().join("\n")).digest("hex");
  return decided.digest === digest ? null : "another digest than that of the resolved payouts";
}
