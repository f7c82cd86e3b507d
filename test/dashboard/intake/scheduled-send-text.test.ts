import { expect, test } from "vitest";
import { scheduledSendText } from "../../../dashboard/src/pages/intake/scheduled-send-text.ts";

const AT_MS = Date.parse("2026-11-22T23:57:00Z");
const send = {
  at: "2026-11-22T23:57:00.000Z",
  says: "2026-11-22 23:57 UTC",
  released_at: null,
  held_back: null,
};

test.each([
  [
    "awaiting_approval",
    "After approval, payrun will send the batch at",
    "immediately after approval.",
  ],
  [
    "needs_correction",
    "After approval, payrun will send the batch at",
    "immediately after approval.",
  ],
  ["approved", "payrun will send the batch at", "immediately."],
  ["paused", "After the batch is resumed, payrun will send it at", "when it is resumed."],
] as const)("does not show a past time for a batch that is %s", (state, before, after) => {
  expect(scheduledSendText({ state, send }, AT_MS - 1)).toBe(`${before} ${send.says}.`);
  expect(scheduledSendText({ state, send }, AT_MS)).toBe(
    `The scheduled time, ${send.says}, has passed. payrun will send the batch ${after}`,
  );
});

test("shows nothing for a batch that was sent, is held back, or is never sent", () => {
  const told = [
    scheduledSendText({ state: "approved", send: null }, AT_MS),
    scheduledSendText({ state: "approved", send: { ...send, released_at: send.at } }, AT_MS),
    scheduledSendText(
      { state: "approved", send: { ...send, held_back: "A bank has closed." } },
      AT_MS,
    ),
    scheduledSendText({ state: "cancelled", send }, 0),
  ];
  expect(told).toEqual([null, null, null, null]);
});
