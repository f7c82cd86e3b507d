import { expect, test } from "vitest";
import {
  BATCH_STATES as LIFECYCLE,
  type BatchState,
  isBeforeApproval,
} from "#intake/batch/batch-lifecycle.ts";
import { isBeforeApproval as isSaidOnScreen } from "../../dashboard/src/base/state.ts";

test("defines before approval the same way as the server", () => {
  for (const state of Object.keys(LIFECYCLE) as BatchState[]) {
    expect([state, isSaidOnScreen(state)]).toEqual([state, isBeforeApproval(state)]);
  }
});
