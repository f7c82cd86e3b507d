import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideStatus } from "#payout/decide.ts";
import type { KnownPayout } from "#payout/decision.ts";
import { storedReason } from "#payout/reasons.ts";
import { found, KNOWN, NO_ANSWER, NOT_FOUND, PACE, short } from "./known.ts";

const SETTLED: KnownPayout = { ...KNOWN, state: "settled", gatewayNumber: "WD7" };
/** The gateway reported the return this long ago. */
const reported = (statusAnswerForMs: number): KnownPayout => ({
  ...SETTLED,
  statusAnswer: "returned",
  statusAnswerTimes: 1,
  statusAnswerForMs,
  statusAnswerAgoMs: statusAnswerForMs,
});
const RETURNED: KnownPayout = {
  ...SETTLED,
  state: "returned",
  reason: storedReason("returned_by_gateway"),
};
const MINUTE_MS = 12 * PACE.resolveAfterMs;

describe("a settled payout that is reported as failed or reversed", () => {
  test.each(["failed", "reversed"] as const)("stays settled until %s is confirmed", (state) => {
    const wait = { kind: "wait", statusAnswer: "returned", dueInMs: MINUTE_MS };
    expect(decideStatus(SETTLED, found({ state }), PACE)).toEqual(wait);
    expect(decideStatus(reported(MINUTE_MS - 1), found({ state }), PACE)).toEqual(wait);
    expect(decideStatus(reported(MINUTE_MS), found({ state }), PACE)).toMatchObject({
      kind: "move",
      event: "return",
      reason: `returned_by_gateway: ${state}`,
    });
  });

  test.each([
    ["completed", found({ state: "completed" })],
    ["pending", found({ state: "pending" })],
    ["manual", found({ state: "manual" })],
    ["unclear", found({ state: "unclear" })],
    ["another amount", found({ state: "failed", amount: "1.00" })],
    ["another currency", found({ state: "failed", currency: "THB" })],
    ["another gateway number", found({ state: "failed", gatewayNumber: "WD8" })],
  ])("goes on hold if the next answer is %s", (_what, answer) => {
    const decision = decideStatus(reported(MINUTE_MS), answer, PACE);
    expect(short(decision)).toMatch(/^hold /);
  });

  test("waits for another answer, and goes on hold if none comes for hours", () => {
    for (const answer of [NOT_FOUND, NO_ANSWER]) {
      expect(short(decideStatus(reported(MINUTE_MS), answer, PACE))).toBe("wait");
      const late = reported(PACE.resendWithinMs + 1);
      expect(short(decideStatus(late, answer, PACE))).toBe("hold contradiction");
    }
  });

  test("goes on hold if its record may be of another payout with its code", () => {
    const reason = storedReason("duplicate_matched");
    for (const known of [SETTLED, reported(MINUTE_MS)]) {
      const decision = decideStatus({ ...known, reason }, found({ state: "failed" }), PACE);
      expect(short(decision)).toBe("hold contradiction");
    }
  });
});

test("a code that was sent twice is returned only by the record with its gateway number", () => {
  const sentTwice = { ...reported(MINUTE_MS), isRepeated: true };
  const failed = (known: KnownPayout, gatewayNumber: string | null) =>
    short(decideStatus(known, found({ state: "failed", gatewayNumber }), PACE));
  expect(failed(sentTwice, "WD7")).toBe("return returned_by_gateway");
  expect(failed(sentTwice, null)).toBe("hold contradiction");
  expect(failed({ ...sentTwice, gatewayNumber: null }, null)).toBe("hold contradiction");
  expect(failed({ ...sentTwice, gatewayNumber: null }, "WD7")).toBe("hold contradiction");
});

test.each([
  ["failed", "wait"],
  ["reversed", "wait"],
  ["completed", "hold contradiction"],
  ["pending", "hold contradiction"],
  ["unclear", "hold contradiction"],
  ["manual", "hold manual_process"],
] as const)("a returned payout that is reported as %s: %s", (state, expected) => {
  expect(short(decideStatus(RETURNED, found({ state }), PACE))).toBe(expected);
  expect(short(decideStatus(RETURNED, NOT_FOUND, PACE))).toBe("wait");
});

test.each([
  ["accepted", "wait"],
  ["in_doubt", "wait"],
  ["declined", "hold contradiction"],
] as const)("reversed never returns or declines a payout that is %s: %s", (state, expected) => {
  const known = { ...KNOWN, state, maybeArrived: true };
  expect(short(decideStatus(known, found({ state: "reversed" }), PACE))).toBe(expected);
});

test("only a settled payout is returned, and only by a second report of its own record", () => {
  const states = [
    "awaiting_approval",
    "approved",
    "in_doubt",
    "accepted",
    "settled",
    "declined",
    "returned",
    "resolved",
  ] as const;
  const records = ["pending", "completed", "failed", "manual", "reversed", "unclear"] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...states),
      fc.constantFrom(...records),
      fc.constantFrom(null, "not_found", "unclear", "returned"),
      fc.integer({ min: 0, max: 10 * MINUTE_MS }),
      fc.boolean(),
      fc.constantFrom("150.50", "1.00"),
      (state, reportedState, statusAnswer, statusAnswerForMs, isFrozen, amount) => {
        const known = { ...KNOWN, state, statusAnswer, statusAnswerForMs, isFrozen };
        const decision = decideStatus(known, found({ state: reportedState, amount }), PACE);
        if (decision.kind !== "move" || decision.event !== "return") return;
        expect(state).toBe("settled");
        expect(statusAnswer).toBe("returned");
        expect(statusAnswerForMs).toBeGreaterThanOrEqual(MINUTE_MS);
        expect(["failed", "reversed"]).toContain(reportedState);
        expect(amount).toBe("150.50");
      },
    ),
    { numRuns: 2_000 },
  );
});
