import type { PayDeps } from "#flows/deps.ts";
import { merchantOf, stopWithoutMerchant } from "#flows/lane.ts";
import { send, stampOf } from "#flows/send.ts";
import { codeAfter } from "#ids.ts";
import type { Question } from "#ledger/ledger.ts";
import { AGAIN_MAX } from "#payout/again.ts";
import { decideStatus } from "#payout/decide.ts";
import type { PayoutEvent } from "#payout/lifecycle.ts";
import { whyNotAsked } from "#payout/outlook.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { reason } from "#payout/reasons.ts";

/** The gateway has paid, or has said that it will not: the lane's payouts come to an end. */
const ENDS: ReadonlySet<PayoutEvent> = new Set(["settle", "decline"]);

/**
 * Asks the gateway about one payout and does what the answer calls for. Always safe, at any time and any number of
 * times: the one thing that sends, a code in doubt sent again, is claimed by compare-and-set first.
 */
export async function ask(question: Question, deps: PayDeps): Promise<void> {
  const { ledger, gateway, pace, worker, leaseMs } = deps;
  const { payoutId, batchId, lane, seq, state, asks, transactionCode, money, isFrozen, heard } =
    question;
  if (whyNotAsked(state) !== null) return;
  const merchant = merchantOf(lane, deps);
  if (!merchant) return stopWithoutMerchant(lane, deps);

  const asked = await gateway.status(money.currency, transactionCode);
  const { evidence } = asked;
  const again =
    isFrozen && asked.answer.kind === "not_found" ? await askAgain(question, deps) : null;
  const answer = again?.kind === "no_answer" ? again : asked.answer;
  // A gateway may show late what it has taken, and under the codes that follow no 111 would tell: the second one counts.
  const isTooEarly = isFrozen && answer.kind === "not_found" && heard !== "not_found";
  const record = {
    payoutId,
    seq,
    from: state,
    actor: worker,
    silent: answer.kind === "no_answer",
    // Of a payout in a ledger that is not frozen it says nothing about another history.
    answered: isFrozen && answer.kind !== "no_answer" && !isTooEarly,
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
  const kept = { ...record, asks, event: null, reason: null };
  if (state === "held") {
    // It decides nothing any more, and tells the person who must.
    await ledger.move({ ...kept, dueInMs: 0 });
    return;
  }
  if (again?.kind === "found") {
    const why = reason("paid_again_before_restore", again.record.transactionCode);
    await ledger.move({ ...record, event: "hold", reason: why, dueInMs: 0 });
    return;
  }
  const unsent = state === "approved" || state === "awaiting_approval";
  if (unsent && answer.kind !== "found") {
    // A payout that was never sent and that the gateway does not know is as it should be.
    if (answer.kind !== "not_found") return;
    const dueInMs = isTooEarly ? SECOND_LOOK * pace.resolveAfterMs : 0;
    await ledger.move({ ...kept, ...(isFrozen && { heard: "not_found" }), dueInMs });
    return;
  }
  const decision = decideStatus(question, answer, pace);
  switch (decision.kind) {
    case "move":
      if ((await ledger.move({ ...record, ...decision })) && ENDS.has(decision.event)) {
        await ledger.noteEnding(lane);
      }
      return;
    case "wait":
    case "resend": {
      // Also before a code is sent again: its batch may be paused, its lane stopped.
      const { kind, ...later } = decision;
      // Somebody else's answer came first: it may be another one, and what follows from it is theirs to do.
      const counts = await ledger.move({ ...kept, ...later });
      if (kind === "wait" || !counts) return;
      if (deps.stopping.aborted) return;
      const claimed = stampOf(deps);
      const claim = { batchId, lane, worker, keyId: merchant.keyId, leaseMs };
      const attempt = await ledger.reopenAttempt(claim, { payoutId, seq });
      if (attempt) await send(attempt, claimed, deps);
      return;
    }
  }
}

/** How many times as long as behind a sending a frozen ledger waits before it asks about an unsent payout again. */
const SECOND_LOOK = 10;

/**
 * What a restored ledger has forgotten may have been declined and then paid again, under a code that follows from its
 * own: the answer about the first such code that the gateway does not call unknown.
 */
async function askAgain(
  { transactionCode, money }: Question,
  { gateway }: PayDeps,
): Promise<StatusAnswer | null> {
  let code = transactionCode;
  for (let times = 0; times < AGAIN_MAX; times += 1) {
    code = codeAfter(code);
    const { answer } = await gateway.status(money.currency, code);
    if (answer.kind !== "not_found") return answer;
  }
  return null;
}
