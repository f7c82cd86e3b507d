import { expect, test } from "vitest";
import {
  columnFaults,
  confirmedReading,
  missingColumns,
  type ReadingProposal,
} from "../../../dashboard/src/pages/intake/upload/reading/proposal.ts";
import {
  emptyColumns,
  filledFrom,
} from "../../../dashboard/src/pages/intake/upload/repair/empty-columns.ts";

const column = (name: string, to: string) =>
  ({ name, column: to, basis: "synonym", first: "" }) as const;
const PROPOSAL: ReadingProposal = {
  amounts: null,
  columns: [
    column("No", "user_id"),
    column("Pay", "transaction_amount"),
    column("Bank", "bank_name"),
  ],
  currency: {
    choices: ["BDT", "INR"],
    proposed: "INR",
    found: [],
    required: [
      { currency: "INR", columns: ["user_id", "bank_code", "bank_name"] },
      { currency: "BDT", columns: ["phone_number"] },
    ],
  },
};
const CHOSEN = { No: "user_id", Pay: "transaction_amount", Bank: "bank_name" };

test("names the columns that the chosen currency also requires, with candidates", () => {
  expect(missingColumns(PROPOSAL, { ...CHOSEN, Bank: "" }, "INR")).toEqual([
    { currency: "INR", column: "bank_code", candidates: ["Bank"] },
    { currency: "INR", column: "bank_name", candidates: ["Bank"] },
  ]);
  expect(missingColumns(PROPOSAL, CHOSEN, "BDT")).toEqual([
    { currency: "BDT", column: "phone_number", candidates: [] },
  ]);
  expect(missingColumns(PROPOSAL, CHOSEN, null)).toEqual([]);
  expect(missingColumns(PROPOSAL, { ...CHOSEN, Pay: "currency_code" }, "INR")).toEqual([]);
});

test("offers no column that already holds another required detail", () => {
  expect(missingColumns(PROPOSAL, CHOSEN, "INR")).toEqual([
    { currency: "INR", column: "bank_code", candidates: [] },
  ]);
});

test("confirms the currency of all rows only if no column holds it", () => {
  const chosen = { format: "1,234.56", currency: "INR", remembers: false };
  expect(confirmedReading(PROPOSAL, CHOSEN, chosen)).toMatchObject({
    currency: "INR",
    amounts: "1,234.56",
  });
  expect(confirmedReading(PROPOSAL, CHOSEN, { ...chosen, currency: "BDT" })).not.toHaveProperty(
    "amounts",
  );
  const withColumn = { ...CHOSEN, Bank: "currency_code" };
  expect(confirmedReading(PROPOSAL, withColumn, chosen)).not.toHaveProperty("currency");
  expect(columnFaults(CHOSEN, "INR").missing).toEqual(["account_name"]);
  expect(columnFaults(CHOSEN, null).missing).toContain("currency_code");
});

test("fills the empty cells of a column from another one", () => {
  const problems = [{ code: "value_missing" }];
  const cell = (line: number, bank: string) =>
    ({ row: { line, cells: ["", bank] }, ownName: "bank_code", text: "", problems }) as const;
  const [empty] = emptyColumns([cell(2, "HDFC"), cell(3, " ")]);
  expect(empty).toMatchObject({ ownName: "bank_code" });
  expect(filledFrom(empty?.cells ?? [], 1)).toMatchObject([{ value: "HDFC" }]);
  expect(emptyColumns([cell(2, "HDFC")])).toEqual([]);
});
