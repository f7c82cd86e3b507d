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
  const aboutNextCodes =
    isFrozen && asked.answer.kind === "not_found" ? await askAboutNextCodes(question, deps) : null;
  const answer = aboutNextCodes?.kind === "no_answer" ? aboutNextCodes : asked.answer;
  // A frozen ledger believes the second "not found", not the first: the gateway may show late what it has taken, and what
  // was paid under one of the next codes is not refused (111) when ours is sent.
  const isTooEarly = isFrozen && answer.kind === "not_found" && heard !== "not_found";
  const record = {
    payoutId,
    seq,
    from: state,
    actor: worker,
    silent: answer.kind === "no_answer",
    // Only a frozen ledger waits for such answers, before it may be unfrozen.
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
    // The answer moves nothing: it is kept for the person who decides.
    await ledger.move({ ...kept, dueInMs: 0 });
    return;
  }
  if (aboutNextCodes?.kind === "found") {
    const why = reason("paid_again_before_restore", aboutNextCodes.record.transactionCode);
    await ledger.move({ ...record, event: "hold", reason: why, dueInMs: 0 });
    return;
  }
  const isUnsent = state === "approved" || state === "awaiting_approval";
  if (isUnsent && answer.kind !== "found") {
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
      const { kind, ...later } = decision;
      // On record before a resend, too: where batch or lane has stopped, nothing is sent, and this is the next question.
      const isKept = await ledger.move({ ...kept, ...later });
      // Not kept: somebody else's answer came first, and what follows from it is theirs to do.
      if (kind === "wait" || !isKept) return;
      if (deps.stopping.aborted) return;
      const claimed = stampOf(deps);
      const claim = { batchId, lane, worker, keyId: merchant.keyId, leaseMs };
      const attempt = await ledger.reopenAttempt(claim, { payoutId, seq });
      if (attempt) await send(attempt, claimed, deps);
      return;
    }
  }
}

/** After the first "not found" a frozen ledger asks again this many times `resolveAfterMs` later. */
const SECOND_LOOK = 10;

/**
 * What a restored ledger has forgotten may have been declined and then paid again, under a code that follows from its
 * own: the answer about the first such code that the gateway does not call unknown.
 */
async function askAboutNextCodes(
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
