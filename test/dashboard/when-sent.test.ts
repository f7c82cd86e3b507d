import { expect, test } from "vitest";
import { whenSent } from "../../dashboard/src/pages/batch/when-sent.ts";

const AT_MS = Date.parse("2026-11-22T23:57:00Z");
const send = {
  at: "2026-11-22T23:57:00.000Z",
  says: "2026-11-22 23:57 UTC",
  let_go_at: null,
  stuck: null,
};

test.each([
  ["awaiting_approval", "Approved, it goes out at", "it goes out as soon as it is approved."],
  ["needs_correction", "Approved, it goes out at", "it goes out as soon as it is approved."],
  ["approved", "It goes out at", "it goes out at once."],
  ["paused", "Resumed, it goes out at", "it goes out when it is resumed."],
] as const)("of a batch that is %s nobody is told a time that is over", (state, before, after) => {
  expect(whenSent({ state, send }, AT_MS - 1)).toBe(`${before} ${send.says}.`);
  expect(whenSent({ state, send }, AT_MS)).toBe(`Its time, ${send.says}, is over: ${after}`);
});

test("nothing is told of what has gone out, was kept back, or never goes out", () => {
  const told = [
    whenSent({ state: "approved", send: null }, AT_MS),
    whenSent({ state: "approved", send: { ...send, let_go_at: send.at } }, AT_MS),
    whenSent({ state: "approved", send: { ...send, stuck: "A bank has closed." } }, AT_MS),
    whenSent({ state: "cancelled", send }, 0),
  ];
  expect(told).toEqual([null, null, null, null]);
});
