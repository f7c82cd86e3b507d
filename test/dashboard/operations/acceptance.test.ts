import { expect, test } from "vitest";
import { acceptanceOf } from "../../../dashboard/src/pages/operations/lanes/acceptance.ts";

const THRESHOLDS = { low_acceptance_percent: 90, critical_acceptance_percent: 50 };

test.each([
  [100, [9], null],
  [90, [10], null],
  [89.9, [1], "low"],
  [49.9, [2, 2], "low"],
  [49.9, [2, 3], "critical"],
  [0, [9, 0, 0, 0, 0, 0], "low"],
  [null, [0], null],
] as const)("%s%% of %j submissions is marked as %s", (percent, sent, level) => {
  const mark = acceptanceOf({ accepted_percent: percent, sent }, THRESHOLDS);
  expect(mark?.level ?? null).toBe(level);
});

test("names the threshold of the lane, and marks no lane without traffic", () => {
  const thresholds = { low_acceptance_percent: 80, critical_acceptance_percent: 40 };
  expect(acceptanceOf({ accepted_percent: 75, sent: [] }, thresholds)?.threshold).toBe(80);
  expect(acceptanceOf(null, thresholds)).toBeNull();
});
