import { expect, test } from "vitest";
import { numbersComparedFact, storedAsNumberText } from "#intake/workbook/numeric-accounts.ts";

const ONE = { column: "bank_account_number", rows: 1 };
const MANY = { column: "bank_code", rows: 12 };

test("reports columns with their rows", () => {
  expect(storedAsNumberText([ONE, MANY])).toBe(
    "A spreadsheet stored text values as numbers: bank_account_number in 1 row, bank_code in 12 rows. Any leading zeros are lost.",
  );
});

test("records compared numbers on the audit log, and nothing without any", () => {
  expect(numbersComparedFact([ONE, MANY])).toEqual({
    numbers_compared: { bank_account_number: 1, bank_code: 12 },
  });
  expect(numbersComparedFact([])).toEqual({});
});
