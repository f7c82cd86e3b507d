import { expect, test } from "vitest";
import { readingText } from "#cli/intake/file-progress.ts";

const HALF = { bytes: 1_000, bytesRead: 500, byteRate: 100, rowsRead: 2_000, rowRate: 400 };

test("shows the share of the file, the rows, the rate and the time left", () => {
  expect(readingText(HALF)).toBe("50% read · 2,000 rows · 400 rows/s · 5 s left");
});

test("shows only the rows when the bytes say nothing about them", () => {
  const rows = "2,000 rows · 400 rows/s";
  expect(readingText({ ...HALF, bytes: null })).toBe(rows);
  expect(readingText({ ...HALF, bytesRead: 1_000 })).toBe(rows);
});
