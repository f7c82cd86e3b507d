import { describe, expect, test } from "vitest";

import { addAmounts, formatAmount, formatMoney, sameAmount } from "../../dashboard/src/money.ts";

describe("an amount on a screen", () => {
  test("keeps every digit, also where a float would lose some", () => {
    expect(formatAmount("9007199254740993.17", "en")).toBe("9,007,199,254,740,993.17");
    expect(formatAmount("0.10", "en")).toBe("0.10");
    expect(formatAmount("1234567", "en")).toBe("1,234,567");
    expect(formatAmount("-12.000001", "en")).toBe("-12.000001");
  });

  test("is written as its reader writes numbers, after its code", () => {
    expect(formatMoney({ currency: "INR", amount: "12345678.90" }, "en-IN")).toBe(
      "INR 1,23,45,678.90",
    );
    expect(formatMoney({ currency: "VND", amount: "1500000" }, "de")).toBe("VND 1.500.000");
  });

  test("is shown as it came when it is no amount", () => {
    expect(formatAmount("1e5", "en")).toBe("1e5");
  });
});

describe("sums", () => {
  test("are exact", () => {
    expect(addAmounts(["0.1", "0.2"])).toBe("0.3");
    expect(addAmounts(["9007199254740993", "0.01", "-0.02"])).toBe("9007199254740992.99");
    expect(addAmounts(["0.05", "-0.10"])).toBe("-0.05");
    expect(addAmounts([])).toBe("0");
  });

  test("compare by value, not by text", () => {
    expect(sameAmount("1.50", "1.5")).toBe(true);
    expect(sameAmount("9007199254740993", "9007199254740992")).toBe(false);
  });
});
