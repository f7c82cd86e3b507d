import { describe, expect, test } from "vitest";
import {
  isFinal,
  LIFECYCLE,
  OPEN_STATES,
  type PayoutEvent,
  type PayoutState,
  STATES,
} from "#payout/lifecycle.ts";

const EVENTS = Object.entries(LIFECYCLE) as [PayoutEvent, (typeof LIFECYCLE)[PayoutEvent]][];
const ALL = Object.keys(STATES) as PayoutState[];

/** Every state that can be reached from these, by any number of legal moves. */
function reachable(from: readonly PayoutState[]): Set<PayoutState> {
  const seen = new Set(from);
  for (const state of seen) {
    for (const [, move] of EVENTS) if (move.from.includes(state)) seen.add(move.to);
  }
  return seen;
}

test("the open states are those in which work is owed, in the order of the life", () => {
  expect(OPEN_STATES).toEqual([
    "awaiting_approval",
    "approved",
    "submitting",
    "in_doubt",
    "accepted",
  ]);
});

describe("the moves of a payout", () => {
  test("no state is called failed: it would not say whether money moved", () => {
    expect(ALL.filter((state) => /fail|error/.test(state))).toEqual([]);
  });

  test("every state can be reached from the first one", () => {
    expect(reachable(["awaiting_approval"])).toEqual(new Set(ALL));
  });

  test("I2 every open state leads to an end: no payout is nowhere", () => {
    const stuck = OPEN_STATES.filter((state) => ![...reachable([state])].some(isFinal));
    expect(stuck).toEqual([]);
  });

  test("a payout is settled only by a record of the gateway, never by an answer to a request", () => {
    expect(LIFECYCLE.settle.from).toEqual(["in_doubt", "accepted"]);
    expect(LIFECYCLE.settle.from).not.toContain("submitting");
  });

  test("F106 what may have moved money is never cancelled", () => {
    for (const state of LIFECYCLE.cancel.from) expect(STATES[state].moved).toBe("no");
  });

  test("F107 what is in doubt goes back to approved by no single move", () => {
    const moves = EVENTS.filter(
      ([, { from, to }]) => from.includes("in_doubt") && to === "approved",
    );
    expect(moves).toEqual([]);
  });

  test("an ended payout is never sent again", () => {
    const ends = ALL.filter(isFinal);
    const again = [...reachable(ends)].filter((state) => !isFinal(state));
    expect(again).toEqual([]);
  });

  test("F107 what has ended is left for a contradiction, what is held by the word of people", () => {
    const leaving = (state: PayoutState) => EVENTS.filter(([, { from }]) => from.includes(state));
    expect(leaving("held").map(([event]) => event)).toEqual(["close"]);
    expect(leaving("closed").map(([event]) => event)).toEqual(["hold"]);
    expect(leaving("cancelled")).toEqual([]);
    expect(leaving("returned")).toEqual([]);
    expect(leaving("declined").map(([event]) => event)).toEqual(["hold"]);
    expect(leaving("settled").map(([event]) => event)).toEqual(["hold", "return"]);
  });
});
