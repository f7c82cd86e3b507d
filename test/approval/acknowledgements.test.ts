import { describe, expect, test } from "vitest";
import {
  acknowledgedFact,
  decisiveFindings,
  type DecisiveFinding,
  notAcknowledged,
} from "#approval/acknowledgements.ts";
import { ROW_CHECKS, type RowCheck } from "#approval/anomalies.ts";
import { overlapText } from "#approval/possible-duplicates.ts";

const DECISIVE: readonly RowCheck[] = [
  "paid_lately",
  "twice_here",
  "being_retried",
  "in_approved_batch",
  "one_digit_off",
  "other_account",
];
const CHECKS = Object.keys(ROW_CHECKS) as RowCheck[];

describe("decisive findings", () => {
  test("are those that may be a second payment or a wrong account, in a fixed order", () => {
    const found = decisiveFindings({ rowsOf: (check) => CHECKS.indexOf(check) + 1, overlaps: [] });
    expect(found).toEqual(
      DECISIVE.map((finding) => ({
        finding,
        rows: CHECKS.indexOf(finding) + 1,
        says: ROW_CHECKS[finding],
      })),
    );
  });

  test.each(CHECKS)("contain %s only if it is decisive and has rows", (check) => {
    const found = decisiveFindings({
      rowsOf: (each) => (each === check ? 1 : 0),
      overlaps: [],
    });
    expect(found.map(({ finding }) => finding)).toEqual(DECISIVE.includes(check) ? [check] : []);
  });

  test("start with the batches that pay the same accounts the same amounts", () => {
    const found = decisiveFindings({
      rowsOf: (check) => (check === "twice_here" ? 2 : 0),
      overlaps: [{ batchId: "B1", rows: 7, percent: 70 }],
    });
    expect(found).toEqual([
      { finding: "overlap:B1", rows: 7, says: overlapText("B1", 70) },
      { finding: "twice_here", rows: 2, says: ROW_CHECKS.twice_here },
    ]);
  });
});

describe("an acknowledgement", () => {
  const needed: readonly DecisiveFinding[] = [
    { finding: "twice_here", rows: 2, says: "" },
    { finding: "overlap:B1", rows: 7, says: "" },
  ];
  const missing = (...given: { finding: string; rows: number }[]) =>
    notAcknowledged(needed, given).map(({ finding }) => finding);

  test("counts for the same finding with the same number of rows", () => {
    expect(missing()).toEqual(["twice_here", "overlap:B1"]);
    expect(missing({ finding: "overlap:B1", rows: 7 })).toEqual(["twice_here"]);
    expect(missing({ finding: "overlap:B1", rows: 7 }, { finding: "twice_here", rows: 2 })).toEqual(
      [],
    );
  });

  test("does not count for another finding or another number of rows", () => {
    expect(missing({ finding: "twice_here", rows: 7 }, { finding: "overlap:B2", rows: 7 })).toEqual(
      ["twice_here", "overlap:B1"],
    );
  });

  test("is recorded as finding and rows, if there is one", () => {
    expect(acknowledgedFact([])).toEqual({});
    expect(acknowledgedFact(needed)).toEqual({
      acknowledged: [
        { finding: "twice_here", rows: 2 },
        { finding: "overlap:B1", rows: 7 },
      ],
    });
  });
});
