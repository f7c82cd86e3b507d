import { expect, test } from "vitest";
import { rowReader } from "#intake/row.ts";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import type { Column } from "#intake/header/columns.ts";
import { columnGuideOf, templateRows } from "#intake/template.ts";
import { CURRENCIES } from "#money/currency.ts";

const expectedOf = (currency: string, column: Column, settings = DEFAULT_ROW_SETTINGS) =>
  columnGuideOf(currency, settings)?.find((each) => each.column === column)?.expected;

test("lists the columns of a currency in row order", () => {
  expect(
    columnGuideOf("INR", DEFAULT_ROW_SETTINGS)?.map(({ column, need }) => `${column} ${need}`),
  ).toEqual([
    "user_id required",
    "currency_code required",
    "transaction_amount required",
    "account_name required",
    "bank_account_number required",
    "ifsc_code required",
    "bank_code required",
    "bank_name required",
    "reference optional",
  ]);
  expect(expectedOf("INR", "currency_code")).toBe("INR");
  expect(expectedOf("INR", "account_name")).toBe("a name");
  expect(expectedOf("INR", "reference")).toBe("your own note, never sent to the gateway");
  expect(columnGuideOf("XXX", DEFAULT_ROW_SETTINGS)).toBeNull();
});

test("states the decimals and the limit of an amount", () => {
  const settings = { ...DEFAULT_ROW_SETTINGS, amountLimits: new Map([["INR", 10_050n]]) };
  expect(expectedOf("INR", "transaction_amount", settings)).toBe(
    "an amount above zero with at most 2 decimals, at most 100.50",
  );
  expect(expectedOf("IDR", "transaction_amount", settings)).toBe(
    "an amount above zero without decimals",
  );
});

test.each([...Object.keys(CURRENCIES), "USDT"])(
  "offers a sample for %s that can be read but not paid",
  (currency) => {
    const [header = [], sample = []] = templateRows(
      currency,
      columnGuideOf(currency, DEFAULT_ROW_SETTINGS) ?? [],
    );
    const places = new Map(header.map((column, place) => [column as Column, place]));
    const verdict = rowReader(header, places, DEFAULT_ROW_SETTINGS)(sample, 2);
    expect(verdict.kind === "rejected" && verdict.problems.map(({ code }) => code)).toContain(
      "amount_zero",
    );
    expect([sample[0], sample[1], sample[2], sample[3]]).toEqual([
      "SAMPLE",
      currency,
      "0",
      "Sample row, delete it",
    ]);
  },
);
