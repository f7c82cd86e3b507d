/**
 * Thousands of deposits by seed, with a gateway that loses, delays and forgets requests, late
 * payers, and processes that crash.
 */
import { expect, test } from "vitest";
import { decideDepositOutcome, decideRetry } from "#deposit/decide-outcome.ts";
import { decideDepositStatus, DEFAULT_EXPIRY_MS } from "#deposit/decide-status.ts";
import type { DepositDecision, DepositMove, KnownDeposit } from "#deposit/decision.ts";
import { DEPOSIT_LIFECYCLE, DEPOSIT_STATES, type DepositEvent } from "#deposit/lifecycle.ts";
import type { DepositOutcome } from "#deposit/outcome.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { seededRandom } from "#simulator/faults/seeded-random.ts";
import { ACCEPTED, BANK, KRW_ACCOUNT, record, SILENCE } from "../support/deposits.ts";
import type { InconclusiveAnswer } from "#payout/decision.ts";

const LIVES = 3_000;
const STEPS = 40;
const MINUTE_MS = 60_000;
const INR = { currency: "INR", minor: 50_000n, minorDigits: 2 };
const KRW = { currency: "KRW", minor: 50_000n, minorDigits: 0 };

/** Outcome of an exchange, with the most dangerous ones the most frequent. */
const TROUBLES = ["proper", "lost", "late", "late", "unsent", "no", "no", "later", "dead"];

type Book = "awaiting_bank" | "pending" | "settled" | "failed";

/** One deposit as the ledger records it, next to what the gateway has really received. */
function live(seed: number) {
  let throws = 0;
  const dice = () => seededRandom(seed, (throws += 1));
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(dice() * choices.length)] as T;
  const isKrw = seed % 2 === 0;
  const money = isKrw ? KRW : INR;
  const pace = {
    resolveAfterMs: 5_000,
    resendAfterMs: 5_000,
    resendWithinMs: 86_400_000,
    random: dice,
  };

  let nowMs = 0;
  let book: Book | null = null;
  let paidAs = "";
  let underway = 0; // requests delayed in a proxy
  let calm = false;
  let dueMs: number | null = 0;
  let lastSentMs = 0;
  let known: Omit<KnownDeposit, "sinceFirstSentMs" | "sinceLastSentMs" | "untilExpiryMs"> = {
    state: "requested",
    reason: null,
    step: 1,
    steps: isKrw ? 2 : 1,
    money,
    payable: null,
    paid: null,
    attempts: 0,
    statusAnswer: null,
    statusAnswerTimes: 0,
    maybeArrived: false,
  };
  const asKnown = (): KnownDeposit => ({
    ...known,
    sinceFirstSentMs: nowMs,
    sinceLastSentMs: nowMs - lastSentMs,
    untilExpiryMs: DEFAULT_EXPIRY_MS - nowMs,
  });

  function step(event: DepositEvent, reason: string | null): void {
    const { from, to } = DEPOSIT_LIFECYCLE[event];
    expect({ seed, event, from: known.state, legal: from.includes(known.state) }).toMatchObject({
      legal: true,
    });
    const maybeArrived = known.maybeArrived || to === "in_doubt";
    const at = to === "awaiting_bank" ? 1 : event === "send_account" ? 2 : known.step;
    known = {
      ...known,
      state: to,
      reason,
      maybeArrived,
      step: at,
      statusAnswer: null,
      statusAnswerTimes: 0,
    };
  }
  function move({ event, reason, dueInMs, facts }: DepositMove): void {
    step(event, reason);
    dueMs = dueInMs === null ? null : nowMs + dueInMs;
    if (facts.payable !== undefined)
      known = { ...known, payable: { ...money, minor: facts.payable } };
    if (facts.paid !== undefined) known = { ...known, paid: { ...money, minor: facts.paid } };
  }
  function hear(statusAnswer: InconclusiveAnswer | null, dueInMs: number | null): void {
    if (statusAnswer) {
      known = {
        ...known,
        statusAnswer,
        statusAnswerTimes: statusAnswer === known.statusAnswer ? known.statusAnswerTimes + 1 : 1,
      };
    }
    dueMs = dueInMs === null ? null : nowMs + dueInMs;
  }

  const arrive = (): DepositOutcome => {
    if (known.step === 2) {
      if (book !== "awaiting_bank") return { kind: "duplicate" };
      book = "pending";
      return KRW_ACCOUNT;
    }
    if (book !== null) return { kind: "duplicate" };
    book = isKrw ? "awaiting_bank" : "pending";
    return isKrw ? BANK : ACCEPTED;
  };
  /** Null: the process crashed before an answer arrived. */
  function exchange(): DepositOutcome | null {
    switch (calm ? "proper" : pick(TROUBLES)) {
      case "lost":
        arrive();
        return SILENCE;
      case "late":
        underway += 1;
        return SILENCE;
      case "unsent":
        return SILENCE;
      case "no":
        return book ? { kind: "duplicate" } : { kind: "declined", code: "110", text: "no" };
      case "later":
        return { kind: "deferred", code: "116", text: "later", stop: null };
      case "dead":
        if (dice() < 0.5) arrive();
        return null;
      default:
        return arrive();
    }
  }
  function send(event: "repeat" | "resend" | "send_account" | null): void {
    if (event) step(event, null);
    known = { ...known, attempts: known.attempts + 1 };
    lastSentMs = nowMs;
    const outcome = exchange();
    if (outcome === null)
      return move({
        kind: "move",
        event: "doubt",
        reason: "lease_expired",
        dueInMs: 0,
        facts: {},
      });
    const decision = decideDepositOutcome(asKnown(), outcome, pace);
    if (decision.kind === "move") move(decision);
    else dueMs = nowMs + (decision.dueInMs ?? 0);
  }
  function answer(): StatusAnswer {
    const luck = calm ? 1 : dice();
    if (luck < 0.15) return { kind: "no_answer", code: "timeout", text: "" };
    if (luck < 0.3 || book === null) return { kind: "not_found", text: "no record" }; // a lagging replica
    const ends = { settled: "completed", failed: "failed" } as const;
    const state = book === "settled" || book === "failed" ? ends[book] : "pending";
    const { currency } = money;
    const amount = state === "completed" ? paidAs : isKrw ? "50000" : "500.00";
    return record("PD1", luck < 0.4 ? "pending" : state, { currency, amount });
  }
  function ask(): void {
    if (known.state === "requested") {
      const ended = decideRetry(asKnown(), pace);
      return ended ? move(ended) : send("repeat");
    }
    const decision: DepositDecision = decideDepositStatus(asKnown(), answer(), pace);
    if (decision.kind === "move") return move(decision);
    hear(decision.statusAnswer, decision.dueInMs);
    if (decision.kind === "resend") send("resend");
  }

  const world = {
    due: () => dueMs !== null && dueMs <= nowMs && ask(),
    asked: () => known.state !== "requested" && ask(), // by a person, or after a callback with any content
    seconds: () => (nowMs += dice() * 20_000),
    minutes: () => (nowMs += dice() * 3 * MINUTE_MS),
    account: () => known.state === "awaiting_bank" && send("send_account"),
    landed() {
      for (; underway > 0; underway -= 1) arrive();
    },
    paid() {
      if (book !== "pending" && book !== "failed") return;
      book = "settled";
      paidAs = pick(isKrw ? ["50000", "40000"] : ["500.00", "1.5"]);
    },
    failed: () => dice() < 0.2 && book !== null && book !== "settled" && (book = "failed"),
  };
  send(null);
  for (let turn = 0; turn < STEPS; turn += 1) pick(Object.values(world))();

  // Faults stop here: delayed requests arrive, some payers pay, and nothing more is lost.
  world.landed();
  if (dice() < 0.5) world.paid();
  calm = true;
  for (let turn = 0; turn < 500; turn += 1) {
    if (dueMs === null) break;
    nowMs = Math.max(nowMs, dueMs) + 30 * MINUTE_MS;
    ask();
  }
  return { known, book, paidAs, dueMs };
}

test(`finishes ${LIVES} deposits with exactly the money that the gateway received`, () => {
  const ends = new Set<string>();
  for (let seed = 1; seed <= LIVES; seed += 1) {
    const { known, book, paidAs, dueMs } = live(seed);
    const { state, reason, paid, money } = known;
    ends.add(`${state} ${reason?.split(":")[0] ?? ""}`);
    const at = { seed, book, state, reason };
    expect({ ...at, dueMs, final: DEPOSIT_STATES[state].final }).toEqual({
      ...at,
      dueMs: null,
      final: true,
    });
    // A payer who paid is never told that the deposit failed, and no unpaid deposit is reported as
    // received.
    const isToldRight = (state === "completed") === (book === "settled") || state === "manual";
    expect({ ...at, isToldRight }).toEqual({ ...at, isToldRight: true });
    const amount =
      state === "completed" ? BigInt(Math.round(Number(paidAs) * 10 ** money.minorDigits)) : null;
    expect({ ...at, paid: state === "completed" ? paid?.minor : null }).toEqual({
      ...at,
      paid: amount,
    });
  }
  // Every state was reached. Otherwise the test would prove little.
  expect(ends.size).toBeGreaterThanOrEqual(8);
});
