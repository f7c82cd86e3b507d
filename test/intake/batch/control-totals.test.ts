import { expect, test } from "vitest";
import { differencesFrom } from "#intake/batch/control-totals.ts";

const BATCH = {
  rows: 3,
  totals: [
    { currency: "INR", minor: 10_050n, minorDigits: 2 },
    { currency: "IDR", minor: 700n, minorDigits: 2 },
  ],
};

test.each<[string, number | null, Readonly<Record<string, string>>]>([
  ["nothing", null, {}],
  ["the rows", 3, {}],
  ["a total, even with fewer decimals", null, { INR: "100.5" }],
  ["everything", 3, { INR: "100.50", IDR: "7" }],
])("accepts an expected %s that matches", (_what, rows, sums) => {
  expect(differencesFrom({ rows, sums }, BATCH)).toEqual([]);
});

test.each<[number | null, Readonly<Record<string, string>>, readonly string[]]>([
  [4, {}, ["You expected 4 rows, but the batch has 3."]],
  [0, {}, ["You expected 0 rows, but the batch has 3."]],
  [null, { THB: "1" }, ["You expected THB 1, but the file has no payable rows in THB."]],
  [
    2,
    { INR: "100.51", IDR: "7.00" },
    [
      "You expected 2 rows, but the batch has 3.",
      "You expected INR 100.51, but the payable rows total INR 100.50.",
    ],
  ],
  [null, { INR: "x" }, ["You expected INR x, but the payable rows total INR 100.50."]],
  [null, { IDR: "7.001" }, ["You expected IDR 7.001, but the payable rows total IDR 7.00."]],
])("reports the difference for %j rows and %j", (rows, sums, said) => {
  expect(differencesFrom({ rows, sums }, BATCH)).toEqual(said);
});
