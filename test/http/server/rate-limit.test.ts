import { expect, test } from "vitest";
import { bucketPerSender } from "#http/server/rate-limit.ts";

const rate = { perSecond: 2, burst: 3 };

test("gives each sender a burst and then its rate, independent of others", () => {
  let nowMs = 0;
  const letIn = bucketPerSender(rate, () => nowMs);
  const many = (sender: string) =>
    Array.from({ length: 5 }, () => letIn(sender)).filter(Boolean).length;
  expect([many("a"), many("b"), many("a")]).toEqual([3, 3, 0]);
  nowMs = 1_000;
  expect([many("a"), many("a")]).toEqual([2, 0]);
  nowMs = 1_000_000;
  expect(many("a")).toBe(3);
});

test("keeps its memory constant, however many senders there are", () => {
  const letIn = bucketPerSender(rate, () => 0);
  expect(Array.from({ length: 30_000 }, (_, at) => letIn(`sender ${at}`)).every(Boolean)).toBe(
    true,
  );
  expect([letIn("sender 29999"), letIn("sender 29999"), letIn("sender 29999")]).toEqual([
    true,
    true,
    false,
  ]);
});
