import { describe, expect, test } from "vitest";
import { ANSWERS } from "#gateway/answers.ts";
import { causeOf, FAILING_STATES } from "#payout/causes.ts";
import { reason, REASONS, type ReasonCode } from "#payout/reasons.ts";

const CODES = Object.keys(REASONS) as ReasonCode[];

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
  });

  test("what the gateway said is told with its meaning", () => {
    expect(causeOf("declined", "refused: bank not found")).toEqual({
      meaning: "The gateway refused it. (bank not found)",
      todo: "Correct the bank code or the bank's name, and bring the row in a new file.",
      again: true,
    });
  });

  test("a cause that this version does not know is told as it stands", () => {
    expect(causeOf("held", "moonlight: full").meaning).toBe("moonlight: full");
    expect(causeOf("held", null).meaning).toBe("No cause is on record.");
  });
});
