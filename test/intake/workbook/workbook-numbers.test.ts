import writeWorkbook from "write-excel-file/node";
import { expect, test } from "vitest";
import { zipOf } from "./archive.ts";
import {
  bookOf,
  cell,
  GOOD,
  HEAD,
  HEADER,
  PARTS,
  put,
  readBook,
  rowOf,
  sheetOf,
  type Value,
} from "./workbook-parts.ts";

const problemsOf = async (row: readonly Value[]) => {
  const [verdict] = (await readBook(await bookOf(row))).verdicts;
  if (!verdict) throw new Error("no row");
  const problems = verdict.kind === "draft" ? verdict.warnings : verdict.problems;
  return [verdict.kind, ...problems.map(({ code, column }) => `${column} ${code}`)];
};

test.each([
  [100, 10_000n],
  [0.1, 10n],
  [1234.56, 123_456n],
  [19.99, 1_999n],
  // As a formula leaves them: a sheet shows 15 digits of each.
  [0.1 + 0.2, 30n],
  [24_000.36 + 1_670.5, 2_567_086n],
  [25670.859999999997, 2_567_086n],
  [1150.6400000000001, 115_064n],
  [100.00000000000001, 10_000n],
])("accepts the number %d as an amount where it is exact", async (amount, minor) => {
  const { verdicts } = await readBook(await bookOf(put(2, amount)));
  expect(verdicts).toMatchObject([{ kind: "draft", warnings: [], draft: { money: { minor } } }]);
});

test("F88 warns about a number in a text column and refuses one with too many digits", async () => {
  expect(await problemsOf(put(4, 501_000_001_234))).toEqual([
    "draft",
    "bank_account_number number_not_text",
  ]);
  expect(await problemsOf(put(4, 1234567890123456))).toContain(
    "bank_account_number number_not_exact",
  );
  // Typed with 16 digits, stored with 15: the last digit is now a zero, and the original is lost.
  expect(await problemsOf(put(4, 1234567890123450))).toEqual([
    "rejected",
    "bank_account_number number_not_exact",
  ]);
  expect(await problemsOf(put(2, 1234567890123456))).toContain(
    "transaction_amount number_not_exact",
  );
  expect(await problemsOf(put(2, 1234567890123.4568))).toContain(
    "transaction_amount number_not_exact",
  );
  expect(await problemsOf(put(2, 1234.5649999999998))).toContain(
    "transaction_amount amount_too_many_decimals",
  );
});

test("refuses a number as a transaction code, because it may have lost its zeros", async () => {
  const { verdicts } = await readBook(
    await writeWorkbook([
      [...HEADER, "transaction_code"],
      [...GOOD, 123],
      [...put(4, "00501000001235"), "00123"],
    ]).toBuffer(),
  );
  expect(verdicts).toMatchObject([
    { kind: "rejected", problems: [{ code: "code_not_text", column: "transaction_code" }] },
    { kind: "draft", draft: { transactionCode: "00123" } },
  ]);
});

test("refuses a date in every column", async () => {
  const [kind, ...problems] = await problemsOf(put(3, new Date("2026-01-05")));
  expect(kind).toBe("rejected");
  expect(problems).toContain("account_name cell_is_a_date");
});

test("warns about an amount too wide for General, even without a named format", async () => {
  const amount = 1234567890.75;
  expect(await problemsOf(put(2, amount))).toContain("transaction_amount amount_shown_rounded");
  const fits = await problemsOf(put(2, 12345678.75));
  expect(fits).toEqual(["draft"]);
  const bare = rowOf(2, GOOD).replace(cell("C2", "100.00"), `<c r="C2"><v>${amount}</v></c>`);
  const [verdict] = (await readBook(zipOf(...PARTS, sheetOf(HEAD, bare)))).verdicts;
  const problems = verdict?.kind === "rejected" ? verdict.problems : [];
  expect(problems.map(({ code }) => code)).toContain("amount_shown_rounded");
});
