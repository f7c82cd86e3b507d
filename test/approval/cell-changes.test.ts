/** The cells that a correction changed, as an approver sees them. */
import { expect, test } from "vitest";
import { cellChanges } from "#approval/cell-changes.ts";
import { maskText } from "#intake/masking.ts";

const HEADER = ["account_name", "bank_account_number", "transaction_amount"];
const mask = ([name = "", account = "", amount = ""]: readonly string[]) => [
  name,
  maskText(account),
  amount,
];
const changes = (before: readonly string[], after: readonly string[]) =>
  cellChanges(HEADER, before, after, mask);

test("shows each changed cell before and after, with masked accounts", () => {
  const before = ["Asha", "50100012348812", "482,50"];
  expect(changes(before, ["Asha", "50100012348212", "482.50"])).toEqual([
    {
      column: "bank_account_number",
      before: "••••••••••8812",
      after: "••••••••••8212",
      differs: { from: 12, to: 12 },
    },
    {
      column: "transaction_amount",
      before: "482,50",
      after: "482.50",
      differs: { from: 4, to: 4 },
    },
  ]);
});

test.each([
  ["one digit", "50900012348812", { from: 3, to: 3 }],
  ["several digits", "50900013348812", { from: 3, to: 8 }],
  ["another length", "150100012348812", null],
])("says where a value differs that the mask hides: %s", (_, account, differs) => {
  const [change] = changes(["Asha", "50100012348812", "1"], ["Asha", account, "1"]);
  expect(change?.after.slice(-4)).toBe("8812");
  expect(change?.differs).toEqual(differs);
});

test("ignores spaces around a cell, and rows whose cells may have shifted", () => {
  expect(changes(["Asha ", "1", "1"], ["Asha", "1", "1"])).toEqual([]);
  expect(changes(["Asha", "1"], ["Asha", "1", "2"])).toEqual([]);
});
