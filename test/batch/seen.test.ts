import { expect, test } from "vitest";
import { seenLines } from "#batch/seen.ts";

test("a text is remembered with its first line, among many", () => {
  const seen = seenLines();
  // Enough to grow several times.
  const texts = Array.from({ length: 5_000 }, (_, i) => `INR|${i * 7}|501000${i}|HDFC`);
  expect(texts.filter((text, i) => seen.firstLineOf(text, i + 2) !== 0)).toEqual([]);
  expect(texts.filter((text, i) => seen.firstLineOf(text, 99_999) !== i + 2)).toEqual([]);
});

test("texts that differ in one unit, its place or their length are different", () => {
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

test("each file has a memory of its own", () => {
  expect([seenLines(), seenLines()].map((seen) => seen.firstLineOf("x", 2))).toEqual([0, 0]);
});

// The second pair starts at the same slot as well, so that only the other half tells its texts apart.
test.each([
  ["t43263", "t85829"],
  ["t1091852", "t1559345"],
])("half of the hash is not enough: %s and %s have one half in common", (...texts) => {
  const seen = seenLines();
  expect(texts.map((text, i) => seen.firstLineOf(text, i + 1))).toEqual([0, 0]);
});
