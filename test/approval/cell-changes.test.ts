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
      differsAt: 12,
    },
    { column: "transaction_amount", before: "482,50", after: "482.50", differsAt: 4 },
  ]);
});

test("names the position of a change that the mask hides", () => {
  const [change] = changes(["Asha", "50100012348812", "1"], ["Asha", "50900012348812", "1"]);
  expect([change?.before === change?.after, change?.differsAt]).toEqual([true, 3]);
});

test("ignores spaces around a cell, and rows whose cells may have shifted", () => {
  expect(changes(["Asha ", "1", "1"], ["Asha", "1", "1"])).toEqual([]);
  expect(changes(["Asha", "1"], ["Asha", "1", "2"])).toEqual([]);
});
