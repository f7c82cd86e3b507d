import {
  parseAmountOf,
  DOUBT_BASE_MS,
  type DepositDecision,
  type DepositMove,
  type KnownDeposit,
  type DepositFacts,
  move,
  REQUEST_WITHIN_MS,
  type WaitDecision,
} from "#deposit/decision.ts";
import { type DepositReason, depositReason, depositReasonCode } from "#deposit/reasons.ts";
import { type StatusAnswer, type StatusRecord, statusRecordText } from "#payout/outcome.ts";
import { unreachable } from "#base/result.ts";
import type { InconclusiveAnswer, Timings } from "#payout/decision.ts";

/**
 * Time until the payment deadline, in milliseconds from the first request, if the gateway does not
 * state a readable one.
 */
export const DEFAULT_EXPIRY_MS = 24 * 3_600_000;
/** Milliseconds after its expiry for which a deposit is still queried: a payment may be late. */
const LATE_MS = 72 * 3_600_000;

const ANSWERS_MIN = 2;
const UNCLEAR_MAX = 3;
/**
 * "Not found" is believed only when the last request is this many times `resolveAfterMs` old. Each
 * further attempt doubles the time.
 */
const BELIEVED_AFTER = 2;
const SHOWN_AFTER = 12;
const QUERY_WAIT_MAX_MS = 120_000;
const LATE_QUERY_WAIT_MIN_MS = 60_000;
const LATE_QUERY_WAIT_MAX_MS = 1_800_000;
const MANUAL_QUERY_WAIT_MS = 600_000;
const JUST_AFTER_MS = 1_000;

/**
 * Reasons that a later answer of the gateway can still explain. Status queries continue, even while
 * a person investigates.
 */
const FOLLOWED: ReadonlySet<DepositReason | null> = new Set<DepositReason>([
  "manual_process",
  "unclear_status",
  "duplicate_not_shown",
]);

const hold = (code: DepositReason, said: string, learnt: DepositFacts = {}): DepositMove =>
  move("hold", depositReason(code, said), FOLLOWED.has(code) ? MANUAL_QUERY_WAIT_MS : null, learnt);

/** Decides what to do after the answer to a status query. */
export function decideDepositStatus(
  known: KnownDeposit,
  answer: StatusAnswer,
  timings: Timings,
): DepositDecision {
  switch (answer.kind) {
    case "found":
      return decideFound(known, answer.record, timings);
    case "not_found":
      return decideNotFound(known, timings);
    case "no_answer":
      return isOpen(known) && isExpired(known)
        ? expire(known.state === "in_doubt" ? "status_unanswered" : null)
        : queryLater(known, timings, null, "silent");
    default:
      return unreachable(answer);
  }
}

const isExpired = ({ untilExpiryMs }: KnownDeposit): boolean => untilExpiryMs <= 0;
const isOpen = ({ state }: KnownDeposit): boolean =>
  state === "in_doubt" || state === "awaiting_bank" || state === "awaiting_payment";

const expire = (why: DepositReason | null): DepositMove =>
  move("expire", why, LATE_QUERY_WAIT_MIN_MS);

/** Returns how often in a row this answer has arrived, including this time. */
const timesInRow = (known: KnownDeposit, heard: InconclusiveAnswer): number =>
  known.statusAnswer === heard ? known.statusAnswerTimes + 1 : 1;

const isUnexplained = ({ reason }: KnownDeposit): boolean =>
  reason !== null && /^duplicate_(?:unexplained|not_shown)/.test(reason);
const isFollowed = ({ state, reason }: KnownDeposit): boolean =>
  state === "manual" && FOLLOWED.has(depositReasonCode(reason));
/**
 * Returns whether the gateway reported that the deposit failed. A payment may still arrive late.
 */
const hasFailed = ({ state, reason }: KnownDeposit): boolean =>
  state === "declined" && depositReasonCode(reason) === "failed_at_gateway";

function decideFound(known: KnownDeposit, record: StatusRecord, timings: Timings): DepositDecision {
  const { state, money } = known;
  const { gatewayNumber } = record;
  const facts = { gatewayNumber };
  const said = statusRecordText(record);
  if (state === "manual" && !isFollowed(known)) return queryLater(known, timings, null);
  if (state === "resolved") return decideResolved(known, record);

  const amount = parseAmountOf(money, record.amount);
  // No word for a returned deposit is documented.
  if (amount === null || record.state === "unclear" || record.state === "reversed") {
    const later = queryLater(known, timings, "unclear");
    if (state === "manual") return later;
    // A deposit in a final state is not queried again: the first such answer counts.
    if (later.dueInMs === null)
      return hold("contradiction", `${state}, now unclear: ${said}`, facts);
    return timesInRow(known, "unclear") >= UNCLEAR_MAX
      ? hold("unclear_status", said, facts)
      : later;
  }
  const isOther = isUnexplained(known) && amount !== money.minor;
  if (record.currency.toUpperCase() !== money.currency || isOther) {
    return notOurs(known, said, facts, timings);
  }
  switch (record.state) {
    case "completed":
      return decideCompleted(known, amount, facts, timings);
    case "failed":
      if (state === "completed") return hold("contradiction", "completed, now failed", facts);
      if (state === "declined" || state === "expired") return queryLater(known, timings, null);
      if (isUnexplained(known)) return notOurs(known, said, facts, timings);
      return isExpired(known) && state !== "manual"
        ? { ...expire("failed_at_gateway"), facts }
        : move("decline", depositReason("failed_at_gateway"), LATE_QUERY_WAIT_MIN_MS, facts);
    case "pending":
      return decidePending(known, facts, timings);
    case "manual":
      if (state === "completed" || state === "declined")
        return hold("contradiction", `${state}, now manual`, facts);
      return state === "manual"
        ? queryLater(known, timings, null)
        : hold("manual_process", "", facts);
    default:
      return unreachable(record.state);
  }
}

const notOurs = (
  known: KnownDeposit,
  said: string,
  learnt: DepositFacts,
  timings: Timings,
): DepositDecision =>
  known.state === "manual" ? queryLater(known, timings, null) : hold("code_not_ours", said, learnt);

/** Wait without another query: no further answer is expected. */
const stopQuerying: WaitDecision = { kind: "wait", dueInMs: null, statusAnswer: null };

/**
 * The gateway's answer never proves what people found elsewhere. If it reports the opposite, people
 * must look again.
 */
function decideResolved({ reason, money }: KnownDeposit, record: StatusRecord): DepositDecision {
  const opposite = depositReasonCode(reason) === "resolved_received" ? "failed" : "completed";
  return record.state === opposite && record.currency.toUpperCase() === money.currency
    ? hold("contradiction", `resolved, now ${opposite} with ${record.amount}`)
    : stopQuerying;
}

function decideCompleted(
  known: KnownDeposit,
  paid: bigint,
  learnt: DepositFacts,
  timings: Timings,
): DepositDecision {
  const { state, money, payable } = known;
  if (state === "declined") return hold("contradiction", "declined, now completed", learnt);
  if (state === "completed") {
    return known.paid?.minor === paid
      ? queryLater(known, timings, null)
      : hold("contradiction", "a different amount than before", learnt);
  }
  const why = ((): DepositReason | null => {
    if (isUnexplained(known) || depositReasonCode(known.reason) === "duplicate_matched")
      return "duplicate_matched";
    if (paid !== (payable ?? money).minor) return "paid_differently";
    return state === "expired" ? "paid_late" : null;
  })();
  return move("complete", why, null, { ...learnt, paid });
}

function decidePending(
  known: KnownDeposit,
  learnt: DepositFacts,
  timings: Timings,
): DepositDecision {
  const { state, step, steps } = known;
  if (state === "declined" && !hasFailed(known)) {
    return hold("contradiction", `${state}, now pending`, learnt);
  }
  // After a failure that the gateway itself reported, a replica of it may lag behind, so "pending"
  // proves nothing.
  if (state !== "in_doubt") {
    return isOpen(known) && isExpired(known) ? expire(null) : queryLater(known, timings, null);
  }
  const why = depositReasonCode(known.reason);
  const first = timings.resolveAfterMs;
  // A status does not contain the content of the lost answer. The deposit continues if that content
  // is not needed.
  const matched = isUnexplained(known) ? "duplicate_matched" : null;
  if (steps === 2 && step === 1)
    return move("request_account", matched ?? "banks_lost", first, { ...learnt, banks: [] });
  if (step === 2 && why !== "account_known") {
    // The status is "pending" before the account is sent as well as after it. An account that may
    // still be in transit is waited for.
    return known.sinceLastSentMs < BELIEVED_AFTER * first
      ? queryLater(known, timings, null)
      : move("request_account_again", "account_not_seen", first, learnt);
  }
  return move("accept", matched ?? "answer_lost", first, learnt);
}

/**
 * Decides after an answer without our code. It does not prove that the code will never arrive
 * (F37), so the deposit is never declined.
 */
function decideNotFound(known: KnownDeposit, timings: Timings): DepositDecision {
  if (known.state !== "in_doubt") {
    return isOpen(known) && isExpired(known) ? expire(null) : queryLater(known, timings, null);
  }
  const why = depositReasonCode(known.reason);
  const patient = (waits: number) => known.sinceLastSentMs >= waits * timings.resolveAfterMs;
  const heardEnough = timesInRow(known, "not_found") >= ANSWERS_MIN;
  const wait = queryLater(known, timings, "not_found");
  if (why === "duplicate_unexplained") {
    return heardEnough && patient(SHOWN_AFTER) ? hold("duplicate_not_shown", "") : wait;
  }
  const waits = BELIEVED_AFTER * 2 ** Math.min(known.attempts - 1, 6);
  if (!heardEnough || !patient(waits)) return wait;
  if (known.step === 2)
    return move("request_account_again", "account_not_seen", timings.resolveAfterMs);
  const triedWithinMs = Math.min(REQUEST_WITHIN_MS, timings.resendWithinMs);
  if (known.sinceFirstSentMs > triedWithinMs) return expire("never_shown");
  // The gateway has shown that it knows the code, or refuses it: sending the code again would give
  // no new information.
  return why === "duplicate_arrived" || why === "refused_after_doubt"
    ? wait
    : { ...wait, kind: "resend" };
}

/**
 * Schedules the next status query: less often the older the deposit is, once at its expiry, and
 * after that for late payments.
 */
function queryLater(
  known: KnownDeposit,
  timings: Timings,
  statusAnswer: InconclusiveAnswer | null,
  hearing: "answered" | "silent" = "answered",
): WaitDecision {
  const spread = (ms: number) => Math.round(ms * (0.75 + 0.5 * timings.random()));
  const { state, untilExpiryMs, sinceLastSentMs } = known;
  const isLong = -untilExpiryMs > LATE_MS;
  if (isFollowed(known)) {
    const isTheirs = depositReasonCode(known.reason) === "manual_process";
    return isLong && !isTheirs
      ? stopQuerying
      : { kind: "wait", dueInMs: spread(MANUAL_QUERY_WAIT_MS), statusAnswer };
  }
  if (state === "expired" || hasFailed(known)) {
    // A gateway that never answers has not reported that no money arrived. It is queried until it
    // answers.
    if (hearing === "answered" && isLong) return stopQuerying;
    const age = Math.max(-untilExpiryMs, sinceLastSentMs);
    const byAge = Math.min(Math.max(age / 8, LATE_QUERY_WAIT_MIN_MS), LATE_QUERY_WAIT_MAX_MS);
    return { kind: "wait", dueInMs: spread(byAge), statusAnswer };
  }
  if (!isOpen(known)) return stopQuerying;
  const first = state === "in_doubt" ? DOUBT_BASE_MS : timings.resolveAfterMs;
  const byAge = spread(Math.min(Math.max(first, sinceLastSentMs / 4), QUERY_WAIT_MAX_MS));
  const dueInMs = untilExpiryMs > 0 ? Math.min(byAge, untilExpiryMs + JUST_AFTER_MS) : byAge;
  return { kind: "wait", dueInMs, statusAnswer };
}
