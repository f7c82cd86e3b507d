import type { PayDeps } from "#flows/deps.ts";
import { merchantOf, stopWithoutMerchant } from "#flows/lane.ts";
import { send, stampOf } from "#flows/send.ts";
import { noteLate } from "#flows/steer-lane.ts";
import { codeAfter } from "#ids.ts";
import type { Question } from "#ledger/ledger.ts";
import { AGAIN_MAX } from "#payout/again.ts";
import { decideStatus } from "#payout/decide.ts";
import type { PayoutEvent } from "#payout/lifecycle.ts";
import { whyNotAsked } from "#payout/outlook.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { reason } from "#payout/reasons.ts";
import { isBelievedFrozen, processingMsOf } from "#payout/resend.ts";

/** The gateway has paid, or has said that it will not: the lane's payouts come to an end. */
const ENDS: ReadonlySet<PayoutEvent> = new Set(["settle", "decline"]);

/**
 * Asks the gateway about one payout and does what the answer calls for. Always safe, at any time and any number of
 * times: the one thing that sends, a code in doubt sent again, is claimed by compare-and-set first.
 */
export async function ask(question: Question, deps: PayDeps): Promise<StatusAnswer["kind"] | null> {
  const { ledger, gateway, pace, worker, leaseMs } = deps;
  const { payoutId, batchId, lane, seq, state, asks, transactionCode, money, isFrozen } = question;
  if (whyNotAsked(state) !== null) return null;
  const merchant = merchantOf(lane, deps);
  if (!merchant) {
    await stopWithoutMerchant(lane, deps);
    return null;
  }

  const asked = await gateway.status(money.currency, transactionCode);
  const { evidence } = asked;
  const aboutNextCodes =
    isFrozen && asked.answer.kind === "not_found" ? await askAboutNextCodes(question, deps) : null;
  const answer = aboutNextCodes?.kind === "no_answer" ? aboutNextCodes : asked.answer;
  // A frozen ledger believes "not found" only after the time for which a request may be in progress: the lost history may have
  // sent it just before, and what was paid under one of the next codes is not refused (111) when ours is sent.
  const isTooEarly =
    isFrozen && answer.kind === "not_found" && !isBelievedFrozen(question, pace, leaseMs);
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
  const gatewayNumber = answer.kind === "found" ? answer.record.gatewayNumber : null;
  const kept = { ...record, asks, event: null, reason: null, gatewayNumber };
  if (state === "held") {
    // The answer moves nothing: it is kept for the person who decides.
    await ledger.move({ ...kept, dueInMs: 0 });
    return answer.kind;
  }
  if (aboutNextCodes?.kind === "found") {
    const why = reason("paid_again_before_restore", aboutNextCodes.record.transactionCode);
    await ledger.move({ ...record, event: "hold", reason: why, dueInMs: 0 });
    return answer.kind;
  }
  const isUnsent = state === "approved" || state === "awaiting_approval";
  if (isUnsent && answer.kind !== "found") {
    // A payout that was never sent and that the gateway does not know is as it should be.
    if (answer.kind !== "not_found") return answer.kind;
    const dueInMs = isTooEarly ? nextLookMs(question, deps) : 0;
    await ledger.move({ ...kept, ...(isFrozen && { heard: "not_found" }), dueInMs });
    return answer.kind;
  }
  if (answer.kind === "found") await noteShownLate(question, deps);
  const decision = decideStatus(question, answer, pace);
  switch (decision.kind) {
    case "move":
      if ((await ledger.move({ ...record, ...decision })) && ENDS.has(decision.event)) {
        await ledger.noteEnding(lane);
      }
      return answer.kind;
    case "wait":
    case "resend": {
      const { kind, ...later } = decision;
      // On record before a resend, too: where batch or lane has stopped, nothing is sent, and this is the next question.
      const isKept = await ledger.move({ ...kept, ...later });
      // Not kept: somebody else's answer came first, and what follows from it is theirs to do.
      if (kind === "wait" || !isKept) return answer.kind;
      if (deps.stopping.aborted) return answer.kind;
      const claimed = stampOf(deps);
      const claim = { batchId, lane, worker, keyId: merchant.keyId, leaseMs };
      const attempt = await ledger.reopenAttempt(claim, { payoutId, seq });
      if (attempt) await send(attempt, claimed, deps);
      return answer.kind;
    }
  }
}

/** A frozen ledger asks again after this many times `resolveAfterMs`, and a part of the time that "not found" must span. */
const NEXT_LOOK = 10;
const LOOKS = 4;
const nextLookMs = (
  question: Question,
  { pace, leaseMs }: Pick<PayDeps, "pace" | "leaseMs">,
): number => {
  const spanMs = processingMsOf(question, pace) + leaseMs;
  return Math.max(Math.min(NEXT_LOOK * pace.resolveAfterMs, spanMs), Math.ceil(spanMs / LOOKS));
};

/** The request arrived, and was not shown until now: so long the gateway took for it, at least. */
async function noteShownLate(
  { lane, state, heard, sinceLastSentMs, heardAgoMs }: Question,
  deps: PayDeps,
): Promise<void> {
  if (state !== "in_doubt" || heard !== "not_found") return;
  await noteLate(lane, sinceLastSentMs - heardAgoMs, deps).catch((error: unknown) =>
    deps.log.warn({ lane, err: error }, "processing time not noted"),
  );
}

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
