import { expect, test } from "vitest";
import { copyRecords, hasFormulaCell } from "#intake/copy-guard.ts";

test("renames known columns to their template names and leaves out the code", () => {
  const copy = copyRecords(["User ID", "line", "Transaction Code", "account-name", "Department"]);
  expect(copy.header).toEqual(["user_id", "transaction_code", "account_name"]);
  expect(copy.of(["007", "12", "TX-1", "Asha Rao", "sales"])).toEqual(["007", "", "Asha Rao"]);
  expect(copy.of(["007"])).toEqual(["007", "", ""]);
});

test.each([
  [["007", "Asha Rao"], false],
  [["+4412", "Asha Rao"], true],
  [["007", "=1+1"], true],
])("offers only a workbook for %o: %o", (record, isSo) => {
  expect(hasFormulaCell(record)).toBe(isSo);
});
