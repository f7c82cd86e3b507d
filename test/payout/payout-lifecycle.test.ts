import { describe, expect, test } from "vitest";
import {
  isFinal,
  LIFECYCLE,
  OPEN_STATES,
  type PayoutEvent,
  type PayoutState,
  STATES,
} from "#payout/payout-lifecycle.ts";

const EVENTS = Object.entries(LIFECYCLE) as [PayoutEvent, (typeof LIFECYCLE)[PayoutEvent]][];
const ALL = Object.keys(STATES) as PayoutState[];

/** Every state reachable from these by any number of legal transitions. */
function reachable(from: readonly PayoutState[]): Set<PayoutState> {
  const seen = new Set(from);
  for (const state of seen) {
    for (const [, move] of EVENTS) if (move.from.includes(state)) seen.add(move.to);
  }
  return seen;
}

test("lists the open states in lifecycle order", () => {
  expect(OPEN_STATES).toEqual([
    "awaiting_approval",
    "approved",
    "held_back",
    "submitting",
    "in_doubt",
    "accepted",
  ]);
});

describe("transitions of a payout", () => {
  test("have no state called failed, which would not say whether money moved", () => {
    expect(ALL.filter((state) => /fail|error/.test(state))).toEqual([]);
  });

  test("reach every state from the first one", () => {
    expect(reachable(["awaiting_approval"])).toEqual(new Set(ALL));
  });

  test("I2 lead from every open state to a final one: no payout gets stuck", () => {
    const stuck = OPEN_STATES.filter((state) => ![...reachable([state])].some(isFinal));
    expect(stuck).toEqual([]);
  });

  test("settle a payout only by a record of the gateway, never by an answer to a request", () => {
    expect(LIFECYCLE.settle.from).toEqual(["in_doubt", "accepted"]);
    expect(LIFECYCLE.settle.from).not.toContain("submitting");
  });

  test("F106 never cancel what may have moved money", () => {
    for (const state of LIFECYCLE.cancel.from) expect(STATES[state].moved).toBe("no");
  });

  test("F107 never return a payout in doubt to approved in one step", () => {
    const moves = EVENTS.filter(
      ([, { from, to }]) => from.includes("in_doubt") && to === "approved",
    );
    expect(moves).toEqual([]);
  });

  test("never send a final payout again", () => {
    const ends = ALL.filter(isFinal);
    const again = [...reachable(ends)].filter((state) => !isFinal(state));
    expect(again).toEqual([]);
  });

  test("F107 leave a final state only by a contradiction, and the on-hold state only by people", () => {
    const leaving = (state: PayoutState) => EVENTS.filter(([, { from }]) => from.includes(state));
    expect(leaving("on_hold").map(([event]) => event)).toEqual(["hold", "resolve"]);
    expect(leaving("resolved").map(([event]) => event)).toEqual(["hold"]);
    expect(leaving("cancelled")).toEqual([]);
    expect(leaving("returned").map(([event]) => event)).toEqual(["hold"]);
    expect(leaving("declined").map(([event]) => event)).toEqual(["hold"]);
    expect(leaving("settled").map(([event]) => event)).toEqual(["hold", "return"]);
  });
});
