import { expect, test } from "vitest";
import {
  type ExactDuplicates,
  ExactDuplicatesRefused,
  describeExactDuplicates,
} from "#intake/batch/exact-duplicates.ts";

const REPEAT: ExactDuplicates = {
  batchId: "B7",
  approvedAt: new Date("2026-11-20T23:59:59Z"),
  rows: 1,
  lines: [4],
  isAllowed: false,
};

test.each([
  [1, [4], "1 payout (line 4) duplicates a payout"],
  [2, [4, 9], "2 payouts (lines 4, 9) duplicate payouts"],
  [50, [4, 9, 11], "50 payouts (lines 4, 9, 11, …) duplicate payouts"],
])("names %d rows that are already paid by their lines %j", (rows, lines, start) => {
  expect(describeExactDuplicates({ ...REPEAT, rows, lines })).toBe(
    `${start} in batch B7, approved on 2026-11-20 (UTC): same account, name and amount.`,
  );
});

test("states the reason for a refusal", () => {
  const refused = new ExactDuplicatesRefused([REPEAT]);
  expect(refused.refusal).toEqual({ kind: "exact_duplicates", duplicates: [REPEAT] });
  expect(refused.message).toBe("the batch contains exact duplicates of another batch");
});
