import { describe, expect, test } from "vitest";
import { ANSWERS } from "#gateway/answers.ts";
import { causeOf, failingState, FAILING_STATES, maySnooze } from "#payout/causes.ts";
import { type PayoutState, STATES } from "#payout/lifecycle.ts";
import { reason, REASONS, type ReasonCode } from "#payout/reasons.ts";

const CODES = Object.keys(REASONS) as ReasonCode[];

describe("a payout that did not go its way", () => {
  test("is in one of these states; an approved one was put off", () => {
    const failing = (Object.keys(STATES) as PayoutState[]).filter((state) =>
      failingState(state, null),
    );
    expect(failing.toSorted()).toEqual(
      FAILING_STATES.filter((each) => each !== "approved").toSorted(),
    );
    expect(failingState("approved", "deferred: bank is under maintenance")).toBe("approved");
    expect(failingState("approved", "no_answer")).toBeNull();
    expect(failingState("held", "deferred")).toBe("held");
    expect(failingState("settled", "deferred")).toBeNull();
  });

  test("can be out of the way for a while where a person must act, and not where payrun does", () => {
    expect(FAILING_STATES.filter((state) => !maySnooze(state)).toSorted()).toEqual([
      "approved",
      "in_doubt",
    ]);
  });

  test("that came back has no other cause", () => {
    expect(causeOf("returned", "refused: x")).toEqual({
      meaning: "It had arrived, and it came back.",
      todo: "See that the money is back, ask the beneficiary for the right account, and bring the row in a new file.",
      again: false,
    });
  });
});

describe("what to do about a cause", () => {
  test("only what is conclusively declined may be paid again", () => {
    for (const state of FAILING_STATES) {
      for (const code of [...CODES, null]) {
        expect({ state, code, again: causeOf(state, code).again }).toEqual({
          state,
          code,
          again: state === "declined",
        });
      }
    }
  });

  test("whatever is held tells nobody to bring it again before somebody has looked", () => {
    const careless = CODES.filter((code) =>
      /^(?!Ask|Find).*new file/.test(causeOf("held", code).todo),
    );
    // Refusals and failures at the gateway decline; they hold nothing. What is closed was looked at.
    expect(careless).toEqual(["refused", "closed_not_arrived"]);
  });

  test("every refusal that the gateway documents has its own repair", () => {
    const said = Object.values(ANSWERS).filter(({ kind }) => kind === "declined");
    const todos = said.map(({ says }) => causeOf("declined", reason("refused", says)).todo);
    expect(new Set(todos).size).toBe(said.length);
    expect(todos).not.toContain(causeOf("declined", "refused").todo);
    for (const todo of todos)
      expect(todo).toMatch(/^[A-Z].*, and bring (?:it|the row) in a new file\.$/);
    const word = reason("unclear_status", "bank not found");
    expect(causeOf("held", word).todo).toMatch(/^Ask the gateway's support/);
  });

  test("each says in a sentence who does what, or that nothing is to be done", () => {
    const todos = CODES.map((code) => causeOf("held", code).todo);
    for (const todo of todos)
      expect(todo).toMatch(/^(?:Ask|Bring|Correct|Find out|Nothing)\b.*\.$/);
    expect(causeOf("approved", "deferred").todo).toMatch(/^Nothing: payrun sends it again/);
    expect(causeOf("in_doubt", "no_answer").todo).toMatch(
      /^Nothing at first: .*Do not pay it again\.$/,
    );
  });

  test("what the gateway said is told with its meaning", () => {
    expect(causeOf("declined", "refused: bank not found")).toEqual({
      meaning: "The gateway refused it. (bank not found)",
      todo: "Correct the bank code or the bank's name, and bring the row in a new file.",
      again: true,
    });
  });

  test("a cause that this version does not know is told as it stands", () => {
    const todo = "Its story is on its page.";
    expect(causeOf("held", "moonlight: full")).toMatchObject({ meaning: "moonlight: full", todo });
    expect(causeOf("held", null)).toMatchObject({ meaning: "No cause is on record.", todo });
  });
});
