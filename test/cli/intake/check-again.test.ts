import { expect, test } from "vitest";
import { checkAgainCommand } from "#cli/intake/check-again.ts";
import { problem } from "#intake/text/problems.ts";
import type { ColumnProposal, ReadingProposal } from "#intake/text/reading-proposal.ts";

const column = (
  name: string,
  to: string | null,
  basis: ColumnProposal["basis"] = "synonym",
): ColumnProposal => ({ name, column: to, basis, first: "" });
const asked = (proposal: ReadingProposal) => ({ ...problem("file_empty"), proposal });
const amounts = (proposed: string | null) => ({ values: 2, proposed, formats: [] });
const COLUMNS = [
  column("Amount", "transaction_amount"),
  column("currency_code", "currency_code", "own_name"),
  column("Employee Name", "account_name"),
  column("Remark", null, "unknown"),
];

test("writes the proposed amounts and columns as options, quoted for a shell", () => {
  const problems = [
    asked({ amounts: null, columns: COLUMNS }),
    asked({ amounts: amounts("1'234.56"), columns: null }),
  ];
  expect(checkAgainCommand("payroll nov.csv", { rejects: "bad.csv" }, problems)).toBe(
    String.raw`payrun check 'payroll nov.csv' --amounts '1'\''234.56' --column Amount=transaction_amount --column 'Employee Name=account_name' --column Remark= --rejects bad.csv`,
  );
});

test("keeps the options that were given", () => {
  const given = { amounts: "1,234.56", column: ["Amount=transaction_amount"] } as const;
  const left = [asked({ amounts: null, columns: [column("IFSC", "ifsc_code")] })];
  expect(checkAgainCommand("-x.csv", given, left)).toBe(
    "payrun check '-x.csv' --amounts 1,234.56 --column Amount=transaction_amount --column IFSC=ifsc_code",
  );
});

test("adds the currency of all rows that is proposed", () => {
  const currency = { choices: ["INR"], proposed: "INR", found: [], required: [] };
  const left = [asked({ amounts: null, columns: [column("IFSC", "ifsc_code")], currency })];
  expect(checkAgainCommand("f.csv", {}, left)).toBe(
    "payrun check f.csv --currency INR --column IFSC=ifsc_code",
  );
});

test("proposes no command if the person must choose", () => {
  const several = [column("Amount", null, "several")];
  expect(checkAgainCommand("f.csv", {}, [asked({ amounts: null, columns: several })])).toBeNull();
  expect(
    checkAgainCommand("f.csv", {}, [asked({ amounts: amounts(null), columns: null })]),
  ).toBeNull();
  expect(checkAgainCommand("f.csv", {}, [problem("file_empty")])).toBeNull();
});
