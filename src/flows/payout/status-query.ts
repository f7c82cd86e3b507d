import { type OpenSpan, withSpan } from "#base/telemetry/spans.ts";
import type { PayDeps } from "#flows/deps.ts";
import { merchantOf, stopWithoutMerchant } from "#flows/payout/lane/lane-merchant.ts";
import { sendPayout, claimTimeNow } from "#flows/payout/send.ts";
import { recordLateAnswer } from "#flows/payout/lane/update-lane-health.ts";
import { retryCodeAfter } from "#base/ids.ts";
import type { StatusQuery } from "#ledger/ledger.ts";
import { RETRIES_MAX } from "#payout/retry-rule.ts";
import { decideStatus, ENDED } from "#payout/decide.ts";
import { isUnsent, type PayoutEvent, type PayoutState } from "#payout/payout-lifecycle.ts";
import { whyNotQueried } from "#payout/outlook.ts";
import type { StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import { storedReason, reasonCode } from "#payout/reasons.ts";
import { feeOf } from "#payout/record-money.ts";
import { isNotFoundConclusive, processingMsOf } from "#payout/resend.ts";
import { isTakenTwice, findSecondPayment } from "#payout/second-payment.ts";

/** Events that finish a payout: the gateway has paid it, or has reported that it will not. */
const FINISHING: ReadonlySet<PayoutEvent> = new Set(["settle", "decline"]);

/**
 * Queries the status of one payout and acts on the answer. Safe to call at any time and any number
 * of times: the only step that sends, the resubmission of a code in doubt, is first claimed by
 * compare-and-set.
 *
 * @param isCheck the query looks for a second payment. For a manually resolved payout the answer
 * has no other effect, because people have already decided about it.
 */
export function queryStatus(
  query: StatusQuery,
  deps: PayDeps,
  { isCheck = false }: { readonly isCheck?: boolean } = {},
): Promise<StatusAnswer["kind"] | null> {
  const { batchId, transactionCode, lane, state } = query;
  return withSpan(
    {
      name: "query payout",
      of: { transactionCode, batchId },
      links: [{ batchId }],
      facts: { "payrun.lane": lane, "payrun.state": state },
    },
    (span) => queryOnce(query, deps, isCheck, span),
  );
}

async function queryOnce(
  query: StatusQuery,
  deps: PayDeps,
  isCheck: boolean,
  span: OpenSpan,
): Promise<StatusAnswer["kind"] | null> {
  const { ledger, gateway, timings, worker, leaseMs } = deps;
  const { lane, state, queryCount, transactionCode, money, isFrozen } = query;
  if (whyNotQueried(state) !== null) return null;
  const merchant = merchantOf(lane, deps);
  if (!merchant) {
    await stopWithoutMerchant(lane, deps);
    return null;
  }

  const asked = await gateway.status(money.currency, transactionCode);
  const aboutNextCodes =
    isFrozen && asked.answer.kind === "not_found" ? await queryNextCodes(query, deps) : null;
  const answer = aboutNextCodes?.kind === "no_answer" ? aboutNextCodes : asked.answer;
  // A frozen ledger accepts "not found" only after the time for which a request may be in progress.
  // The lost history may have sent the payout just before, and the gateway does not refuse our code
  // (111) because one of the next codes was paid.
  const isTooEarly =
    isFrozen && answer.kind === "not_found" && !isNotFoundConclusive(query, timings, leaseMs);
  const record = {
    ...recordOf(query, answer, asked.evidence),
    actor: worker,
    // Only a frozen ledger needs these answers, before it may be unfrozen.
    answered: isFrozen && answer.kind !== "no_answer" && !isTooEarly,
  };
  const gatewayNumber = answer.kind === "found" ? answer.record.gatewayNumber : null;
  const kept = { ...record, queryCount, event: null, reason: null, gatewayNumber };
  if (state === "on_hold" || (isCheck && state === "resolved")) {
    const hold = secondPaymentIn(query, answer);
    await ledger.payout.move({ ...kept, dueInMs: 0, ...hold });
    return answer.kind;
  }
  if (aboutNextCodes?.kind === "found") {
    const why = storedReason("paid_again_before_restore", aboutNextCodes.record.transactionCode);
    await ledger.payout.move({ ...record, event: "hold", reason: why, dueInMs: 0 });
    return answer.kind;
  }
  if (isUnsent(state) && answer.kind !== "found") {
    // It is correct that the gateway does not know a payout that was never sent.
    if (answer.kind !== "not_found") return answer.kind;
    const dueInMs = isTooEarly ? nextQueryMs(query, deps) : 0;
    await ledger.payout.move({ ...kept, ...(isFrozen && { statusAnswer: "not_found" }), dueInMs });
    return answer.kind;
  }
  if (answer.kind === "found") await recordShownLate(query, deps);
  const decision = decideStatus(query, answer, timings);
  span.set({ "payrun.outcome": decision.kind === "move" ? decision.event : decision.kind });
  // Recorded before a resubmission as well: if the batch or the lane has stopped, no payout is
  // sent, and this is the next status query.
  const isKept = await ledger.payout.move(
    decision.kind === "move" ? { ...record, ...decision } : { ...kept, ...decision },
  );
  // Not recorded: another worker's answer came first, and that worker acts on it.
  if (!isKept) await reconsider(query, answer, deps);
  else if (decision.kind === "move") {
    if (FINISHING.has(decision.event)) await ledger.payout.recordFinalState(lane);
  } else if (decision.kind === "resend" && !deps.stopping.aborted)
    await resend(query, merchant.keyId, deps);
  return answer.kind;
}

/** Results that stay true, even if the answer was on its way while another one was recorded. */
const LASTING: ReadonlySet<StatusRecord["state"]> = new Set(["completed", "failed", "reversed"]);

/**
 * Decides again about an answer that was not recorded because another one was recorded first. If
 * the answers contradict each other, the payout goes on hold, or its status is queried again.
 */
async function reconsider(
  { state, transactionCode }: StatusQuery,
  answer: StatusAnswer,
  deps: PayDeps,
): Promise<void> {
  const { ledger, timings, worker } = deps;
  if (answer.kind !== "found") return;
  if (!ENDED.has(state) && !LASTING.has(answer.record.state)) return;
  const query = await ledger.payout.findStatusQuery(transactionCode);
  if (!query || (!ENDED.has(query.state) && query.state !== "resolved")) return;
  const decision = decideStatus(query, answer, timings);
  if (decision.kind === "resend") return;
  const contradicts =
    decision.kind === "move" ? decision.event === "hold" : decision.statusAnswer === "returned";
  if (!contradicts) return;
  const record = { ...recordOf(query, answer, {}), actor: worker };
  const { queryCount } = query;
  const { gatewayNumber } = answer.record;
  const kept = { ...record, queryCount, event: null, reason: null, gatewayNumber };
  const isKept = await ledger.payout.move(
    decision.kind === "move" ? { ...record, ...decision } : { ...kept, ...decision },
  );
  // Not recorded: another answer was recorded first once more.
  if (!isKept) await reconsider(query, answer, deps);
}

/** Whether a record denies a settlement. Its fee is not the fee of the settlement. */
const takesBack = (state: PayoutState, record: StatusRecord): boolean =>
  (state === "settled" || state === "returned") && record.state !== "completed";

/** The part of the move that records an answer. */
const recordOf = (
  { payoutId, seq, state, money }: StatusQuery,
  answer: StatusAnswer,
  evidence: object,
) => ({
  payoutId,
  seq,
  from: state,
  silent: answer.kind === "no_answer",
  fee:
    answer.kind === "found" && !takesBack(state, answer.record)
      ? feeOf(money, answer.record)
      : null,
  evidence: {
    kind: "status" as const,
    attempt: null,
    facts: {
      ...evidence,
      answer: answer.kind,
      ...(answer.kind === "found" ? answer.record : {}),
    },
  },
});

/**
 * The answer about a payout that a person decides is recorded for that person. It changes the state
 * only if it shows a second payment. Null: it does not.
 */
function secondPaymentIn(query: StatusQuery, answer: StatusAnswer) {
  const twice = answer.kind === "found" ? findSecondPayment(query, answer.record) : null;
  const isNews = twice !== null && !isTakenTwice(reasonCode(query.reason));
  return isNews ? { event: "hold" as const, reason: twice } : null;
}

/** Sends a payout in doubt again, unless another worker has claimed it. */
async function resend(
  { payoutId, batchId, lane, seq }: StatusQuery,
  keyId: string,
  deps: PayDeps,
): Promise<void> {
  const { ledger, worker, leaseMs } = deps;
  const claimed = claimTimeNow(deps);
  const claim = { batchId, lane, worker, keyId, leaseMs };
  const attempt = await ledger.payout.reopenAttempt(claim, { payoutId, seq });
  if (attempt) await sendPayout(attempt, claimed, deps, batchId);
}

/**
 * A frozen ledger queries again after this multiple of `resolveAfterMs`, or after a fraction
 * (1/LOOKS) of the period that "not found" must span.
 */
const NEXT_QUERY_FACTOR = 10;
const QUERIES_MAX = 4;
const nextQueryMs = (
  query: StatusQuery,
  { timings, leaseMs }: Pick<PayDeps, "timings" | "leaseMs">,
): number => {
  const spanMs = processingMsOf(query, timings) + leaseMs;
  return Math.max(
    Math.min(NEXT_QUERY_FACTOR * timings.resolveAfterMs, spanMs),
    Math.ceil(spanMs / QUERIES_MAX),
  );
};

/**
 * Notes the processing time of a request that arrived although the gateway did not show it until
 * now. The gateway took at least this long.
 */
async function recordShownLate(
  { lane, state, statusAnswer, sinceLastSentMs, statusAnswerAgoMs }: StatusQuery,
  deps: PayDeps,
): Promise<void> {
  if (state !== "in_doubt" || statusAnswer !== "not_found") return;
  await recordLateAnswer(lane, sinceLastSentMs - statusAnswerAgoMs, deps).catch((error: unknown) =>
    deps.log.warn({ lane, err: error }, "processing time not recorded"),
  );
}

/**
 * Queries the codes that follow from this payout's code. A restored ledger may have forgotten that
 * the payout was declined and then paid again under one of them. Returns the answer about the first
 * such code that the gateway does not report as unknown; null if there is none.
 */
async function queryNextCodes(
  { transactionCode, money }: StatusQuery,
  { gateway }: PayDeps,
): Promise<StatusAnswer | null> {
  let code = transactionCode;
  for (let times = 0; times < RETRIES_MAX; times += 1) {
    code = retryCodeAfter(code);
    const { answer } = await gateway.status(money.currency, code);
    if (answer.kind !== "not_found") return answer;
  }
  return null;
}
