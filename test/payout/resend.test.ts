import { describe, expect, test } from "vitest";
import { decideOutcome, decideStatus } from "#payout/decide.ts";
import { answersNeeded, isNotFoundConclusive, processingMsOf, resendWait } from "#payout/resend.ts";
import { KNOWN, NOT_FOUND, OUTCOMES, PACE } from "./known.ts";
import { type KnownPayout } from "#payout/decision.ts";

const MINUTE_MS = 60_000;
/** In doubt after a timeout, with enough status answers. */
const DOUBT: KnownPayout = {
  ...KNOWN,
  state: "in_doubt",
  reason: "no_answer",
  maybeArrived: true,
  statusAnswer: "not_found",
  statusAnswerTimes: 20,
  statusAnswerForMs: 15 * MINUTE_MS,
  sinceFirstSentMs: 16 * MINUTE_MS,
  sinceLastSentMs: 16 * MINUTE_MS,
  sinceUnansweredMs: 15 * MINUTE_MS,
};
const decide = (change: Partial<KnownPayout>) =>
  decideStatus({ ...DOUBT, ...change }, NOT_FOUND, PACE).kind;
const wait = (change: Partial<KnownPayout>) => resendWait({ ...DOUBT, ...change }, PACE);

describe("F55 a code that the gateway may still process", () => {
  test("is resent no earlier than RESEND_AFTER_MS after the end of the attempt", () => {
    expect(decide({})).toBe("resend");
    expect(decide({ sinceUnansweredMs: 15 * MINUTE_MS - 1 })).toBe("wait");
    expect(wait({ sinceUnansweredMs: 14 * MINUTE_MS })).toEqual({
      inMs: MINUTE_MS,
      why: "may_be_processed",
    });
    expect(wait({})).toEqual({ inMs: 0, why: null });
  });

  test("is not resent 7 s after a timeout, with two answers", () => {
    const after = { statusAnswerTimes: 1, statusAnswerForMs: 6_000, sinceLastSentMs: 37_000 };
    expect(decide({ ...after, sinceUnansweredMs: 7_000 })).toBe("wait");
  });

  test("needs several answers that span half of the wait", () => {
    expect(decide({ statusAnswerTimes: 2 })).toBe("wait");
    expect(decide({ statusAnswerTimes: 3 })).toBe("resend");
    const spread = { statusAnswerForMs: 7.5 * MINUTE_MS - 1, sinceUnansweredMs: 60 * MINUTE_MS };
    expect(decide(spread)).toBe("wait");
    expect(decide({ ...spread, statusAnswerForMs: 7.5 * MINUTE_MS })).toBe("resend");
    expect(wait({ ...spread, statusAnswer: "unclear" }).inMs).toBe(7.5 * MINUTE_MS);
  });

  test("waits for twice the longest processing time of the lane", () => {
    const slowestMs = 10 * MINUTE_MS;
    expect(processingMsOf({ slowestMs }, PACE)).toBe(20 * MINUTE_MS);
    expect(decide({ slowestMs })).toBe("wait");
    expect(decide({ slowestMs, sinceUnansweredMs: 20 * MINUTE_MS })).toBe("resend");
    expect(processingMsOf({ slowestMs: 1_000 }, PACE)).toBe(PACE.resendAfterMs);
  });

  test("is put on hold only after the same wait, where it may not be resent", () => {
    for (const change of [{ crashes: 3 }, { reason: "refused_after_doubt" }]) {
      expect(decide({ ...change, sinceUnansweredMs: MINUTE_MS })).toBe("wait");
      expect(decide(change)).toBe("move");
    }
  });
});

test("F34 requires only two answers and seconds where no attempt can be in progress", () => {
  const quick = { sinceUnansweredMs: null, statusAnswerTimes: 1, statusAnswerForMs: 0 };
  expect(decide({ ...quick, sinceLastSentMs: 10_000 })).toBe("resend");
  expect(decide({ ...quick, sinceLastSentMs: 9_999 })).toBe("wait");
  expect(wait({ ...quick, sinceLastSentMs: 9_000 })).toEqual({ inMs: 1_000, why: "may_show_late" });
});

test("F35 assumes processing only after an attempt without a conclusive response", () => {
  const may = Object.entries(OUTCOMES).flatMap(([name, outcome]) =>
    [true, false].some(
      (maybeArrived) => decideOutcome({ attempts: 1, maybeArrived }, outcome, PACE).mayBeProcessed,
    )
      ? [name]
      : [],
  );
  expect(may).toEqual(["in_doubt"]);
});

test("requires more answers for a longer wait, between two and four", () => {
  expect([10, 30_000, 60_000, 900_000].map(answersNeeded)).toEqual([2, 3, 4, 4]);
});

test("F26 requires on a frozen ledger answers that span the wait and a request's deadline", () => {
  const leaseMs = 35_000;
  const believed = (change: Partial<KnownPayout>) =>
    isNotFoundConclusive(
      { ...DOUBT, statusAnswerForMs: PACE.resendAfterMs + leaseMs, ...change },
      PACE,
      leaseMs,
    );
  expect(believed({})).toBe(true);
  expect(believed({ statusAnswerForMs: PACE.resendAfterMs })).toBe(false);
  expect(believed({ statusAnswerTimes: 2 })).toBe(false);
  expect(believed({ statusAnswer: "unclear" })).toBe(false);
  expect(believed({ slowestMs: 10 * MINUTE_MS })).toBe(false);
});
