import { expect, test } from "vitest";
import {
  BATCH_STATES as LIFECYCLE,
  type BatchState,
  isBeforeApproval,
} from "#intake/batch/batch-lifecycle.ts";
import {
  batchStateDisplay,
  isBeforeApproval as isSaidOnScreen,
  partWord,
  payoutStateDisplay,
} from "../../../dashboard/src/base/state.ts";

test("defines before approval the same way as the server", () => {
  for (const state of Object.keys(LIFECYCLE) as BatchState[]) {
    expect([state, isSaidOnScreen(state)]).toEqual([state, isBeforeApproval(state)]);
  }
});

test.each([
  ["draft", "draft"],
  ["needs_correction", "draft"],
  ["awaiting_approval", "awaiting approval"],
] as const)("labels the payouts of a batch in the state %s as %s", (batch, word) => {
  expect(payoutStateDisplay({ state: "awaiting_approval", batch_state: batch }).word).toBe(word);
  expect(partWord("awaiting_approval", batch)).toBe(word);
  expect(payoutStateDisplay({ state: "settled", batch_state: batch }).word).toBe("settled");
});

test.each([
  ["approved", "cancelling"],
  ["paused", "cancelling"],
  ["finished_with_exceptions", "partly cancelled"],
  ["cancelled", "cancelled"],
] as const)("shows a cancelled batch in the state %s as %s, not as a failure", (state, word) => {
  expect(batchStateDisplay({ state, cancelling: true })).toMatchObject({ word, tone: "cancelled" });
});
