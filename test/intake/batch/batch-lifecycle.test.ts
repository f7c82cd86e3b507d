import { describe, expect, test } from "vitest";
import {
  BATCH_LIFECYCLE,
  BATCH_STATES,
  type BatchEvent,
  type BatchState,
  isBeforeApproval,
} from "#intake/batch/batch-lifecycle.ts";

const MOVES = Object.entries(BATCH_LIFECYCLE) as [
  BatchEvent,
  (typeof BATCH_LIFECYCLE)[BatchEvent],
][];
const leaving = (state: BatchState) =>
  MOVES.filter(([, { from }]) => from.includes(state)).map(([event]) => event);

describe("transitions of a batch", () => {
  test.each(Object.entries(BATCH_STATES) as [BatchState, { final: boolean }][])(
    "leaves %s only if it is not final, except from a clean final state",
    (state, { final }) => {
      // The gateway may reverse its answer.
      const taken = state === "finished" ? "finish_with_exceptions" : null;
      const ways = leaving(state).filter((event) => event !== taken);
      expect(ways.length === 0).toBe(final);
    },
  );

  test("reaches sending only through approval of a checked batch", () => {
    const toApproved = MOVES.filter(([, { to }]) => to === "approved").map(([event]) => event);
    expect(toApproved).toEqual(["approve", "resume"]);
    expect(BATCH_LIFECYCLE.approve.from).toEqual(["awaiting_approval"]);
    expect(BATCH_LIFECYCLE.resume.from).toEqual(["paused"]);
  });

  test("allows approval of a batch with rejected rows only after they are left out or corrected", () => {
    expect(leaving("needs_correction").toSorted()).toEqual([
      "cancel",
      "correct",
      "correct_partly",
      "leave_out",
    ]);
    expect(BATCH_LIFECYCLE.correct_partly.to).toBe("needs_correction");
    expect(BATCH_LIFECYCLE.leave_out.to).toBe("draft");
    expect(leaving("draft").toSorted()).toEqual([
      "cancel",
      "correct",
      "correct_partly",
      "request_approval",
    ]);
  });

  test("forbids corrections after an approval", () => {
    const corrected = [...BATCH_LIFECYCLE.correct.from, ...BATCH_LIFECYCLE.correct_partly.from];
    expect(new Set(corrected)).toEqual(new Set(["needs_correction", "draft", "awaiting_approval"]));
  });

  test("allows cancelling exactly the batches that are not approved yet", () => {
    const before = (Object.keys(BATCH_STATES) as BatchState[]).filter(isBeforeApproval);
    expect(before).toEqual(BATCH_LIFECYCLE.cancel.from);
  });
});
