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

/** Every state reachable from these by any number of legal transitions. */
function reachable(from: readonly DepositState[]): Set<DepositState> {
  const seen = new Set(from);
  for (const state of seen) {
    for (const [, move] of EVENTS) if (move.from.includes(state)) seen.add(move.to);
  }
  return seen;
}
const intoState = (to: DepositState) => EVENTS.filter(([, move]) => move.to === to);

describe("transitions of a deposit", () => {
  test("has no state called failed, which would not say whether money arrived", () => {
    expect(ALL.filter((state) => /fail|error/.test(state))).toEqual([]);
  });

  test("reaches every state from the first one, and a final state from every open one", () => {
    expect(reachable(["requested"])).toEqual(new Set(ALL));
    const open = ALL.filter((state) => !DEPOSIT_STATES[state].final);
    const stuck = open.filter(
      (state) => ![...reachable([state])].some((end) => DEPOSIT_STATES[end].final),
    );
    expect(stuck).toEqual([]);
  });

  test("completes nothing from a request's answer, only from a status query", () => {
    expect(intoState("completed").map(([event]) => event)).toEqual(["complete"]);
    expect(DEPOSIT_LIFECYCLE.complete.from).not.toContain("requested");
  });

  test("reports received money only in `completed`", () => {
    expect(ALL.filter((state) => DEPOSIT_STATES[state].paid === "yes")).toEqual(["completed"]);
  });

  test("closes nothing because of the gateway: a person decides first", () => {
    expect(intoState("resolved").map(([event]) => event)).toEqual(["resolve"]);
    expect(DEPOSIT_LIFECYCLE.resolve.from).toEqual(["manual"]);
  });

  test("changes a declined, completed or manually resolved deposit only into a case for a person", () => {
    for (const state of ["declined", "completed", "resolved"] as const) {
      const out = EVENTS.filter(([, { from }]) => from.includes(state)).map(([, { to }]) => to);
      expect(out).toEqual(["manual"]);
    }
  });

  test("allows a late payment to complete an expired deposit", () => {
    expect(DEPOSIT_LIFECYCLE.complete.from).toContain("expired");
  });

  test("submits an account only in `awaiting_bank`, and doubts it only after a request", () => {
    expect(DEPOSIT_LIFECYCLE.send_account.from).toEqual(["awaiting_bank"]);
    expect(intoState("in_doubt").map(([, { from }]) => from)).toEqual([["requested"]]);
  });
});
