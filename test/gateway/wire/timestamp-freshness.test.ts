import { expect, test } from "vitest";
import { isFresh, timestampAt } from "#gateway/wire/timestamp-freshness.ts";

const NOW_MS = 1_767_225_600_999;

test("is the current time in whole seconds", () => {
  expect(timestampAt(NOW_MS)).toBe(1_767_225_600);
});

test.each([
  [3_600, true],
  [3_601, false],
  [-300, true],
  [-301, false],
])("is fresh when it is %d seconds old: %s", (ageSeconds, expected) => {
  const nowMs = 1_767_225_600_000;
  expect(isFresh(String(timestampAt(nowMs) - ageSeconds), nowMs)).toBe(expected);
});

test("is not fresh when it is not a number", () => {
  expect(isFresh("yesterday", NOW_MS)).toBe(false);
});
