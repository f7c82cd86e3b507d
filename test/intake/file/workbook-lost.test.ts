/** A cell with an error or a formula that was never calculated is not an empty cell. */
import { describe, expect, test } from "vitest";
import type { Column } from "#intake/header/columns.ts";
import { rejectRecords } from "#intake/rejects-file.ts";
import { text, zipOf } from "../workbook/archive.ts";
import { GOOD, HEAD, HEADER, PARTS, readBook, rowOf, sheetOf } from "../workbook/workbook-parts.ts";

const NAMES = [...HEADER, "transaction_code", "note"];
const FULL = [...GOOD, "T-1", "x"];
const TOP = rowOf(1, NAMES);
const read = (...rows: readonly string[]) => readBook(zipOf(...PARTS, sheetOf(...rows)));
/** The row with one of its cells in place of another. */
const withCell = (row: string, place: string, inside: string) =>
  row.replace(new RegExp(`<c r="${place}"[^]*?</c>`), `<c r="${place}"${inside}</c>`);

const ERROR = ' t="e"><v>#N/A</v>';
const NEVER = "><f>VLOOKUP(A2,B:C,2)</f>";
const placeOf = (name: string) => `${"ABCDEFGHIJ"[NAMES.indexOf(name)]}2`;

describe.each([
  ["an error", ERROR, "error_value"],
  ["a formula that was never calculated", NEVER, "formula_not_calculated"],
])("%s", (_, inside, code) => {
  test.each(NAMES.filter((name) => name !== "note"))(
    "in %s rejects its row and no other",
    async (name) => {
      const { verdicts, fileProblems } = await read(
        TOP,
        withCell(rowOf(2, FULL), placeOf(name), inside),
        rowOf(3, FULL.with(4, "5010001234").with(8, "T-2")),
      );
      expect(
        fileProblems.map(({ code: said }) => said).filter((said) => said !== "formulas_read"),
      ).toEqual(["column_ignored"]);
      expect(verdicts).toMatchObject([
        { kind: "rejected", line: 2, problems: [{ code, column: name, line: 2 }] },
        { kind: "draft", line: 3 },
      ]);
    },
  );

  test("is exported as a value that will be refused", async () => {
    const { verdicts } = await read(TOP, withCell(rowOf(2, FULL), "I2", inside));
    const [row] = verdicts;
    if (row?.kind !== "rejected") throw new Error("it is taken");
    const code = rejectRecords(NAMES).of(row)[NAMES.indexOf("transaction_code" satisfies Column)];
    expect(code).toBe(inside === ERROR ? "#N/A" : "\ufffd");
  });

  test("is ignored in a column that is not read", async () => {
    const { verdicts } = await read(TOP, withCell(rowOf(2, FULL), "J2", inside));
    expect(verdicts).toMatchObject([{ kind: "draft", line: 2, warnings: [] }]);
  });

  test("below the payouts, outside their columns, is not a row", async () => {
    const alone = `<row r="4"><c r="J4"${inside}</c></row><row r="9"><c r="L9"${inside}</c></row>`;
    const { verdicts } = await read(TOP, rowOf(2, FULL), alone);
    expect(verdicts).toMatchObject([{ kind: "draft", line: 2 }]);
  });

  test("below the payouts, in one of their columns, is a rejected row", async () => {
    const { verdicts } = await read(TOP, rowOf(2, FULL), `<row r="4"><c r="C4"${inside}</c></row>`);
    expect(verdicts).toMatchObject([{ kind: "draft" }, { kind: "rejected", line: 4 }]);
  });

  test("after the header's columns counts as a filled cell, as a text does", async () => {
    const row = rowOf(2, GOOD).replace("</row>", `<c r="K2"${inside}</c></row>`);
    const { verdicts } = await read(HEAD, row, rowOf(3, GOOD));
    expect(verdicts).toMatchObject([
      { kind: "rejected", line: 2, problems: [{ code: "row_too_long" }] },
      { kind: "draft", line: 3 },
    ]);
  });

  test("in the header refuses the file, because its column is unknown", async () => {
    const { verdicts, fileProblems } = await read(withCell(TOP, "I1", inside), rowOf(2, FULL));
    expect(verdicts).toEqual([]);
    expect(fileProblems).toMatchObject([
      { code: "header_without_value", line: 1, message: expect.stringMatching(/^Column 9 of/) },
    ]);
  });

  test("is ignored on a sheet that is not read", async () => {
    const other = `<worksheet><sheetData><row r="2"><c r="C2"${inside}</c></row></sheetData></worksheet>`;
    const parts = [sheetOf(HEAD, rowOf(2, GOOD)), text("xl/worksheets/sheet2.xml", other)];
    const { verdicts } = await readBook(zipOf(...PARTS, ...parts));
    expect(verdicts).toMatchObject([{ kind: "draft" }]);
  });
});

test("rejects the row even in a column that its currency does not use", async () => {
  const names = [...HEADER, "branch_code", "reference"];
  for (const place of ["I2", "J2"]) {
    const row = withCell(rowOf(2, [...GOOD, "", "R-1"]), place, ERROR);
    const { verdicts } = await read(rowOf(1, names), row);
    expect(verdicts).toMatchObject([{ kind: "rejected", problems: [{ code: "error_value" }] }]);
  }
});

test("reports two cells of a row separately, along with the row's other problems", async () => {
  const row = withCell(withCell(rowOf(2, FULL.with(5, "x")), "C2", ERROR), "E2", NEVER);
  const { verdicts } = await read(TOP, row);
  const [verdict] = verdicts;
  const problems = verdict?.kind === "rejected" ? verdict.problems : [];
  expect(problems.map(({ code, column, found }) => [code, column, found])).toEqual([
    ["bad_ifsc", "ifsc_code", "x"],
    ["error_value", "transaction_amount", "#N/A"],
    ["formula_not_calculated", "bank_account_number", null],
  ]);
});

test("does not treat an error without a text as an empty cell", async () => {
  const { verdicts } = await read(TOP, withCell(rowOf(2, FULL), "I2", ' t="e"><v></v>'));
  expect(verdicts).toMatchObject([{ kind: "rejected" }]);
});
