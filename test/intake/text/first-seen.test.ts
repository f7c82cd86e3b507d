import { expect, test } from "vitest";
import { seenLines } from "#intake/text/first-seen.ts";

test("remembers a text with its first line, among many", () => {
  const seen = seenLines();
  // Enough to grow several times.
  const texts = Array.from({ length: 5_000 }, (_, i) => `INR|${i * 7}|501000${i}|HDFC`);
  expect(texts.filter((text, i) => seen.firstLineOf(text, i + 2) !== 0)).toEqual([]);
  expect(texts.filter((text, i) => seen.firstLineOf(text, 99_999) !== i + 2)).toEqual([]);
});

test("distinguishes texts that differ in one unit, its position or their length", () => {
  const seen = seenLines();
  const texts = [
    "",
    "a",
    "b",
    "ab",
    "ba",
    "aa",
    "aaa",
    "\0",
    "\0\0",
    "a\0",
    "\u0100",
    "\uff00",
    "é",
    "e\u0301",
  ];
  expect(texts.map((text, i) => seen.firstLineOf(text, i + 1))).toEqual(texts.map(() => 0));
});

test("keeps a separate memory per file", () => {
  expect([seenLines(), seenLines()].map((seen) => seen.firstLineOf("x", 2))).toEqual([0, 0]);
});

// The second pair also starts at the same slot, so only the other half distinguishes its texts.
test.each([
  ["t43263", "t85829"],
  ["t1091852", "t1559345"],
])("compares more than half of the hash: %s and %s share one half", (...texts) => {
  const seen = seenLines();
  expect(texts.map((text, i) => seen.firstLineOf(text, i + 1))).toEqual([0, 0]);
});
