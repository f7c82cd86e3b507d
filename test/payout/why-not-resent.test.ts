import { describe, expect, test } from "vitest";
import { decideStatus } from "#payout/decide.ts";
import { payoutOutlook } from "#payout/outlook.ts";
import { findPlannedResend } from "#payout/why-not-resent.ts";
import { HOUR_MS, KNOWN, NOT_FOUND, PACE } from "./known.ts";
import { type KnownPayout } from "#payout/decision.ts";

const MINUTE_MS = 60_000;
/** Timed out a minute ago, and not shown by the gateway since. */
const WAITING: KnownPayout = {
  ...KNOWN,
  state: "in_doubt",
  reason: "no_answer",
  maybeArrived: true,
  statusAnswer: "not_found",
  statusAnswerTimes: 4,
  statusAnswerForMs: MINUTE_MS,
  sinceFirstSentMs: 1.5 * MINUTE_MS,
  sinceLastSentMs: 1.5 * MINUTE_MS,
  sinceUnansweredMs: MINUTE_MS,
};
const planned = (change: Partial<KnownPayout>) =>
  findPlannedResend({ ...WAITING, ...change }, PACE);

describe("F55 the wait before a code is resent", () => {
  test("states the time and the reason", () => {
    expect(planned({})).toEqual({
      inMs: 14 * MINUTE_MS,
      why: "may_be_processed",
      because: "the first request may still be in progress",
    });
    expect(planned({ attempts: 2 })?.because).toBe("an earlier request may still be in progress");
    expect(planned({ sinceUnansweredMs: null, sinceLastSentMs: 9_000 })).toEqual({
      inMs: 1_000,
      why: "may_show_late",
      because: "the gateway may be slow to show the first request",
    });
  });

  test("is shown as a time of day", () => {
    const now = new Date("2026-11-21T15:51:00Z");
    const standing = {
      reason: "no_answer",
      dueAt: now,
      isReturnReported: false,
      silentSince: null,
      stoppedBy: null,
      now,
    };
    expect(payoutOutlook({ ...standing, state: "in_doubt", resend: planned({}) }).wait).toEqual({
      until: new Date("2026-11-21T16:05:00Z"),
      why: "may_be_processed",
      because: "the first request may still be in progress",
    });
  });

  test("is not shown where the payout does not wait, or is not resent afterwards", () => {
    const others: readonly Partial<KnownPayout>[] = [
      {
        sinceUnansweredMs: 15 * MINUTE_MS,
        statusAnswerForMs: 14 * MINUTE_MS,
        sinceLastSentMs: HOUR_MS,
      },
      { state: "accepted" },
      { state: "on_hold" },
      { isFrozen: true },
      { isInvalidRetry: true },
      { crashes: 3 },
      { reason: "refused_after_doubt: no such bank" },
      { reason: "refused_since_restore: no such bank" },
      { reason: "duplicate_unexplained" },
      { sinceFirstSentMs: PACE.resendWithinMs - MINUTE_MS },
    ];
    expect(others.map(planned)).toEqual(others.map(() => null));
  });

  test("is followed by the announced resend", () => {
    const after = { sinceUnansweredMs: 15 * MINUTE_MS, statusAnswerForMs: 15 * MINUTE_MS };
    const kinds = [0, 3].map((crashes) => {
      const known = { ...WAITING, ...after, sinceLastSentMs: 16 * MINUTE_MS, crashes };
      return [planned({ crashes }) !== null, decideStatus(known, NOT_FOUND, PACE).kind];
    });
    expect(kinds).toEqual([
      [true, "resend"],
      [false, "move"],
    ]);
  });
});
