import { describe, expect, test } from "vitest";
import {
  BATCH_LIFECYCLE,
  BATCH_STATES,
  type BatchEvent,
  type BatchState,
  isBeforeApproval,
} from "#batch/lifecycle.ts";

const MOVES = Object.entries(BATCH_LIFECYCLE) as [
  BatchEvent,
  (typeof BATCH_LIFECYCLE)[BatchEvent],
][];
const leaving = (state: BatchState) =>
  MOVES.filter(([, { from }]) => from.includes(state)).map(([event]) => event);

describe("the moves of a batch", () => {
  test.each(Object.entries(BATCH_STATES) as [BatchState, { final: boolean }][])(
    "%s has ways out exactly when it is not final, but for a clean end",
    (state, { final }) => {
      // Where the gateway takes its word back.
      const taken = state === "finished" ? "finish_with_exceptions" : null;
      const ways = leaving(state).filter((event) => event !== taken);
      expect(ways.length === 0).toBe(final);
    },
  );

  test("only approval leads to sending, and only from a batch that was checked", () => {
    const toApproved = MOVES.filter(([, { to }]) => to === "approved").map(([event]) => event);
    expect(toApproved).toEqual(["approve", "resume"]);
    expect(BATCH_LIFECYCLE.approve.from).toEqual(["awaiting_approval"]);
    expect(BATCH_LIFECYCLE.resume.from).toEqual(["paused"]);
  });

  test("a batch with wrong rows is approved only after somebody left them out or repaired them", () => {
    expect(leaving("needs_correction").toSorted()).toEqual([
      "cancel",
      "correct",
      "correct_partly",
      "leave_out",
    ]);
    expect(BATCH_LIFECYCLE.correct_partly.to).toBe("needs_correction");
    expect(BATCH_LIFECYCLE.leave_out.to).toBe("awaiting_approval");
  });

  test("nothing is corrected that was approved once", () => {
    const corrected = [...BATCH_LIFECYCLE.correct.from, ...BATCH_LIFECYCLE.correct_partly.from];
    expect(new Set(corrected)).toEqual(new Set(["needs_correction", "awaiting_approval"]));
  });

  test("what is not approved yet is what can be cancelled as a whole", () => {
    const before = (Object.keys(BATCH_STATES) as BatchState[]).filter(isBeforeApproval);
    expect(before).toEqual(BATCH_LIFECYCLE.cancel.from);
  });
});
