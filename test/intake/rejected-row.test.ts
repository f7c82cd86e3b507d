import { describe, expect, test } from "vitest";
import { withEarlierProblems } from "#intake/rejected-row.ts";
import { problem } from "#intake/text/problems.ts";
import { COLUMNS } from "#intake/header/columns.ts";
import { cellsOf, INR, readRows } from "./good-row.ts";

const HEADER: readonly string[] = COLUMNS;
const FILE = { header: HEADER, encoding: "XLSX" };
const CELLS = cellsOf(INR);
const ACCOUNT = HEADER.indexOf("bank_account_number");
const held = problem("number_not_text", { line: 2, column: "bank_account_number" });
const wrong = problem(
  "bad_ifsc",
  { line: 2, column: "ifsc_code" },
  {
    expected: "an IFSC",
    fault: "is too short",
  },
);
const before = { cells: CELLS.with(HEADER.indexOf("ifsc_code"), "x"), problems: [wrong, held] };
const [good] = readRows([INR]);
if (good?.kind !== "draft") throw new Error("no good row");
const codesOf = (row: ReturnType<typeof withEarlierProblems>) => [
  row.kind,
  ...(row.kind === "draft" ? row.warnings : row.problems).map(({ code }) => code),
];

describe("a rejected row that is uploaded again", () => {
  test("reports a number that came from a workbook again", () => {
    expect(codesOf(withEarlierProblems(good, before, FILE))).toEqual(["draft", "number_not_text"]);
    const padded = { ...good, cells: CELLS.with(ACCOUNT, ` ${CELLS[ACCOUNT]} `) };
    expect(codesOf(withEarlierProblems(padded, before, FILE))).toEqual([
      "draft",
      "number_not_text",
    ]);
    const named = HEADER.with(ACCOUNT, "Bank Account Number");
    expect(codesOf(withEarlierProblems(good, before, { ...FILE, header: named }))).toEqual([
      "draft",
      "number_not_text",
    ]);
  });

  test("reports digits that the workbook did not show again", () => {
    const rounded = problem("amount_shown_rounded", { line: 2, column: "transaction_amount" });
    const old = { ...before, problems: [wrong, rounded] };
    expect(codesOf(withEarlierProblems(good, old, FILE))).toEqual([
      "draft",
      "amount_shown_rounded",
    ]);
  });

  test("reports another currency's sign again, until the currency is corrected", () => {
    const sign = { sign: "฿", currency: "INR" };
    const foreign = problem(
      "amount_in_other_currency",
      { line: 2, column: "transaction_amount" },
      sign,
    );
    const old = { ...before, problems: [wrong, foreign] };
    expect(codesOf(withEarlierProblems(good, old, FILE))).toEqual([
      "draft",
      "amount_in_other_currency",
    ]);
    const repaired = { ...good, cells: CELLS.with(HEADER.indexOf("currency_code"), "THB") };
    expect(withEarlierProblems(repaired, old, FILE)).toBe(repaired);
  });

  test.each(["error_value", "formula_not_calculated"] as const)(
    "rejects a value that the workbook lost (%s) again, until someone enters it",
    (code) => {
      const lost = problem(code, { line: 2, column: "reference" });
      const old = { ...before, problems: [wrong, lost] };
      expect(codesOf(withEarlierProblems(good, old, FILE))).toEqual(["rejected", code]);
    },
  );

  test("reports the doubt together with the problems that remain", () => {
    const rejected = { kind: "rejected", line: 2, cells: CELLS, problems: [wrong] } as const;
    expect(codesOf(withEarlierProblems(rejected, before, FILE))).toEqual([
      "rejected",
      "bad_ifsc",
      "number_not_text",
    ]);
  });

  test("reports the doubt once when the cell is a number again", () => {
    const again = { ...good, warnings: [held] };
    expect(withEarlierProblems(again, before, FILE)).toBe(again);
  });

  test("drops the doubt when the value has changed", () => {
    const other = { ...good, cells: CELLS.with(ACCOUNT, `0${CELLS[ACCOUNT]}`) };
    expect(withEarlierProblems(other, before, FILE)).toBe(other);
  });

  test("reads a row as it is when its cells may have shifted or it was never rejected", () => {
    const longer = { ...good, cells: [...CELLS, ""] };
    expect(withEarlierProblems(longer, before, FILE)).toBe(longer);
    expect(withEarlierProblems(good, undefined, FILE)).toBe(good);
  });
});

describe("letters of a guessed encoding that were accepted because of the currency", () => {
  const put = (values: Readonly<Record<string, string>>) =>
    HEADER.map((name, place) => values[name] ?? CELLS[place] ?? "");
  const NAMES = { account_name: "ÊÁªÒÂ", user_id: " Ü-1", reference: "café" };
  const was = { cells: put({ ...NAMES, currency_code: "BRL" }), problems: [wrong] };
  const guess = { ...FILE, encoding: "Windows-1252" };
  const now = (values: Readonly<Record<string, string>>) => ({ ...good, cells: put(values) });
  const columnsOf = (row: ReturnType<typeof withEarlierProblems>) =>
    row.kind === "draft"
      ? []
      : row.problems.map(({ code, column, found, line }) => [code, column, found, line]);

  test("doubts them with another currency, in every field that is sent", () => {
    expect(columnsOf(withEarlierProblems(now({ ...NAMES, user_id: "Ü-1 " }), was, guess))).toEqual([
      ["encoding_doubtful", "user_id", "Ü-1", 2],
      ["encoding_doubtful", "account_name", "ÊÁªÒÂ", 2],
    ]);
  });

  test("doubts them in every column they were moved to", () => {
    const moved = withEarlierProblems(now({ bank_name: "ÊÁªÒÂ" }), was, guess);
    expect(columnsOf(moved)).toEqual([["encoding_doubtful", "bank_name", "ÊÁªÒÂ", 2]]);
  });

  test.each([
    ["with the same currency", { ...NAMES, currency_code: " BRL" }, guess],
    ["in a file of another encoding", NAMES, { ...guess, encoding: "UTF-8" }],
    ["where they were typed again", { account_name: "มาลัย" }, guess],
    ["where none is left", { user_id: "U-1" }, guess],
  ])("accepts them %s", (_, values, file) => {
    const row = now(values);
    expect(withEarlierProblems(row, was, file)).toBe(row);
  });

  test("doubts them once", () => {
    const doubtful = problem("encoding_doubtful", { line: 2, column: "account_name" });
    const { cells } = now({ account_name: NAMES.account_name });
    const row = { kind: "rejected", line: 2, cells, problems: [doubtful] } as const;
    expect(withEarlierProblems(row, was, guess)).toBe(row);
  });
});
