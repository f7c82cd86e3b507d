import { describe, expect, test } from "vitest";
import { decideOutcome, decideStatus } from "#payout/decide.ts";
import type { Outcome, StatusAnswer } from "#payout/outcome.ts";
import { found, KNOWN, NOT_FOUND, OUTCOMES, PACE, short } from "./known.ts";

const REFUSED = {
  ...KNOWN,
  state: "in_doubt",
  reason: "refused_since_restore: bank not found",
  maybeArrived: true,
} as const;

const decide = (answer: StatusAnswer, known: typeof KNOWN) =>
  short(decideStatus(known, answer, PACE));

describe("a refusal in a restored ledger", () => {
  test("F26 declines only after a status query, and everything else is unchanged", () => {
    const after = (name: string, change = {}) =>
      short(
        decideOutcome({ ...KNOWN, isRestored: true, ...change }, OUTCOMES[name] as Outcome, PACE),
      );
    expect(after("declined")).toBe("doubt refused_since_restore");
    expect(after("declined", { maybeArrived: true })).toBe("doubt refused_after_doubt");
    expect(after("duplicate")).toBe("doubt duplicate_unexplained");
    expect(after("deferred")).toBe("defer deferred");
    expect(after("accepted")).toBe("accept");
  });

  test("F26 settles with a flag where the gateway has paid the code before", () => {
    expect(decide(found({ state: "completed" }), REFUSED)).toBe("settle duplicate_matched");
    expect(decide(found({ state: "pending" }), REFUSED)).toBe("accept duplicate_matched");
    expect(decide(found({ state: "failed" }), REFUSED)).toBe("decline failed_at_gateway");
    expect(decide(found({ amount: "9.00" }), REFUSED)).toBe("hold code_not_ours");
  });

  test("declines with the original answer after the gateway has twice reported the code as unknown", () => {
    const long = { ...REFUSED, sinceLastSentMs: 2 * PACE.resolveAfterMs };
    expect(decide(NOT_FOUND, { ...long, statusAnswer: null, statusAnswerTimes: 0 })).toBe("wait");
    expect(decide(NOT_FOUND, { ...long, statusAnswer: "not_found", statusAnswerTimes: 1 })).toBe(
      "decline refused",
    );
    const soon = { ...long, sinceLastSentMs: 0 };
    expect(decide(NOT_FOUND, { ...soon, statusAnswer: "not_found", statusAnswerTimes: 9 })).toBe(
      "wait",
    );
  });
});
