import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Decision, decideOutcome, decideStatus, type Known } from "#payout/decide.ts";
import { isFinal, LIFECYCLE, type PayoutState, STATES } from "#payout/lifecycle.ts";
import type { StatusAnswer } from "#payout/outcome.ts";
import { REASONS, reasonCode } from "#payout/reasons.ts";
import { ASKED, found, HOUR_MS, NO_ANSWER, NOT_FOUND, OUTCOMES, PACE, short } from "./known.ts";

/* Laws over everything that can be known and answered. */

const anyKnown = (states: readonly PayoutState[]): fc.Arbitrary<Known> =>
  fc.record({
    state: fc.constantFrom(...states),
    reason: fc.constantFrom(null, ...Object.keys(REASONS)),
    money: fc.record({
      currency: fc.constantFrom("INR", "JPY"),
      minor: fc.bigInt({ min: 1n, max: 10n ** 12n }),
      minorDigits: fc.constantFrom(0, 2, 6),
    }),
    attempts: fc.nat(50),
    crashes: fc.nat(5),
    heard: fc.constantFrom(null, "not_found" as const, "unclear" as const),
    heardTimes: fc.nat(50),
    maybeArrived: fc.boolean(),
    sinceFirstSentMs: fc.nat(100 * HOUR_MS),
    sinceLastSentMs: fc.nat(100 * HOUR_MS),
  });
const anyAnswer: fc.Arbitrary<StatusAnswer> = fc.oneof(
  fc.constant(NOT_FOUND),
  fc.constant(NO_ANSWER),
  fc
    .record({
      state: fc.constantFrom("pending", "completed", "failed", "manual", "unclear"),
      amount: fc.oneof(fc.constantFrom("150.50", "", "NaN", "-1", "1e3", "0x10"), fc.string()),
      currency: fc.constantFrom("INR", "inr", "JPY", ""),
    })
    .map(found),
);
const anyOutcome = fc.constantFrom(...Object.values(OUTCOMES));
const anyPace = fc
  .double({ min: 0, max: 0.999999, noNaN: true })
  .map((chance) => ({ ...PACE, chance: () => chance }));
const openAfterSending = anyKnown(["in_doubt", "accepted"]);

describe("laws", () => {
  /** What is wrong with a decision; nothing, for each that is ever made. */
  const wrongWith = (known: Known, decision: Decision): string | null => {
    if (decision.kind === "resend") return known.state === "in_doubt" ? null : "sent out of doubt";
    if (decision.kind === "wait") return decision.dueInMs > 0 ? null : "asked in a busy loop";
    const { event, reason, dueInMs } = decision;
    if (dueInMs < 0) return "due in the past";
    if (!LIFECYCLE[event].from.includes(known.state)) return `${event} from ${known.state}`;
    if (reason !== null && reasonCode(reason) === null) return `no sentence for ${reason}`;
    return event === "hold" && reason === null ? "held without a reason" : null;
  };

  test("every decision is a legal move, with a reason that has a sentence, and due in the future", () => {
    fc.assert(
      fc.property(anyKnown(["submitting"]), anyOutcome, anyPace, (known, outcome, pace) => {
        expect(wrongWith(known, decideOutcome(known, outcome, pace))).toBeNull();
      }),
    );
    fc.assert(
      fc.property(anyKnown(ASKED), anyAnswer, anyPace, (known, answer, pace) => {
        expect(wrongWith(known, decideStatus(known, answer, pace))).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });

  test("I9 no answer to a request settles; 111 alone least of all", () => {
    fc.assert(
      fc.property(anyKnown(["submitting"]), anyOutcome, (known, outcome) => {
        const decision = decideOutcome(known, outcome, PACE);
        expect(decision).not.toMatchObject({ event: "settle" });
      }),
    );
  });

  test("I9 what may have arrived is neither declined, nor deferred, nor cancelled by a refusal", () => {
    fc.assert(
      fc.property(anyKnown(["submitting"]), anyOutcome, (known, outcome) => {
        const decision = decideOutcome({ ...known, maybeArrived: true }, outcome, PACE);
        if (decision.kind !== "move") throw new Error("an outcome always moves");
        expect(["accepted", "in_doubt"]).toContain(LIFECYCLE[decision.event].to);
      }),
    );
  });

  test("only a completed record with our exact amount and currency settles", () => {
    fc.assert(
      fc.property(openAfterSending, anyAnswer, (known, answer) => {
        const decision = decideStatus(known, answer, PACE);
        if (decision.kind !== "move" || decision.event !== "settle") return;
        expect(answer).toMatchObject({ record: { state: "completed" } });
      }),
      { numRuns: 2_000 },
    );
  });

  test("without a record nothing is settled, accepted or declined", () => {
    fc.assert(
      fc.property(openAfterSending, fc.constantFrom(NOT_FOUND, NO_ANSWER), (known, answer) => {
        const decision = decideStatus(known, answer, PACE);
        expect(["wait", "resend", "hold"]).toContain(
          decision.kind === "move" ? decision.event : decision.kind,
        );
      }),
      { numRuns: 2_000 },
    );
  });

  test("F57 silence changes no state, until a doubt is too old to be sent again", () => {
    fc.assert(
      fc.property(anyKnown(ASKED), (known) => {
        const isOld = known.state === "in_doubt" && known.sinceFirstSentMs > PACE.resendWithinMs;
        expect(short(decideStatus(known, NO_ANSWER, PACE))).toBe(
          isOld ? "hold status_unanswered" : "wait",
        );
      }),
    );
  });

  test("F53 nothing is sent again past the window, or when the gateway knows the code", () => {
    fc.assert(
      fc.property(anyKnown(ASKED), anyAnswer, (known, answer) => {
        if (decideStatus(known, answer, PACE).kind !== "resend") return;
        expect(answer.kind).toBe("not_found");
        expect(known.sinceFirstSentMs).toBeLessThanOrEqual(PACE.resendWithinMs);
        expect(reasonCode(known.reason)).not.toBe("duplicate_unexplained");
      }),
      { numRuns: 2_000 },
    );
  });

  test("an ended payout moves only to held", () => {
    const ended = (Object.keys(STATES) as PayoutState[]).filter(isFinal);
    fc.assert(
      fc.property(
        anyKnown(ended.filter((state) => state !== "held")),
        anyAnswer,
        (known, answer) => {
          if (known.state !== "settled" && known.state !== "declined") return;
          const decision = decideStatus(known, answer, PACE);
          expect(["wait", "hold"]).toContain(
            decision.kind === "move" ? decision.event : decision.kind,
          );
        },
      ),
    );
  });
});
