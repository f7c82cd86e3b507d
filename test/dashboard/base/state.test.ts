import { readFileSync } from "node:fs";
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
  expect(partWord("awaiting_approval", { state: batch })).toBe(word);
  expect(payoutStateDisplay({ state: "settled", batch_state: batch }).word).toBe("settled");
});

test("names each state of a batch as the lifecycle and the glossary do", () => {
  const glossary = readFileSync("docs/reference/glossary.md", "utf8");
  for (const [state, { word }] of Object.entries(LIFECYCLE)) {
    expect([state, batchStateDisplay({ state: state as BatchState }).word]).toEqual([state, word]);
    expect(glossary).toContain(`| ${word} (\`${state}\`) |`);
  }
});

test("calls the unsent payouts of a scheduled batch scheduled", () => {
  const send = { released_at: null, held_back: null };
  expect(partWord("unsent", { state: "approved", send })).toBe("scheduled");
  const released = { ...send, released_at: "2026-11-27T09:00:00Z" };
  expect(partWord("unsent", { state: "approved", send: released })).toBe("not sent yet");
});

test.each([
  ["approved", "cancelling"],
  ["paused", "cancelling"],
  ["finished_with_exceptions", "partly cancelled"],
  ["cancelled", "cancelled"],
] as const)("shows a cancelled batch in the state %s as %s, not as a failure", (state, word) => {
  expect(batchStateDisplay({ state, cancelling: true })).toMatchObject({ word, tone: "cancelled" });
});
