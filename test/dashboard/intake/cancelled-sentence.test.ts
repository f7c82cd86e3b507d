import { expect, test } from "vitest";
import type { Part } from "#approval/status-breakdown.ts";
import { cancelledSentence } from "../../../dashboard/src/pages/intake/cancelled-sentence.ts";

const counts =
  (given: Partial<Record<Part, number>>) =>
  (part: Part): number =>
    given[part] ?? 0;
const ann = { name: "Ann", reason: "wrong month" };

test("says who cancelled the batch and why, with the number of payouts by state", () => {
  expect(cancelledSentence(ann, counts({ settled: 1_577, cancelled: 4_423 }))).toBe(
    "Cancelled by Ann: “wrong month”. 1,577 settled, 4,423 cancelled.",
  );
});

test("says how many payouts are still tracked after the others were cancelled", () => {
  const left = counts({ settled: 1_500, in_progress: 70, in_doubt: 7, cancelled: 4_423 });
  expect(cancelledSentence({ ...ann, reason: null }, left)).toMatch(
    /^Cancelled by Ann\. .* payrun still tracks 77 payouts that were sent before\.$/,
  );
});

test("does not repeat that all payouts are cancelled", () => {
  expect(cancelledSentence(ann, counts({ cancelled: 12 }))).toBe(
    "Cancelled by Ann: “wrong month”.",
  );
});
