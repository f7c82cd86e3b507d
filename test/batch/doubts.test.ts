import { describe, expect, test } from "vitest";
import { withOldDoubts } from "#batch/doubts.ts";
import { problem } from "#batch/problems.ts";
import { COLUMNS } from "#batch/columns.ts";
import { cellsOf, INR, readRows } from "./good-row.ts";

const HEADER: readonly string[] = COLUMNS;
const CELLS = cellsOf(INR);
const ACCOUNT = HEADER.indexOf("bank_account_number");
const held = problem("number_not_text", { line: 2, column: "bank_account_number" });
const wrong = problem("bad_ifsc", { line: 2, column: "ifsc_code" }, { expected: "an IFSC" });
const before = { cells: CELLS.with(HEADER.indexOf("ifsc_code"), "x"), problems: [wrong, held] };
const [good] = readRows([INR]);
if (good?.kind !== "draft") throw new Error("no good row");
const codesOf = (row: ReturnType<typeof withOldDoubts>) => [
  row.kind,
  ...(row.kind === "draft" ? row.warnings : row.problems).map(({ code }) => code),
];

describe("a row that was rejected and comes back repaired", () => {
  test("with a number that a workbook held is told of it again", () => {
    expect(codesOf(withOldDoubts(good, before, HEADER))).toEqual(["draft", "number_not_text"]);
    const padded = { ...good, cells: CELLS.with(ACCOUNT, ` ${CELLS[ACCOUNT]} `) };
    expect(codesOf(withOldDoubts(padded, before, HEADER))).toEqual(["draft", "number_not_text"]);
    const named = HEADER.with(ACCOUNT, "Bank Account Number");
    expect(codesOf(withOldDoubts(good, before, named))).toEqual(["draft", "number_not_text"]);
  });

  test("and still wrong is told of it beside what is wrong", () => {
    const rejected = { kind: "rejected", line: 2, cells: CELLS, problems: [wrong] } as const;
    expect(codesOf(withOldDoubts(rejected, before, HEADER))).toEqual([
      "rejected",
      "bad_ifsc",
      "number_not_text",
    ]);
  });

  test("is told of it once, where the cell is a number again", () => {
    const again = { ...good, warnings: [held] };
    expect(withOldDoubts(again, before, HEADER)).toBe(again);
  });

  test("with another value is doubted no more", () => {
    const other = { ...good, cells: CELLS.with(ACCOUNT, `0${CELLS[ACCOUNT]}`) };
    expect(withOldDoubts(other, before, HEADER)).toBe(other);
  });

  test("whose cells may have shifted, or that was never rejected, is as it is read", () => {
    const longer = { ...good, cells: [...CELLS, ""] };
    expect(withOldDoubts(longer, before, HEADER)).toBe(longer);
    expect(withOldDoubts(good, undefined, HEADER)).toBe(good);
  });
});
