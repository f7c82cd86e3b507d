import { expect, test } from "vitest";
import { OVERLAP_CHECK, oneOff, overlapPercent, shareWord } from "#batch/near.ts";

test.each([
  ["50100123", "50100124", 8],
  ["50100123", "60100123", 1],
  ["50100123", "50101123", 5],
  ["50100123", "50100123", null],
  ["50100123", "50100132", null], // two digits changed places: two differ
  ["50100123", "5010012", null],
  ["", "", null],
])("%s beside %s: the one place that differs is %s", (account, other, place) => {
  expect(oneOff(account, other)).toBe(place);
  expect(oneOff(other, account)).toBe(place);
});

test("names with a word in common are one name", () => {
  expect(shareWord(["asha", "rao"], ["rao", "a"])).toBe(true);
  expect(shareWord(["asha", "rao"], ["nila", "sen"])).toBe(false);
  expect(shareWord([], [])).toBe(false);
});

test.each([
  [5, 25, 20],
  [5, 26, null], // 19.2 %
  [4, 4, null], // all of them, and too few
  [5, 5, 100],
  [2, 0, null],
  [199, 300, 66],
])("%i rows of %i are an overlap of %s %%", (shared, rows, percent) => {
  expect(overlapPercent(shared, rows)).toBe(percent);
});

test("the check names its figures", () => {
  expect(OVERLAP_CHECK).toBe(
    "at least 20 % of its payments, and 5, in one batch of the last 60 days",
  );
});
