import { expect, test } from "vitest";
import {
  OVERLAP_CHECK,
  differingPosition,
  overlapPercent,
  hasSharedWord,
} from "#approval/possible-duplicates.ts";

test.each([
  ["50100123", "50100124", 8],
  ["50100123", "60100123", 1],
  ["50100123", "50101123", 5],
  ["50100123", "50100123", null],
  ["50100123", "50100132", null], // two swapped digits count as two differences
  ["50100123", "5010012", null],
  ["", "", null],
])("compares %s with %s: the only differing position is %s", (account, other, place) => {
  expect(differingPosition(account, other)).toBe(place);
  expect(differingPosition(other, account)).toBe(place);
});

test("treats names with a common word as the same name", () => {
  expect(hasSharedWord(["asha", "rao"], ["rao", "a"])).toBe(true);
  expect(hasSharedWord(["asha", "rao"], ["nila", "sen"])).toBe(false);
  expect(hasSharedWord([], [])).toBe(false);
});

test.each([
  [5, 25, 20],
  [5, 26, null], // 19.2 %
  [4, 4, null], // all rows, and too few
  [5, 5, 100],
  [2, 0, null],
  [199, 300, 66],
])("calculates %i common rows of %i as an overlap of %s %%", (shared, rows, percent) => {
  expect(overlapPercent(shared, rows)).toBe(percent);
});

test("states the figures in the text of the check", () => {
  expect(OVERLAP_CHECK).toBe(
    "at least 20% of its payouts, and at least 5, also in one batch from the last 60 days",
  );
});
