import { describe, expect, test } from "vitest";
import { decideStatus } from "#payout/decide.ts";
import type { StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import { found, HOUR_MS, KNOWN, NO_ANSWER, NOT_FOUND, PACE, short } from "./known.ts";
import { type Decision, type KnownPayout, type Timings } from "#payout/decision.ts";

const DOUBT: KnownPayout = { ...KNOWN, state: "in_doubt", reason: "no_answer", maybeArrived: true };
const ACCEPTED: KnownPayout = { ...KNOWN, state: "accepted" };
const waits = (decision: Decision) =>
  decision.kind === "wait" ? [decision.statusAnswer, decision.dueInMs] : short(decision);
const reasonOf = (known: KnownPayout, answer: StatusAnswer) => {
  const decision = decideStatus(known, answer, PACE);
  return decision.kind === "move" ? decision.reason : decision.kind;
};

describe("stored part of an answer that is not conclusive yet", () => {
  // biome-ignore format: the columns are the point
  test.each<[string, KnownPayout, StatusAnswer, string | null]>([
    ["not found, in doubt",                DOUBT,                                        NOT_FOUND,                    "not_found"],
    ["not found, counted, too early",      { ...DOUBT, statusAnswer: "not_found", statusAnswerTimes: 3, sinceLastSentMs: 0 }, NOT_FOUND, "not_found"],
    ["not found, accepted",                ACCEPTED,                                     NOT_FOUND,                    "not_found"],
    ["not found, unexplained code",        { ...DOUBT, reason: "duplicate_unexplained" }, NOT_FOUND,                   "not_found"],
    ["not found, ended",                   { ...KNOWN, state: "settled", statusAnswer: "not_found", statusAnswerTimes: 9 }, NOT_FOUND, null],
    ["unclear",                            ACCEPTED,                                     found({ state: "unclear" }),  "unclear"],
    ["silence",                            ACCEPTED,                                     NO_ANSWER,                    null],
    ["already known",                      ACCEPTED,                                     found({ state: "pending" }),  null],
  ])("%s", (_what, known, answer, statusAnswer) => {
    const decision = decideStatus(known, answer, PACE);
    expect(decision).toMatchObject({ kind: "wait", statusAnswer });
  });
});

describe("F60 interval between status queries", () => {
  const PENDING = found({ state: "pending" });
  const dueInMs = (
    known: KnownPayout,
    answer: StatusAnswer,
    sinceLastSentMs: number,
    pace: Partial<Timings> = {},
  ) => {
    const decision = decideStatus({ ...known, sinceLastSentMs, sinceFirstSentMs: 0 }, answer, {
      ...PACE,
      random: () => 0.5,
      ...pace,
    });
    return decision.kind === "wait" ? decision.dueInMs : short(decision);
  };

  test.each([
    ["half a second at first, in doubt", DOUBT, NO_ANSWER, 0, 500],
    ["the first query's wait, accepted", ACCEPTED, PENDING, 0, PACE.resolveAfterMs],
    ["the same after silence", ACCEPTED, NO_ANSWER, 0, PACE.resolveAfterMs],
    ["later a quarter of its age, accepted", ACCEPTED, PENDING, 400_000, 100_000],
    ["half a minute at that age, after silence", ACCEPTED, NO_ANSWER, 400_000, 30_000],
    ["a quarter of its age, in doubt for less than two minutes", DOUBT, NO_ANSWER, 100_000, 25_000],
    ["half a minute, in doubt for ten", DOUBT, NO_ANSWER, 600_000, 30_000],
    ["a twentieth of its age, in doubt for longer", DOUBT, NO_ANSWER, 2 * HOUR_MS, 360_000],
    ["a twentieth of its age, silent for longer", ACCEPTED, NO_ANSWER, 2 * HOUR_MS, 360_000],
    ["ten minutes at most", DOUBT, NO_ANSWER, 10 * HOUR_MS, 600_000],
    ["ten minutes at most, accepted", ACCEPTED, NO_ANSWER, 10 * HOUR_MS, 600_000],
  ] as const)("%s", (_what, known, answer, ageMs, waitMs) => {
    expect(dueInMs(known, answer, ageMs)).toBe(waitMs);
  });

  test("respects the gateway's requested pause, at most ten minutes, and never shortens the usual wait", () => {
    const throttled = (afterMs: number) => ({ ...NO_ANSWER, code: "http_429", afterMs });
    const dues = [0, 90_000, 100_001, 3_600_000].map((ms) =>
      dueInMs(ACCEPTED, throttled(ms), 400_000),
    );
    expect(dues).toEqual([100_000, 100_000, 100_001, 600_000]);
    expect(dueInMs(DOUBT, throttled(7_000), 0)).toBe(7_000);
  });

  test("is never earlier than the first query, even where that is late", () => {
    const pace = { resolveAfterMs: 120_000 };
    expect(dueInMs(ACCEPTED, NO_ANSWER, 200_000, pace)).toBe(120_000);
  });

  test("varies randomly by up to a quarter", () => {
    const dues = [0, 0.9999999].map((chance) =>
      dueInMs(ACCEPTED, PENDING, 400_000, { random: () => chance }),
    );
    expect(dues).toEqual([75_000, 125_000]);
  });
});

describe("details shown to a person", () => {
  const SAID = "the gateway reports INR 9.00";

  // biome-ignore format: the columns are the point
  test.each<[string, KnownPayout, StatusAnswer, string]>([
    ["another amount after acceptance",       ACCEPTED,                                   found({ amount: "9.00" }),       `amount_mismatch: ${SAID}`],
    ["another amount, perhaps ours",          DOUBT,                                      found({ amount: "9.00" }),       `amount_mismatch: ${SAID}`],
    ["another amount, nothing sent arrived",  { ...DOUBT, maybeArrived: false },          found({ amount: "9.00" }),       `code_not_ours: ${SAID}`],
    ["another amount after the final state",  { ...KNOWN, state: "settled" },             found({ amount: "9.00" }),       `amount_mismatch: ${SAID}`],
    ["another amount for a code used before", { ...ACCEPTED, reason: "duplicate_matched" }, found({ amount: "9.00" }),     `code_not_ours: ${SAID}`],
    ["answers that stay unclear",             { ...ACCEPTED, statusAnswer: "unclear", statusAnswerTimes: 2 }, found({ state: "unclear" }), "unclear_status: the gateway reports INR 150.50"],
    ["a record without a currency",           { ...ACCEPTED, statusAnswer: "unclear", statusAnswerTimes: 2 }, found({ state: "unclear", currency: "" }), "unclear_status: the gateway reports 150.50 without a currency"],
    ["a record without an amount",            { ...ACCEPTED, statusAnswer: "unclear", statusAnswerTimes: 2 }, found({ state: "unclear", says: "completed", amount: "" }), "unclear_status: the gateway reports completed, with INR without an amount"],
    ["a record without either",               { ...ACCEPTED, statusAnswer: "unclear", statusAnswerTimes: 2 }, found({ state: "unclear", amount: "", currency: "" }), "unclear_status: the gateway reports no amount and no currency"],
    ["an unknown word",                       { ...ACCEPTED, statusAnswer: "unclear", statusAnswerTimes: 2 }, found({ state: "unclear", says: "paid" }), "unclear_status: the gateway reports paid, with INR 150.50"],
    ["declined, then completed",              { ...KNOWN, state: "declined" },            found({ state: "completed" }),   "contradiction: declined, now completed"],
    ["settled, then failed, then completed",  { ...KNOWN, state: "settled", statusAnswer: "returned" }, found({ state: "completed" }), "contradiction: settled, then failed, now completed"],
    ["settled, then unclear",                 { ...KNOWN, state: "settled" },             found({ state: "unclear" }),     "contradiction: settled, now unclear: the gateway reports INR 150.50"],
    ["declined, then an unreadable amount",   { ...KNOWN, state: "declined" },            found({ amount: "9,00" }),       "contradiction: declined, now unclear: the gateway reports INR 9,00"],
    ["settled, then pending",                 { ...KNOWN, state: "settled" },             found({ state: "pending" }),     "contradiction: settled, now pending"],
    ["declined, then pending",                { ...KNOWN, state: "declined" },            found({ state: "pending" }),     "contradiction: declined, now pending"],
  ])("%s", (_what, known, answer, reason) => {
    expect(reasonOf(known, answer)).toBe(reason);
  });

  test("treats the same digits with a moved point as another amount (F121)", () => {
    const money = { currency: "INR", minor: 150_505n, minorDigits: 2 };
    expect(reasonOf({ ...ACCEPTED, money }, found({ state: "completed", amount: "150.505" }))).toBe(
      "amount_mismatch: the gateway reports INR 150.505",
    );
  });
});

describe("payouts resolved manually", () => {
  // biome-ignore format: the columns are the point
  test.each<[string, StatusRecord["state"], Partial<StatusRecord>, string]>([
    ["resolved_arrived",     "completed", {},                 "wait"],
    ["resolved_arrived",     "pending",   {},                 "wait"],
    ["resolved_arrived",     "unclear",   {},                 "wait"],
    ["resolved_arrived",     "failed",    {},                 "contradiction: resolved, now failed"],
    ["resolved_not_arrived", "failed",    {},                 "wait"],
    ["resolved_not_arrived", "manual",    {},                 "wait"],
    ["resolved_not_arrived", "completed", {},                 "contradiction: resolved, now completed"],
    ["resolved_not_arrived", "completed", { amount: "9.00" }, "contradiction: resolved, now completed"],
  ])("%s, then the gateway reports %s %j: %s", (reason, state, record, told) => {
    const closed: KnownPayout = { ...KNOWN, state: "resolved", reason };
    expect(reasonOf(closed, found({ state, ...record }))).toBe(told);
    expect(reasonOf(closed, NOT_FOUND)).toBe("wait");
  });
});

test("F37 does not resend a code unknown to the gateway when another payout retries it", () => {
  const heard: KnownPayout = { ...DOUBT, statusAnswer: "not_found", statusAnswerTimes: 1 };
  expect(reasonOf(heard, NOT_FOUND)).toBe("resend");
  expect(reasonOf({ ...heard, isInvalidRetry: true }, NOT_FOUND)).toBe("overtaken");
  expect(reasonOf({ ...DOUBT, isInvalidRetry: true }, NOT_FOUND)).toBe("wait");
  expect(decideStatus(DOUBT, NOT_FOUND, PACE)).toMatchObject({ statusAnswer: "not_found" });
  expect(decideStatus(heard, NOT_FOUND, PACE)).toMatchObject({ statusAnswer: "not_found" });
});

test("F57 holds a doubt without answers after the window, with the last answer", () => {
  const silence = { kind: "no_answer", code: "http_500", text: "HTTP 500" } as const;
  const at = (sinceFirstSentMs: number) => reasonOf({ ...DOUBT, sinceFirstSentMs }, silence);
  expect(at(PACE.resendWithinMs)).toBe("wait");
  expect(at(PACE.resendWithinMs + 1)).toBe("status_unanswered: HTTP 500");
  expect(reasonOf({ ...ACCEPTED, sinceFirstSentMs: PACE.resendWithinMs + 1 }, silence)).toBe(
    "wait",
  );
});

test("holds an accepted payout that is not found only after the window, not at its final state", () => {
  const at = (sinceLastSentMs: number) =>
    waits(decideStatus({ ...ACCEPTED, sinceLastSentMs }, NOT_FOUND, PACE));
  expect(at(PACE.resendWithinMs)).toEqual(["not_found", 600_000]);
  expect(at(PACE.resendWithinMs + 1)).toBe("hold not_found_at_gateway");
});
