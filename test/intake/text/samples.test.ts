import { describe, expect, test } from "vitest";
import { PROBLEMS } from "#intake/text/problems.ts";
import { CURRENCIES } from "#money/currency.ts";
import { allProblems, expectedOf, readSample, resultOf, SAMPLES } from "../../support/samples.ts";

/**
 * Only the ledger knows earlier payouts and rejections, so no first file can show these problems.
 */
const OF_THE_LEDGER = [
  "line_stays",
  "line_not_left_out",
  "transaction_code_in_use",
  "paid_lately",
  "being_retried",
  "letters_confirmed",
  "line_column_missing",
  "line_missing",
  "line_not_rejected",
];

describe("reads every sample as the file next to it says", () => {
  test.each(SAMPLES)("%s", async (name) => {
    expect(resultOf(await readSample(name))).toEqual(expectedOf(name).result);
  });
});

test("has a clean sample for every currency and for crypto", async () => {
  for (const currency of [...Object.keys(CURRENCIES), "USDT"]) {
    const read = await readSample(currency.toLowerCase());
    expect(read.verdicts.length).toBeGreaterThan(1);
    expect(allProblems(read)).toEqual([]);
  }
});

/** Samples are text. test/batch/workbook*.test.ts create the workbooks that show these problems. */
const OF_WORKBOOKS = [
  "workbook_too_large",
  "workbook_locked",
  "first_tab_without_cells",
  "first_sheet_hidden",
  "first_sheet_empty",
  "sheets_ignored",
  "rows_hidden",
  "rows_struck_out",
  "columns_hidden",
  "formulas_read",
  "formats_by_condition",
  "macros_ignored",
  "header_without_value",
  "formula_not_calculated",
  "number_not_text",
  "code_not_text",
  "digits_not_kept",
  "amount_shown_otherwise",
  "amount_shown_rounded",
  "amount_in_other_currency",
  "number_not_exact",
  "cell_merged",
  "cell_is_a_date",
];

/** test/intake/reading shows the problems of files whose reading a person confirms. */
const OF_CONFIRMATIONS = [
  "columns_unconfirmed",
  "mapped_column_missing",
  "own_column_mapped",
  "column_mapped_twice",
  "columns_read_as",
  "currency_unconfirmed",
  "currency_given_twice",
  "currency_not_available",
  "currency_of_all_rows",
  "amounts_unconfirmed",
  "amounts_read_as",
  "file_read_otherwise",
];

test("shows every problem of the table in a sample, with a value for each placeholder", async () => {
  const shown = new Set<string>([...OF_THE_LEDGER, ...OF_WORKBOOKS, ...OF_CONFIRMATIONS]);
  for (const name of SAMPLES) {
    for (const { code, message, expected, correction } of allProblems(await readSample(name))) {
      shown.add(code);
      expect(`${message} ${expected} ${correction}`).not.toMatch(/\{|\}|undefined/);
    }
  }
  expect(Object.keys(PROBLEMS).filter((code) => !shown.has(code))).toEqual([]);
});

test("reports mistakes on their own lines, all problems of a row together", async () => {
  const { verdicts } = await readSample("mistakes");
  const nothingFilled = verdicts.find(
    ({ cells }) => cells.at(-1) === "nothing filled but the amount",
  );
  expect(
    nothingFilled?.kind === "rejected" && nothingFilled.problems.map(({ column }) => column),
  ).toEqual([
    "user_id",
    "account_name",
    "bank_account_number",
    "ifsc_code",
    "bank_code",
    "bank_name",
  ]);
});
