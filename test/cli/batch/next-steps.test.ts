import { expect, test } from "vitest";
import { summaryOf } from "#cli/batch/approve.ts";
import { nextSteps } from "#cli/batch/batch-result.ts";
import type { Batch, Progress } from "#ledger/ledger.ts";

const money = { currency: "INR", minor: 100n, minorDigits: 2 };
const progressIn = (...states: readonly Progress["state"][]): Progress[] =>
  states.map((state) => ({ state, lane: "M1/INR", count: 1, sum: money }));

test("names the finished batch and the commands for its declined payouts and those on hold", () => {
  const report = "Batch B1 is finished. For the result of each row: payrun batch report B1";
  expect(nextSteps("B1", progressIn("settled"))).toEqual([report]);
  expect(nextSteps("B1", progressIn("settled", "declined", "on_hold"))).toEqual([
    report,
    "To retry the declined payouts: payrun batch retry-declined B1",
    "For the evidence about a payout on hold: payrun payout show CODE",
  ]);
});

test("summarizes a batch before its approval, without its totals", () => {
  const lanes = [
    { lane: "M1/INR", rows: 12, total: money },
    { lane: "M2/THB", rows: 1, total: money },
  ];
  const batch = { id: "B1", name: "Salaries", rows: 14, rejected: 1, lanes, priority: "urgent" };
  expect(summaryOf(batch as unknown as Batch)).toBe(
    [
      "Batch B1: Salaries, 14 rows, 1 left out",
      "  INR  12 payouts  from merchant M1",
      "  THB    1 payout  from merchant M2",
      "Priority: urgent",
      "To approve the batch, enter each total from your own records, not from the file.",
    ].join("\n"),
  );
});
