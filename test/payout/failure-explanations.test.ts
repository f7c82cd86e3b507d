import { describe, expect, test } from "vitest";
import {
  explainFailure,
  failingState,
  FAILING_STATES,
  maySnooze,
} from "#payout/failure-explanations.ts";
import { type PayoutState, STATES } from "#payout/payout-lifecycle.ts";
import { storedReason, REASONS, type ReasonCode } from "#payout/reasons.ts";
import { ERROR_CODES } from "#gateway/error-codes.ts";

const CODES = Object.keys(REASONS) as ReasonCode[];

describe("failure groups of payouts", () => {
  test("cover these states, and an approved payout only when it was deferred", () => {
    const failing = (Object.keys(STATES) as PayoutState[]).filter((state) =>
      failingState(state, null),
    );
    expect(failing.toSorted()).toEqual(
      FAILING_STATES.filter((each) => each !== "approved").toSorted(),
    );
    expect(failingState("approved", "deferred: bank is under maintenance")).toBe("approved");
    expect(failingState("approved", "no_answer")).toBeNull();
    expect(failingState("on_hold", "deferred")).toBe("on_hold");
    expect(failingState("settled", "deferred")).toBeNull();
  });

  test("can be snoozed where a person must act, but not where payrun acts", () => {
    expect(FAILING_STATES.filter((state) => !maySnooze(state)).toSorted()).toEqual([
      "approved",
      "in_doubt",
    ]);
  });

  test("of returned payouts advise to check that the money is back", () => {
    expect(explainFailure("returned", "returned_by_gateway: failed")).toMatchObject({
      todo: expect.stringContaining("check that the money has come back"),
      retry: null,
    });
  });
});

describe("advice for a failure group", () => {
  test("suggests a retry only for conclusively declined payouts", () => {
    for (const state of FAILING_STATES) {
      for (const code of [...CODES, null]) {
        expect({ state, code, again: explainFailure(state, code).retry !== null }).toEqual({
          state,
          code,
          again: state === "declined",
        });
      }
    }
  });

  test("asks nobody to upload a payout on hold again before a person has checked it", () => {
    const careless = CODES.filter((code) =>
      /^(?!Ask|Find).*new file/.test(explainFailure("on_hold", code).todo),
    );
    // Refusals and failures at the gateway decline, and hold nothing. A payout that people resolved
    // was checked.
    expect(careless).toEqual(["resolved_not_arrived"]);
  });

  test("has a separate correction for every documented refusal", () => {
    const said = Object.values(ERROR_CODES).filter(({ kind }) => kind === "declined");
    const todos = said.map(
      ({ says }) => explainFailure("declined", storedReason("refused", says)).todo,
    );
    expect(new Set(todos).size).toBe(said.length);
    expect(todos).not.toContain(explainFailure("declined", "refused").todo);
    for (const todo of todos)
      expect(todo).toMatch(
        /^[A-Z].*, and retry the payout with (?:these details|this IFSC|this amount)\.$/,
      );
    const word = storedReason("unclear_status", "bank not found");
    expect(explainFailure("on_hold", word).todo).toMatch(/^Contact gateway support/);
  });

  test("says in a sentence who does what, or that no action is needed", () => {
    const todos = CODES.map((code) => explainFailure("on_hold", code).todo);
    for (const todo of todos)
      expect(todo).toMatch(/^(?:Ask|Contact|Correct|Find out|No action needed|Upload|Wait)\b.*\.$/);
    expect(explainFailure("approved", "deferred").todo).toMatch(
      /^No action needed: payrun will send it again/,
    );
    expect(explainFailure("in_doubt", "no_answer").todo).toMatch(/^Wait: .*Do not pay it again\.$/);
  });

  test("shows the gateway's answer with its meaning", () => {
    expect(explainFailure("declined", "refused: bank not found")).toEqual({
      meaning: "The gateway refused the payout. Details: bank not found",
      todo: "Correct the bank code or the bank name, and retry the payout with these details.",
      retry: "new_details",
    });
  });

  test("shows an unknown reason as stored", () => {
    const todo = "See its history on the payout page.";
    expect(explainFailure("on_hold", "moonlight: full")).toMatchObject({
      meaning: "moonlight: full",
      todo,
    });
    expect(explainFailure("on_hold", null)).toMatchObject({
      meaning: "No reason is recorded.",
      todo,
    });
  });
});
