/** A cell of a workbook that shows an error, or a formula that was never calculated, is no empty cell. */
import { describe, expect, test } from "vitest";
import type { Column } from "#batch/columns.ts";
import { rejectRecords } from "#batch/rejects.ts";
import { text, zipOf } from "./archive.ts";
import { GOOD, HEAD, HEADER, PARTS, readBook, rowOf, sheetOf } from "./workbook-parts.ts";

const NAMES = [...HEADER, "transaction_code", "note"];
const FULL = [...GOOD, "T-1", "x"];
const TOP = rowOf(1, NAMES);
const read = (...rows: readonly string[]) => readBook(zipOf(...PARTS, sheetOf(...rows)));
/** The row, with a cell of it put in the place of another one. */
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
    "in %s refuses its row, and no other",
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

  test("comes back as a value that is refused", async () => {
    const { verdicts } = await read(TOP, withCell(rowOf(2, FULL), "I2", inside));
    const [row] = verdicts;
    if (row?.kind !== "rejected") throw new Error("it is taken");
    const code = rejectRecords(NAMES).of(row)[NAMES.indexOf("transaction_code" satisfies Column)];
    expect(code).toBe(inside === ERROR ? "#N/A" : "\ufffd");
  });

  test("in a column that is not read does no harm", async () => {
    const { verdicts } = await read(TOP, withCell(rowOf(2, FULL), "J2", inside));
    expect(verdicts).toMatchObject([{ kind: "draft", line: 2, warnings: [] }]);
  });

  test("below the payouts, and in no column of theirs, is no row", async () => {
    const alone = `<row r="4"><c r="J4"${inside}</c></row><row r="9"><c r="L9"${inside}</c></row>`;
    const { verdicts } = await read(TOP, rowOf(2, FULL), alone);
    expect(verdicts).toMatchObject([{ kind: "draft", line: 2 }]);
  });

  test("below the payouts in a column of theirs is a row that is refused", async () => {
    const { verdicts } = await read(TOP, rowOf(2, FULL), `<row r="4"><c r="C4"${inside}</c></row>`);
    expect(verdicts).toMatchObject([{ kind: "draft" }, { kind: "rejected", line: 4 }]);
  });

  test("behind the columns of the header is a filled cell there, as a text is", async () => {
    const row = rowOf(2, GOOD).replace("</row>", `<c r="K2"${inside}</c></row>`);
    const { verdicts } = await read(HEAD, row, rowOf(3, GOOD));
    expect(verdicts).toMatchObject([
      { kind: "rejected", line: 2, problems: [{ code: "row_too_long" }] },
      { kind: "draft", line: 3 },
    ]);
  });

  test("in the header refuses the file: nobody knows which column it names", async () => {
    const { verdicts, fileProblems } = await read(withCell(TOP, "I1", inside), rowOf(2, FULL));
    expect(verdicts).toEqual([]);
    expect(fileProblems).toMatchObject([
      { code: "header_without_value", line: 1, message: expect.stringMatching(/^Column 9 of/) },
    ]);
  });

  test("on a sheet that is not read does no harm", async () => {
    const other = `<worksheet><sheetData><row r="2"><c r="C2"${inside}</c></row></sheetData></worksheet>`;
    const parts = [sheetOf(HEAD, rowOf(2, GOOD)), text("xl/worksheets/sheet2.xml", other)];
    const { verdicts } = await readBook(zipOf(...PARTS, ...parts));
    expect(verdicts).toMatchObject([{ kind: "draft" }]);
  });
});

test("an error in a column that the currency does not use refuses the row as well", async () => {
  const names = [...HEADER, "branch_code", "reference"];
  for (const place of ["I2", "J2"]) {
    const row = withCell(rowOf(2, [...GOOD, "", "R-1"]), place, ERROR);
    const { verdicts } = await read(rowOf(1, names), row);
    expect(verdicts).toMatchObject([{ kind: "rejected", problems: [{ code: "error_value" }] }]);
  }
});

test("two cells of a row are told one by one, and beside them what else is wrong with it", async () => {
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

test("an error that says nothing is no empty cell either", async () => {
  const { verdicts } = await read(TOP, withCell(rowOf(2, FULL), "I2", ' t="e"><v></v>'));
  expect(verdicts).toMatchObject([{ kind: "rejected" }]);
});
