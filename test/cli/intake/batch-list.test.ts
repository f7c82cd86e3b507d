import { expect, test } from "vitest";
import { batchList } from "#cli/intake/batch-list.ts";
import type { BatchDocument } from "#cli/batch/batches.ts";

const BATCH: BatchDocument = {
  batch_id: "B7QK2M4N8P",
  state: "finished_with_exceptions",
  file: "november.csv",
  name: null,
  digest: "d",
  content_digest: "c",
  rows: 10_000,
  rejected: 0,
  totals: { INR: "12447503.45" },
  created_at: "2026-11-26T21:40:05.000Z",
  approved_at: null,
  finished_at: null,
};

test("shows the name of a batch, or its file, within 100 columns", () => {
  const named = { ...BATCH, name: "Salaries of the warehouse in Chennai, November" };
  expect(batchList([BATCH, named]).split("\n")).toEqual([
    "batch       state                      rows  total            created (UTC)     name",
    "B7QK2M4N8P  finished with exceptions  10000  INR 12447503.45  2026-11-26 21:40  november.csv",
    "B7QK2M4N8P  finished with exceptions  10000  INR 12447503.45  2026-11-26 21:40  Salaries of the war…",
  ]);
  const widths = batchList([named])
    .split("\n")
    .map((line) => line.length);
  expect(Math.max(...widths)).toBe(100);
});

test("counts the currencies of a batch that has several", () => {
  const totals = { INR: "1.00", THB: "2.00" };
  expect(batchList([{ ...BATCH, totals }])).toContain("  2 currencies  ");
});
