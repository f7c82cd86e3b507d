/** The mapping of a statement as a person writes it. */
import { expect, test } from "vitest";
import { amountStyleOf, parseChoices, payoutSignOf } from "#reconciliation/mapping-choices.ts";

test("reads columns and words, without blanks, and ignores empty texts", () => {
  const read = parseChoices(
    ["", "Order ID = code", "Net=total=amount"],
    ["", " Geschafft = completed", "ZURÜCK=returned"],
  );
  expect(read).toEqual({
    ok: true,
    value: {
      columns: { code: "Order ID", amount: "Net=total" },
      words: { geschafft: "completed", zurück: "returned" },
    },
  });
});

test.each([
  [["Amount"], []],
  [["=code"], []],
  [[" =code"], []],
  [["Amount=colour"], []],
  [["A=code", "B=code"], []],
  [[], ["done"]],
  [[], ["=completed"]],
  [[], [" =completed"]],
  [[], ["done=finished"]],
  [[], ["Completed=failed"]],
])("refuses columns %j and words %j", (columns, words) => {
  expect(parseChoices(columns, words)).toEqual({ ok: false, error: [...columns, ...words].at(-1) });
});

test("knows the names of styles and signs", () => {
  expect([amountStyleOf("plain"), amountStyleOf("roman")]).toEqual(["plain", undefined]);
  expect([payoutSignOf("negative"), payoutSignOf("wavy")]).toEqual(["negative", undefined]);
});
