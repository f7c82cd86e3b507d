import { describe, expect, test } from "vitest";
import {
  DEPOSIT_LIFECYCLE,
  DEPOSIT_STATES,
  type DepositEvent,
  type DepositState,
} from "#deposit/lifecycle.ts";

const EVENTS = Object.entries(DEPOSIT_LIFECYCLE) as [
  DepositEvent,
  (typeof DEPOSIT_LIFECYCLE)[DepositEvent],
][];
const ALL = Object.keys(DEPOSIT_STATES) as DepositState[];

/** Every state that can be reached from these, by any number of legal moves. */
function reachable(from: readonly DepositState[]): Set<DepositState> {
  const seen = new Set(from);
  for (const state of seen) {
    for (const [, move] of EVENTS) if (move.from.includes(state)) seen.add(move.to);
  }
  return seen;
}
const intoState = (to: DepositState) => EVENTS.filter(([, move]) => move.to === to);

describe("the moves of a deposit", () => {
  test("no state is called failed: it would not say whether money came in", () => {
    expect(ALL.filter((state) => /fail|error/.test(state))).toEqual([]);
  });

  test("every state can be reached from the first one, and every open one leads to an end", () => {
    expect(reachable(["requested"])).toEqual(new Set(ALL));
    const open = ALL.filter((state) => !DEPOSIT_STATES[state].final);
    const stuck = open.filter(
      (state) => ![...reachable([state])].some((end) => DEPOSIT_STATES[end].final),
    );
    expect(stuck).toEqual([]);
  });

  test("nothing is completed by the answer to a request: a question comes first", () => {
    expect(intoState("completed").map(([event]) => event)).toEqual(["complete"]);
    expect(DEPOSIT_LIFECYCLE.complete.from).not.toContain("requested");
  });

  test("only `completed` says that the money came in", () => {
    expect(ALL.filter((state) => DEPOSIT_STATES[state].paid === "yes")).toEqual(["completed"]);
  });

  test("nothing is closed by a word of the gateway's: a person had to decide first", () => {
    expect(intoState("closed").map(([event]) => event)).toEqual(["close"]);
    expect(DEPOSIT_LIFECYCLE.close.from).toEqual(["manual"]);
  });

  test("what was declined, completed or closed changes into nothing but a case for a person", () => {
    for (const state of ["declined", "completed", "closed"] as const) {
      const out = EVENTS.filter(([, { from }]) => from.includes(state)).map(([, { to }]) => to);
      expect(out).toEqual(["manual"]);
    }
  });

  test("a payment may be late: an expired deposit can still be completed", () => {
    expect(DEPOSIT_LIFECYCLE.complete.from).toContain("expired");
  });

  test("an account is handed in from `awaiting_bank` alone, and doubt about it comes from a request alone", () => {
    expect(DEPOSIT_LIFECYCLE.hand_in.from).toEqual(["awaiting_bank"]);
    expect(intoState("in_doubt").map(([, { from }]) => from)).toEqual([["requested"]]);
  });
});
