import type { Claim, Move, OpenAttempt } from "#ledger/ledger.ts";
import type { Reclaim } from "#ledger/payout/claim-statement.ts";
import { type InDoubtTotal, isAboveLimit, SLOW_IN_DOUBT_MAX } from "#payout/circuit-breakers.ts";
import { LIFECYCLE, type PayoutEvent } from "#payout/payout-lifecycle.ts";
import { storedReason } from "#payout/reasons.ts";
import { payloadText } from "#payout/payout.ts";
import { isInvalidRetry } from "./retry-batches.ts";
import { isPaused } from "./lanes.ts";
import { isReleased } from "./send-times.ts";
import type { EvidenceRow, LaneRow, PayoutRow, Tables } from "./tables.ts";

/**
 * The statements about payouts: src/ledger/payout/attempts.ts, moves.ts and questions.ts in memory.
 */

const AT_GATEWAY: ReadonlySet<string> = new Set(["submitting", "in_doubt", "accepted"]);

/** Returns whether the gateway may know the payout and can still change it. */
export const isAtGateway = ({ state }: PayoutRow): boolean => AT_GATEWAY.has(state);

/** Returns the payouts of a batch in a lane. */
export const inLane = (tables: Tables, batchId: string, lane: string): readonly PayoutRow[] =>
  tables.batches.get(batchId)?.payouts.get(lane) ?? [];

/** Returns whether a payout waits for the canary of its lane. */
export function isBehindCanary(tables: Tables, { batchId, lane, line }: PayoutRow): boolean {
  const canary = tables.batches.get(batchId)?.canaries.get(lane);
  return canary !== undefined && canary.releasedMs === null && line > canary.lastLine;
}

/** The payout's next state, with its transition. */
export function step(
  { journal }: Tables,
  payout: PayoutRow,
  event: PayoutEvent,
  told: { readonly reason: string | null; readonly actor: string },
): void {
  const from = payout.state;
  payout.state = LIFECYCLE[event].to;
  payout.seq += 1;
  payout.transitions.push({ seq: payout.seq, event, from, to: payout.state, ...told });
  journal.push(payout);
}

/** Claims due payouts of one batch and lane, and records an attempt for each. */
export function openAttempts(
  tables: Tables,
  claim: Claim,
  nowMs: number,
  doubtIn: () => InDoubtTotal,
): OpenAttempt[] {
  const { batchId, lane, sizeMax } = claim;
  if (!mayClaim(tables, claim, nowMs)) return [];
  const due: PayoutRow[] = [];
  for (const payout of inLane(tables, batchId, lane)) {
    if (payout.state !== "approved" || payout.dueMs > nowMs || isInvalidRetry(tables, payout))
      continue;
    // The rows of a lane are in line order: all that follow are behind the canary as well.
    if (isBehindCanary(tables, payout)) break;
    due.push(payout);
    if (due.length === sizeMax) break;
  }
  if (due.length === 0 || isAboveLimit(doubtIn(), claim.inDoubtLimit)) return [];
  const stopped = tables.lanes.get(lane);
  if (stopped?.breaker === "slow" && doubtIn().count >= SLOW_IN_DOUBT_MAX) return [];
  const onTrial = claimProbe(stopped, claim.leaseMs, nowMs);
  if (!onTrial && isStopped(stopped)) return [];
  const size = onTrial ? 1 : sizeMax;
  return due.slice(0, size).map((payout) => claimed(tables, payout, "send", claim, onTrial, nowMs));
}

/**
 * Claims a payout in doubt, to send it again with the same code. Null: it changed or may not be
 * claimed.
 */
export function reopenAttempt(
  tables: Tables,
  claim: Reclaim,
  { payoutId, seq }: { readonly payoutId: number; readonly seq: number },
  nowMs: number,
): OpenAttempt | null {
  const payout = tables.payouts[payoutId - 1];
  if (payout?.seq !== seq || payout.state !== LIFECYCLE.resend.from[0]) return null;
  if (!mayClaim(tables, claim, nowMs)) return null;
  if (isInvalidRetry(tables, payout)) return null;
  const lane = tables.lanes.get(claim.lane);
  const onTrial = claimProbe(lane, claim.leaseMs, nowMs);
  const mayPass = lane?.needs === "answers" && lane.gatewayPauseUntilMs <= nowMs;
  if (!onTrial && isStopped(lane) && !mayPass) return null;
  return claimed(tables, payout, "resend", claim, onTrial, nowMs);
}

const mayClaim = (
  tables: Tables,
  { batchId, lane }: Pick<Claim, "batchId" | "lane">,
  nowMs: number,
): boolean => {
  const batch = tables.batches.get(batchId);
  return (
    batch?.state === "approved" &&
    !batch.cancelling &&
    !isPaused(tables, { batchId, lane }, nowMs) &&
    isReleased(tables, batchId, nowMs)
  );
};

const isStopped = (lane: LaneRow | undefined): boolean =>
  lane !== undefined && lane.reason !== null;

/** A stopped lane whose wait has ended admits one payout, and no other for a while. */
function claimProbe(lane: LaneRow | undefined, leaseMs: number, nowMs: number): boolean {
  if (!lane || lane.reason === null || lane.retryMs === null || lane.retryMs > nowMs) return false;
  lane.retryMs = nowMs + leaseMs;
  return true;
}

function claimed(
  tables: Tables,
  payout: PayoutRow,
  event: "send" | "resend",
  { worker, keyId, leaseMs }: Reclaim,
  isProbe: boolean,
  nowMs: number,
): OpenAttempt {
  step(tables, payout, event, { reason: null, actor: worker });
  payout.attempts += 1;
  payout.queryCount = 0;
  clearStatusAnswer(payout);
  payout.unansweredMs = null;
  payout.isRepeated ||= payout.maybeArrived || payout.queriedMs !== null;
  payout.checkMs = null;
  payout.silentMs = null;
  payout.dueMs = nowMs + leaseMs;
  payout.firstSentMs ??= nowMs;
  payout.lastSentMs = nowMs;
  const number = payout.attempts;
  payout.attempted.push({ number, payload: payout.payload, keyId, worker });
  return {
    payoutId: payout.id,
    seq: payout.seq,
    number,
    lane: payout.lane,
    order: payout.order,
    intact: payloadText(payout.order) === payout.payload,
    maybeArrived: payout.maybeArrived || payout.queriedMs !== null,
    isRestored: tables.epoch.number > 1,
    mayBeForgotten: tables.epoch.number > 1 && !payout.maybeArrived && payout.queriedMs === null,
    isProbe,
  };
}

/**
 * Makes transitions by compare-and-set. Returns for each whether the payout was still in its
 * earlier state.
 */
export function makeMoves(tables: Tables, moves: readonly Move[], nowMs: number): boolean[] {
  for (const { event, from } of moves) {
    if (event !== null && !LIFECYCLE[event].from.includes(from)) {
      throw new Error(`illegal move: ${event} from ${from}`);
    }
  }
  // One statement: each row changes at most once, compared with its earlier state.
  const changed = new Set<PayoutRow>();
  return moves.map((move) => {
    const payout = tables.payouts[move.payoutId - 1];
    if (!payout) return false;
    if (move.evidence) payout.evidence.push(move.evidence);
    if (payout.seq !== move.seq || payout.state !== move.from || changed.has(payout)) return false;
    if (move.event === null && (move.queryCount ?? payout.queryCount) !== payout.queryCount)
      return false;
    changed.add(payout);
    apply(tables, payout, move, nowMs);
    return true;
  });
}

/** Discards the status that the gateway reported last. */
export function clearStatusAnswer(payout: PayoutRow): void {
  payout.statusAnswer = null;
  payout.statusAnswerTimes = 0;
  payout.statusAnswerSinceMs = null;
  payout.statusAnswerAtMs = null;
}

function apply(tables: Tables, payout: PayoutRow, move: Move, nowMs: number): void {
  const { event, reason, actor, evidence, statusAnswer = null } = move;
  payout.dueMs = nowMs + move.dueInMs;
  payout.gatewayNumber = payout.gatewayNumber ?? move.gatewayNumber ?? null;
  if (move.answered) payout.queriedMs = nowMs;
  if (evidence?.kind === "answer") payout.crashes = 0;
  if (evidence?.kind === "lease") payout.crashes += 1;
  if (move.mayBeProcessed === false) payout.unansweredMs = null;
  if (move.mayBeProcessed) {
    payout.unansweredMs = nowMs;
    payout.statusAnswerSinceMs = null;
    payout.statusAnswerAtMs = null;
  }
  if (event === null) {
    payout.queryCount += 1;
    payout.silentMs = move.silent ? (payout.silentMs ?? nowMs) : null;
    if (statusAnswer === null) return;
    if (statusAnswer === "returned") payout.checkMs = nowMs + move.dueInMs;
    payout.statusAnswerSinceMs =
      payout.statusAnswer === statusAnswer ? (payout.statusAnswerSinceMs ?? nowMs) : nowMs;
    payout.statusAnswerAtMs = nowMs;
    payout.statusAnswerTimes =
      payout.statusAnswer === statusAnswer ? payout.statusAnswerTimes + 1 : 1;
    payout.statusAnswer = statusAnswer;
    return;
  }
  step(tables, payout, event, { reason, actor });
  const isChecked = payout.isRepeated && CHECKED.has(payout.state);
  payout.checkMs = isChecked ? nowMs + move.dueInMs : null;
  payout.reason = reason;
  payout.queryCount = 0;
  clearStatusAnswer(payout);
  payout.silentMs = null;
  if (event === "defer") payout.firstSentMs = null;
  if (event === "accept") {
    payout.firstSentMs ??= nowMs;
    payout.lastSentMs ??= nowMs;
  }
  if (payout.state === "in_doubt") payout.maybeArrived = true;
}

/** States in which a repeated code is checked for a second payment. */
const CHECKED: ReadonlySet<string> = new Set([
  "settled",
  "declined",
  "on_hold",
  "returned",
  "resolved",
]);

const LEASE_OVER: Omit<EvidenceRow, "attempt"> = {
  kind: "lease",
  facts: { text: "no response recorded within the lease" },
};

/** Puts payouts in doubt whose worker did not record a result in time. Returns their number. */
export function expireLeases(tables: Tables, batchId: string, nowMs: number): number {
  let expired = 0;
  for (const payouts of tables.batches.get(batchId)?.payouts.values() ?? []) {
    for (const payout of payouts) {
      if (payout.state !== "submitting" || payout.dueMs > nowMs) continue;
      expired += 1;
      step(tables, payout, "doubt", { reason: "lease_expired", actor: "sweep" });
      payout.reason = "lease_expired";
      payout.dueMs = nowMs;
      payout.crashes += 1;
      payout.queryCount = 0;
      clearStatusAnswer(payout);
      payout.unansweredMs = nowMs;
      payout.maybeArrived = true;
      payout.evidence.push({ ...LEASE_OVER, attempt: payout.attempts });
    }
  }
  return expired;
}

/** Puts unsent payouts on hold whose original may still be paid. Returns their number. */
export function holdInvalidRetries(tables: Tables, batchId: string): number {
  const isHeld = (payout: PayoutRow) =>
    payout.state === "approved" && !payout.maybeArrived && isInvalidRetry(tables, payout);
  const lanes = [...(tables.batches.get(batchId)?.payouts.values() ?? [])];
  const overtaken = lanes.flatMap((payouts) => payouts.filter(isHeld));
  for (const payout of overtaken) {
    payout.reason = storedReason("overtaken");
    step(tables, payout, "hold", { reason: payout.reason, actor: "sweep" });
  }
  return overtaken.length;
}

/** Makes the status query of a payout due immediately. */
export function makeStatusQueryDue(tables: Tables, payoutId: number, nowMs: number): void {
  const payout = tables.payouts[payoutId - 1];
  if (payout?.state === "in_doubt" || payout?.state === "accepted") payout.dueMs = nowMs;
}

/** Records a callback with its payout, or as a stray one (null). */
export function recordCallback(
  tables: Tables,
  { payoutId, facts }: { payoutId: number | null; facts: Readonly<Record<string, unknown>> },
): void {
  const text = JSON.stringify(facts);
  if (payoutId === null) {
    if (!tables.strayCallbacks.includes(text)) tables.strayCallbacks.push(text);
    return;
  }
  const evidence = tables.payouts[payoutId - 1]?.evidence;
  const isKept = evidence?.some(
    (kept) => kept.kind === "callback" && JSON.stringify(kept.facts) === text,
  );
  if (!isKept) evidence?.push({ kind: "callback", attempt: null, facts });
}
