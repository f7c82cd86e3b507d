import { describe, expect, test } from "vitest";
import { COLUMNS, type Column } from "#intake/header/columns.ts";
import type { Problem } from "#intake/text/problems.ts";
import { rowReader, type RowVerdict } from "#intake/row.ts";
import { DEFAULT_ROW_SETTINGS, type RowSettings } from "#intake/row-settings.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";

type Cells = Readonly<Partial<Record<Column, string>>>;

const PLACES = new Map(COLUMNS.map((column, place) => [column, place]));
const MYR: Cells = {
  user_id: "U-1",
  currency_code: "MYR",
  transaction_amount: "10.00",
  account_name: "Nurul Huda",
  bank_account_number: "5123456789",
  bank_code: "MBB",
  bank_name: "Maybank Berhad",
};
const cellsOf = (row: Cells) => COLUMNS.map((column) => row[column] ?? "");
const readerOf = (settings: Partial<RowSettings> = {}) =>
  rowReader(COLUMNS, PLACES, { ...DEFAULT_ROW_SETTINGS, ...settings });
const problemsIn = (verdict: RowVerdict): readonly Problem[] =>
  verdict.kind === "draft" ? verdict.warnings : verdict.problems;
const problemsOf = (changes: Cells, settings?: Partial<RowSettings>) =>
  problemsIn(readerOf(settings)(cellsOf({ ...MYR, ...changes }), 2));

describe("an unknown currency", () => {
  test.each([
    ["myr", " (closest match: MYR)"],
    ["MYRR", " (closest match: MYR)"],
    ["MY", " (closest match: MYR)"],
    ["QQQ", ""],
    ["MYR followed by a long text", ""],
  ])("reports %j with the nearest currency: %j", (currency_code, hint) => {
    expect(problemsOf({ currency_code })).toMatchObject([
      { code: "currency_unknown", correction: `Enter the code in capital letters${hint}.` },
    ]);
  });

  test("reports the known currencies, or those that have a merchant", () => {
    expect(problemsOf({ currency_code: "" })[0]?.expected).toMatch(/^one of BDT BRL .* VND USDT$/);
    const currencies = new Set(["MYR", "THB"]);
    expect(problemsOf({ currency_code: "inr" }, { currencies })).toMatchObject([
      { expected: "one of MYR THB", correction: "Enter the code in capital letters." },
    ]);
  });
});

describe("an invalid amount", () => {
  test("shows an example in the file's style", () => {
    const example = (amountStyle: RowSettings["amountStyle"]) =>
      problemsOf({ transaction_amount: "1.2.3" }, { amountStyle }).map(({ message, expected }) => [
        message,
        expected,
      ]);
    expect(example("plain")).toEqual([
      ["The amount is not written as a plain amount.", "a plain amount such as 1234.56"],
    ]);
    for (const style of AMOUNT_STYLE_NAMES.filter((name) => name !== "plain"))
      expect(example(style)).toEqual([
        [`The amount is not written as ${style}.`, `a plain amount such as ${style}`],
      ]);
  });

  test.each([
    ["IDR", "10.505", "at most 0 decimals"],
    ["IDR", "10.50", "a whole number"],
    ["MYR", "10.505", "at most 2 decimals"],
    ["JPY", "10.0", "at most 0 decimals"],
  ])("%s %s: %s", (currency_code, transaction_amount, expected) => {
    expect(problemsOf({ currency_code, transaction_amount })).toContainEqual(
      expect.objectContaining({ column: "transaction_amount", expected }),
    );
  });
});

test("says in an empty cell who requires a value: one currency or all", () => {
  const said = (currency_code: string) =>
    problemsOf({ currency_code, user_id: "" }).map(({ message }) => message);
  expect(said("MYR")).toEqual(["user_id is empty, but MYR payouts require it."]);
  expect(said("XXX")).toContain("user_id is empty, but all payouts require it.");
});

test.each(["xhttps://example.com", " ttp://example.com", "https:///x", "https://"])(
  "refuses %j as a callback URL",
  (callback_url) => {
    expect(problemsOf({ callback_url }).map(({ code }) => code)).toEqual(["bad_callback_url"]);
  },
);

test("ignores blank cells after the last column and reports a NUL in one by its number", () => {
  const read = readerOf();
  const cells = cellsOf(MYR);
  expect(read([...cells, " ", ""], 2)).toMatchObject({ kind: "draft", cells });
  const verdict = read([...cells, "a\0b"], 3);
  expect(problemsIn(verdict).map(({ code, column }) => [code, column])).toEqual([
    ["row_too_long", null],
    ["nul_character", String(COLUMNS.length + 1)],
  ]);
  expect(verdict.cells.at(-1)).toBe("a\u2400b");
  expect(verdict.cells[0]).toBe("U-1");
});

describe("payouts without an account that are duplicates by person and bank", () => {
  const bare: Cells = { ...MYR, bank_account_number: "" };
  const again = (changes: Cells) => {
    const read = readerOf();
    read(cellsOf(bare), 2);
    return problemsIn(read(cellsOf({ ...bare, ...changes }), 3)).some(
      ({ code }) => code === "row_repeated",
    );
  };

  test.each<[string, Cells, boolean]>([
    ["the same row", {}, true],
    ["another note", { reference: "x" }, true],
    ["another user", { user_id: "U-2" }, false],
    ["another name", { account_name: "Siti" }, false],
    ["another bank", { bank_code: "PBB" }, false],
    ["an account", { bank_account_number: "5123456789" }, false],
  ])("%s", (_what, changes, isRepeated) => {
    expect(again(changes)).toBe(isRepeated);
  });
});
