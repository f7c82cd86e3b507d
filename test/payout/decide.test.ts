import { describe, expect, test } from "vitest";
import { decideOutcome, decideStatus } from "#payout/decide.ts";
import { resendLimitMs } from "#payout/resend.ts";
import type { Outcome, StatusAnswer, StatusRecord } from "#payout/outcome.ts";
import {
  ASKED,
  found,
  HOUR_MS,
  KNOWN,
  NO_ANSWER,
  NOT_FOUND,
  OUTCOMES,
  PACE,
  short,
} from "./known.ts";
import { type KnownPayout } from "#payout/decision.ts";

// biome-ignore format: the columns are the point
const AFTER_OUTCOME = [
  // outcome      nothing has arrived           an earlier attempt may have arrived
  ["accepted",   "accept",                      "accept"],
  ["duplicate",  "doubt duplicate_unexplained", "accept duplicate_arrived"],
  ["declined",   "decline refused",             "doubt refused_after_doubt"],
  ["deferred",   "defer deferred",              "doubt deferred"],
  ["stopped",    "defer deferred",              "doubt deferred"],
  ["in_doubt",   "doubt no_answer",             "doubt no_answer"],
] as const;

describe("after an attempt", () => {
  test.each(AFTER_OUTCOME)("F51 %s: %s; if it may have arrived: %s", (name, fresh, arrived) => {
    const outcome = OUTCOMES[name] as Outcome;
    expect(short(decideOutcome(KNOWN, outcome, PACE))).toBe(fresh);
    expect(short(decideOutcome({ ...KNOWN, maybeArrived: true }, outcome, PACE))).toBe(arrived);
  });

  test("F60 increases the pause with the attempts up to a limit, with full jitter", () => {
    const pause = (attempts: number, chance: number) => {
      const pace = { ...PACE, random: () => chance };
      const decision = decideOutcome({ ...KNOWN, attempts }, OUTCOMES["deferred"] as Outcome, pace);
      return decision.kind === "move" ? decision.dueInMs : Number.NaN;
    };
    expect([1, 2, 3, 4].map((attempts) => pause(attempts, 0.999999))).toEqual([
      2_000, 4_000, 8_000, 16_000,
    ]);
    expect(pause(1_000, 0.999999)).toBe(300_000);
    expect(pause(5, 0)).toBe(0);
  });

  test("F59 makes a refusal of the lane due again in a second: the lane is stopped by then and opens no sooner", () => {
    expect(
      decideOutcome({ ...KNOWN, attempts: 9 }, OUTCOMES["stopped"] as Outcome, PACE),
    ).toMatchObject({
      event: "defer",
      dueInMs: 1_000,
    });
  });
});

// biome-ignore format: the columns are the point
const AFTER_STATUS = [
  // answer       awaiting_approval, approved                            in_doubt          accepted                    settled                declined              returned
  ["pending",   ["hold known_before_sent", "hold known_before_sent", "accept",         "wait",                     "hold contradiction",  "hold contradiction", "hold contradiction"]],
  ["completed", ["hold known_before_sent", "hold known_before_sent", "settle",         "settle",                   "wait",                "hold contradiction", "hold contradiction"]],
  ["failed",    ["hold known_before_sent", "hold known_before_sent", "decline failed_at_gateway", "decline failed_at_gateway", "wait", "wait", "wait"]],
  ["reversed",  ["hold known_before_sent", "hold known_before_sent", "wait",           "wait",                     "wait",                "hold contradiction", "wait"]],
  ["manual",    ["hold known_before_sent", "hold known_before_sent", "hold manual_process", "hold manual_process", "hold manual_process", "hold manual_process", "hold manual_process"]],
  ["unclear",   ["hold known_before_sent", "hold known_before_sent", "wait",           "wait",                     "hold contradiction",  "hold contradiction", "hold contradiction"]],
  ["not_found", ["wait", "wait", "wait",           "wait",                     "wait",                "wait", "wait"]],
  ["no_answer", ["wait", "wait", "wait",           "wait",                     "wait",                "wait", "wait"]],
] as const;

const statusAnswer = (name: string): StatusAnswer => {
  if (name === "not_found") return NOT_FOUND;
  return name === "no_answer" ? NO_ANSWER : found({ state: name as StatusRecord["state"] });
};

describe("after a status query", () => {
  test.each(AFTER_STATUS)("F56 F58 decides %s, on the first query: %j", (name, decisions) => {
    const asked = ASKED.map((state) =>
      short(decideStatus({ ...KNOWN, state }, statusAnswer(name), PACE)),
    );
    expect(asked).toEqual(decisions);
  });

  test.each([
    ["a status", { state: "unclear" }],
    ["an amount in another format", { state: "completed", amount: "1,150.50" }],
  ] as const)("F120 holds %s at the third unclear answer in a row", (_what, record) => {
    const unclear = (change: Partial<KnownPayout>) =>
      short(decideStatus({ ...KNOWN, state: "accepted", ...change }, found(record), PACE));
    expect(unclear({ statusAnswer: "unclear", statusAnswerTimes: 1 })).toBe("wait");
    expect(unclear({ statusAnswer: "unclear", statusAnswerTimes: 2 })).toBe("hold unclear_status");
    expect(unclear({ statusAnswer: "not_found", statusAnswerTimes: 9 })).toBe("wait");
  });

  test("F56 ends alternating unclear and not-found answers as well", () => {
    const decide = (sinceFirstSentMs: number) => {
      const known = {
        ...KNOWN,
        state: "in_doubt",
        statusAnswer: "not_found",
        sinceFirstSentMs,
      } as const;
      return short(decideStatus(known, found({ state: "unclear" }), PACE));
    };
    expect(decide(PACE.resendWithinMs)).toBe("wait");
    expect(decide(PACE.resendWithinMs + 1)).toBe("hold unclear_status");
  });

  test("F50 flags a match for a code that payrun may never have sent, and treats any other record as another client's", () => {
    const known = { ...KNOWN, state: "in_doubt", reason: "duplicate_unexplained" } as const;
    const decide = (answer: StatusAnswer, change: Partial<KnownPayout> = {}) =>
      short(decideStatus({ ...known, ...change }, answer, PACE));
    expect(decide(found({ state: "completed" }))).toBe("settle duplicate_matched");
    expect(decide(found({ state: "pending" }))).toBe("accept duplicate_matched");
    expect(decide(found({ state: "failed" }))).toBe("hold duplicate_failed");
    expect(decide(found({ amount: "150.51" }))).toBe("hold code_not_ours");
    // The other client's record is not shown. For a minute that may be lag, and silence is no
    // answer.
    const often = { statusAnswer: "not_found", statusAnswerTimes: 9 } as const;
    expect(decide(NOT_FOUND, { ...often, sinceLastSentMs: 59_999 })).toBe("wait");
    expect(decide(NOT_FOUND, { ...often, sinceLastSentMs: 60_000 })).toBe(
      "hold duplicate_not_shown",
    );
    expect(decide(NOT_FOUND, { statusAnswerTimes: 0, sinceLastSentMs: HOUR_MS })).toBe("wait");
    expect(decide(NO_ANSWER, { ...often, sinceLastSentMs: HOUR_MS })).toBe("wait");
  });

  test("F50 keeps the flag of a code used before on the payout to its final state", () => {
    const flagged = { ...KNOWN, state: "accepted", reason: "duplicate_matched" } as const;
    expect(short(decideStatus(flagged, found({ state: "completed" }), PACE))).toBe(
      "settle duplicate_matched",
    );
  });

  test("F26 leaves an unsent payout that the gateway knows to a person", () => {
    const unsent = { ...KNOWN, state: "approved" } as const;
    expect(short(decideStatus(unsent, found({ state: "completed" }), PACE))).toBe(
      "hold known_before_sent",
    );
    expect(short(decideStatus(unsent, found({ amount: "9.00" }), PACE))).toBe("hold code_not_ours");
  });

  test("F26 on a frozen ledger treats it as sent before the restore: follows it, and flags it to the end", () => {
    const decide = (answer: StatusAnswer, change: Partial<KnownPayout>) =>
      short(decideStatus({ ...KNOWN, isFrozen: true, ...change }, answer, PACE));
    const unsent = { state: "approved" } as const;
    expect(decide(found({ state: "completed" }), unsent)).toBe("accept sent_before_restore");
    expect(decide(found({ state: "failed" }), unsent)).toBe("accept sent_before_restore");
    expect(decide(found({ amount: "9.00" }), unsent)).toBe("hold code_not_ours");
    expect(decide(found({ amount: "?" }), unsent)).toBe("hold known_before_sent");
    // Approved in the lost history; in this ledger nobody has.
    expect(decide(found({}), { state: "awaiting_approval" })).toBe("hold known_before_sent");

    const followed = { state: "accepted", reason: "sent_before_restore" } as const;
    expect(decide(found({ state: "completed" }), followed)).toBe("settle sent_before_restore");
    expect(decide(found({ state: "failed" }), followed)).toBe("hold duplicate_failed");
    expect(decide(found({ amount: "9.00" }), followed)).toBe("hold code_not_ours");
  });

  test("F76 holds a payout with another amount or currency than ours, whatever its state", () => {
    for (const state of ["pending", "completed", "failed"] as const) {
      for (const other of [{ amount: "150.51" }, { amount: "1505" }, { currency: "THB" }]) {
        const decision = decideStatus(
          { ...KNOWN, state: "accepted" },
          found({ state, ...other }),
          PACE,
        );
        expect(short(decision)).toBe("hold amount_mismatch");
      }
    }
  });
});

describe("a code in doubt that the gateway does not know", () => {
  const doubtful = {
    ...KNOWN,
    state: "in_doubt",
    reason: "no_answer",
    maybeArrived: true,
  } as const;
  const decide = (change: Partial<KnownPayout>) =>
    short(
      decideStatus(
        { ...doubtful, statusAnswer: "not_found", statusAnswerTimes: 1, ...change },
        NOT_FOUND,
        PACE,
      ),
    );

  test("F37 is treated as unknown the second time and after a while, then sent again", () => {
    expect(decide({ statusAnswer: null, statusAnswerTimes: 0 })).toBe("wait");
    expect(decide({ statusAnswer: "unclear", statusAnswerTimes: 5 })).toBe("wait");
    expect(decide({ sinceLastSentMs: 9_999 })).toBe("wait");
    expect(decide({ sinceLastSentMs: 10_000 })).toBe("resend");
  });

  test("F60 waits twice as long for each further attempt", () => {
    const waits = [1, 2, 3, 7, 50].map((attempts) => {
      const believed = (sinceLastSentMs: number) =>
        decide({ attempts, sinceLastSentMs }) === "resend";
      return [10, 20, 40, 640].find((seconds) => believed(seconds * 1_000));
    });
    expect(waits).toEqual([10, 20, 40, 640, 640]);
  });

  test("I13 is queried less and less while it may not be sent: its batch is paused or its lane stopped", () => {
    const dueInMs = [60_000, 600_000, 6_000_000].map((sinceLastSentMs) => {
      const known = {
        ...doubtful,
        statusAnswer: "not_found",
        statusAnswerTimes: 9,
        sinceLastSentMs,
      } as const;
      return decideStatus(known, NOT_FOUND, PACE);
    });
    expect(dueInMs).toMatchObject([15_000, 30_000, 300_000].map((due) => ({ dueInMs: due })));
  });

  test("F53 is put on hold, not resent, after the window", () => {
    expect(decide({ sinceFirstSentMs: PACE.resendWithinMs })).toBe("resend");
    expect(decide({ sinceFirstSentMs: PACE.resendWithinMs + 1 })).toBe("hold resend_window_over");
    // An accepted payout is never resent, and is no longer awaited after the window.
    const accepted = { state: "accepted", sinceFirstSentMs: PACE.resendWithinMs + 1 } as const;
    expect(decide(accepted)).toBe("wait");
    expect(decide({ ...accepted, sinceLastSentMs: PACE.resendWithinMs + 1 })).toBe(
      "hold not_found_at_gateway",
    );
  });

  test("F53 closes the window early enough that no request can arrive after the code is forgotten", () => {
    const hours = (count: number) => count * 3_600_000;
    expect(resendLimitMs(hours(24))).toBe(hours(12));
    expect(resendLimitMs(hours(2))).toBe(hours(2) - 70 * 60_000);
    expect(resendLimitMs(hours(1))).toBe(0);
  });

  test("F53 is still queried for a while where nothing may be resent", () => {
    const pace = { ...PACE, resendWithinMs: 0 };
    const known = {
      ...KNOWN,
      state: "in_doubt",
      statusAnswer: null,
      statusAnswerTimes: 0,
    } as const;
    const silent = { kind: "no_answer", code: "x", text: "x" } as const;
    const at = (sinceFirstSentMs: number) =>
      short(decideStatus({ ...known, sinceFirstSentMs }, silent, pace));
    expect([at(15 * 60_000), at(15 * 60_000 + 1)]).toEqual(["wait", "hold status_unanswered"]);
  });

  test("F22 is put on hold after it crashed three workers", () => {
    expect([0, 1, 2, 3, 4].map((crashes) => decide({ crashes }))).toEqual([
      "resend",
      "resend",
      "resend",
      "hold poison",
      "hold poison",
    ]);
  });

  test("F37 is put on hold, not declined, when a later attempt was refused, because the first may still arrive", () => {
    const reason = "refused_after_doubt: bank not found";
    expect(decide({ reason, statusAnswer: null, statusAnswerTimes: 0 })).toBe("wait");
    expect(decide({ reason })).toBe("hold refused_after_doubt");
  });
});

describe("F121 amounts are compared as exact decimals", () => {
  const settles = (amount: string, minor: bigint, minorDigits: number) => {
    const money = { currency: "INR", minor, minorDigits };
    const answer = found({ state: "completed", amount });
    return short(decideStatus({ ...KNOWN, state: "accepted", money }, answer, PACE)) === "settle";
  };

  test.each(["150.5", "150.50", " 150.500 ", "0150.50"])("treats %j as 150.50", (amount) => {
    expect(settles(amount, 15_050n, 2)).toBe(true);
  });

  test.each([
    "150.501",
    "150,50",
    "1.505e2",
    "+150.50",
    "-150.50",
    "150.",
    ".5",
    "١٥٠٫٥٠",
    "",
    "NaN",
  ])("does not treat %j as 150.50", (amount) => {
    expect(settles(amount, 15_050n, 2)).toBe(false);
  });

  test("distinguishes 2^53 + 1 from 2^53, which a float cannot", () => {
    expect(settles("90071992547409.93", 9_007_199_254_740_993n, 2)).toBe(true);
    expect(settles("90071992547409.92", 9_007_199_254_740_993n, 2)).toBe(false);
  });
});
