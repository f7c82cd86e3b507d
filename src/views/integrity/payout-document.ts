import type { ExportedPayout } from "#ledger/integrity/export/export.ts";
import { formatMoney } from "#money/format.ts";

/** Returns a payout as exports and evidence packs contain it (docs/reference/export.md). */
export const payoutDocument = (payout: ExportedPayout) => ({
  transaction_code: payout.transactionCode,
  batch_id: payout.batchId,
  line: payout.line,
  lane: payout.lane,
  currency: payout.money.currency,
  amount: formatMoney(payout.money),
  state: payout.state,
  reason: payout.reason,
  gateway_number: payout.gatewayNumber,
  fee: payout.fee && formatMoney(payout.fee),
  attempts: payout.attempts.map(({ number, opened_at, key_id, worker }) => ({
    number,
    opened_at: opened_at.toISOString(),
    key_id,
    worker,
  })),
  ...historyDocument(payout),
});

/** Returns the evidence and the transitions of a payout or deposit. */
export const historyDocument = ({
  evidence,
  transitions,
}: Pick<ExportedPayout, "evidence" | "transitions">) => ({
  evidence: evidence.map(({ kind, attempt, at, facts }) => ({
    kind,
    attempt,
    at: at.toISOString(),
    facts: facts as Readonly<Record<string, unknown>>,
  })),
  transitions: transitions.map(({ seq, event, from_state, to_state, reason, actor, at }) => ({
    seq,
    event,
    from: from_state,
    to: to_state,
    reason,
    actor,
    at: at.toISOString(),
  })),
});
