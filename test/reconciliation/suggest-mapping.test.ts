/** Suggestions for the columns and amounts of a statement, from its names and its first values. */
import { expect, test } from "vitest";
import { GENERATED_CODE_PATTERN } from "#base/ids.ts";
import {
  type StatementSample,
  suggestFromValues,
  suggestStyle,
  valuesOf,
} from "#reconciliation/suggest-mapping.ts";

const suggested = (sample: StatementSample) =>
  suggestFromValues(sample, new RegExp(GENERATED_CODE_PATTERN));

const CODES = ["PR0123456789ABCDEFGH", "PRABCDEFGH0123456789"];

test("recognises generated codes in any column, and the gateway's numbers by the name of the code", () => {
  const names = ["Order No", "Merchant Order", "Amount", "Status", "Finish Time"];
  const rows = CODES.map((code, at) => [`WD${at}`, code, "52,000.00", "Done", "10:00"]);
  expect(suggested({ names, rows })).toEqual({
    code: "Merchant Order",
    gateway_number: "Order No",
    amount: "Amount",
    status: "Status",
    time: "Finish Time",
  });
});

test("keeps a gateway number that has its own column", () => {
  const names = ["Order No", "Order", "Transaction No"];
  const rows = CODES.map((code, at) => [`${at}`, code, `WD${at}`]);
  expect(suggested({ names, rows })).toEqual({
    code: "Order",
    gateway_number: "Transaction No",
  });
});

test("keeps the suggestion by name if no column, or more than one, has codes only", () => {
  const names = ["Order No", "Merchant Order"];
  const byName = { code: "Order No" };
  expect(suggested({ names, rows: [["A-1", ""]] })).toEqual(byName);
  expect(suggested({ names, rows: [["A-1", "A-2"]] })).toEqual(byName);
  expect(suggested({ names, rows: CODES.map((code) => [code, code]) })).toEqual(byName);
  expect(
    suggested({
      names,
      rows: [
        ["A-1", CODES[0] ?? ""],
        ["A-2", "B-1"],
      ],
    }),
  ).toEqual(byName);
});

test("suggests the first amount format that fits every value", () => {
  expect(suggestStyle(["100.00", "52000"])).toBe("plain");
  expect(suggestStyle(["100.00", "52,000.00"])).toBe("1,234.56");
  expect(suggestStyle(["- 52.000,00", "1,50"])).toBe("1.234,56");
  expect(suggestStyle(["1,25,000.50"])).toBe("1,25,000.50");
  expect(suggestStyle(["1'000.00"])).toBe("1'234.56");
});

test("suggests no format if there are no amounts, or none fits", () => {
  expect(suggestStyle([])).toBeNull();
  expect(suggestStyle(["INR 100"])).toBeNull();
  expect(suggestStyle(["1,000.00", "1.000,00"])).toBeNull();
});

test("reads the values of a column without blanks, also in short rows", () => {
  const sample = { names: ["A", "B"], rows: [["1", " x "], ["2"], ["3", " "]] };
  expect(valuesOf(sample, "B")).toEqual(["x"]);
});

test("recognises codes in a column with the name of another field", () => {
  const names = ["Order ID", "Transaction No"];
  const rows = CODES.map((code, at) => [`WD${at}`, code]);
  expect(suggested({ names, rows })).toEqual({
    code: "Transaction No",
    gateway_number: "Order ID",
  });
});

test("suggests no gateway number if no column has the name of the code", () => {
  const names = ["A", "B"];
  const rows = CODES.map((code) => ["x", code]);
  expect(suggested({ names, rows })).toEqual({ code: "B" });
  expect(suggested({ names, rows: CODES.map((code) => [code, code]) })).toEqual({});
});

test("suggests no amount format if a value does not begin with a number", () => {
  expect(suggestStyle(["+  100.00", "-100.00"])).toBe("plain");
  expect(suggestStyle(["100.00", "INR 100.00"])).toBeNull();
  expect(suggestStyle(["100-00"])).toBeNull();
  expect(suggestStyle(["x1"])).toBeNull();
});
