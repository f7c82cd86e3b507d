import type { PayDeps } from "#flows/deps.ts";
import { merchantOf, stopWithoutMerchant } from "#flows/lane.ts";
import { send, stampOf } from "#flows/send.ts";
import type { Question } from "#ledger/ledger.ts";
import { decideStatus } from "#payout/decide.ts";

/** The states about which an answer of the gateway can decide something. */
const ASKABLE = new Set([
  "awaiting_approval",
  "approved",
  "in_doubt",
  "accepted",
  "settled",
  "declined",
]);

/**
 * Asks the gateway about one payout and does what the answer calls for. Always safe, at any time and any number of
 * times: the one thing that sends, a code in doubt sent again, is claimed by compare-and-set first.
 */
export async function ask(question: Question, deps: PayDeps): Promise<void> {
  const { ledger, gateway, pace, worker, leaseMs } = deps;
  const { payoutId, batchId, lane, seq, state, asks, transactionCode, money, isFrozen } = question;
  if (!ASKABLE.has(state)) return;
  const merchant = merchantOf(lane, deps);
  if (!merchant) return stopWithoutMerchant(lane, deps);

  const { answer, evidence } = await gateway.status(money.currency, transactionCode);
  const record = {
    payoutId,
    seq,
    from: state,
    actor: worker,
    // Of a payout in a ledger that is not frozen it says nothing about another history.
    answered: isFrozen && answer.kind !== "no_answer",
    evidence: {
      kind: "status" as const,
      attempt: null,
      facts: {
        ...evidence,
        answer: answer.kind,
        ...(answer.kind === "found" ? answer.record : {}),
      },
    },
  };
  const unsent = state === "approved" || state === "awaiting_approval";
  if (unsent && answer.kind !== "found") {
    // A payout that was never sent and that the gateway does not know is as it should be.
    if (answer.kind === "not_found") {
      await ledger.move({ ...record, asks, event: null, reason: null, dueInMs: 0 });
    }
    return;
  }
  const decision = decideStatus(question, answer, pace);
  switch (decision.kind) {
    case "move":
      await ledger.move({ ...record, ...decision });
      return;
    case "wait":
    case "resend": {
      // Also before a code is sent again: its batch may be paused, its lane stopped.
      const { kind, ...later } = decision;
      await ledger.move({ ...record, asks, event: null, reason: null, ...later });
      if (kind === "wait") return;
      if (deps.stopping.aborted) return;
      const claimed = stampOf(deps);
      const claim = { batchId, lane, worker, keyId: merchant.keyId, leaseMs };
      const attempt = await ledger.reopenAttempt(claim, { payoutId, seq });
      if (attempt) await send(attempt, claimed, deps);
      return;
    }
  }
}
