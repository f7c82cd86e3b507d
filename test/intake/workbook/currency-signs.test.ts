import { describe, expect, test } from "vitest";
import { currencySigns, foreignSign } from "#intake/workbook/currency-signs.ts";
import { CURRENCIES } from "#money/currency.ts";

describe("code of a number format", () => {
  test.each([
    ["[$€-407] #,##0.00", ["€"]],
    ["[$€-407] #,##0.00;[Red]-[$€-407] #,##0.00", ["€"]],
    ['"USD" #,##0.00', ["USD"]],
    ["\\U\\S\\D\\ 0", ["USD"]],
    ["[$kr-406] 0", ["kr"]],
    ["[$Rs.-4009] 0", ["Rs."]],
    ["[$R$ -416]0", ["R$"]],
    ['"R$"0', ["R$"]],
    ['"Rs "0', ["Rs"]],
    ['"रु"0', ["रु"]],
    ["$#,##0", ["$"]],
    ['"€ or USD"0', ["€", "USD"]],
    ["[$to 50100012345678] 0", ["to"]],
    ["[$rupees of India]0", ["rupees of In"]],
    ["[$R$ India]0", ["R$ India"]],
    ['0"€', ["€"]],
    ['0"USD', ["USD"]],
    ['0" U"_x"SD"', []],
    ["0\\", []],
  ])("%s names %j", (code, signs) => {
    expect(currencySigns(code)).toEqual(signs);
  });

  test.each([
    "General",
    "0.00E+00",
    "[$-409]#,##0.00",
    "[Red]0",
    '0.0"K"',
    '0" pieces"',
    "_$0*$",
    "yyyy-mm-dd",
    '0"usd"',
    "0_",
    "0*€",
    "[USD]0",
    "[>€100]0",
  ])("%s names none", (code) => {
    expect(currencySigns(code)).toEqual([]);
  });
});

/** Signs of each currency besides its code: what people write before or after an amount. */
const SIGNS = [
  ["BDT", "৳ Tk"],
  ["BRL", "R$"],
  ["CNY", "¥ CN¥ RMB 元"],
  ["IDR", "Rp"],
  ["INR", "₹ Rs रु"],
  ["JPY", "¥ JP¥ 円"],
  ["KRW", "₩ 원"],
  ["MMK", "K Ks"],
  ["MYR", "RM"],
  ["PHP", "₱ P"],
  ["THB", "฿"],
  ["TRY", "₺ TL"],
  ["VND", "₫ đ VNĐ"],
  ["USDT", "$ US$ USD ₮"],
] as const;

const SIGNS_OF_DOLLARS = "$ US$ USD ₮".split(" ");

describe("currency sign", () => {
  test.each(SIGNS)("accepts the signs of %s: %s", (currency, signs) => {
    const own = signs.split(" ");
    expect(foreignSign(own, currency)).toBeUndefined();
    expect(own.map((sign) => foreignSign([sign], "another"))).toEqual(
      own.map((sign) => (SIGNS_OF_DOLLARS.includes(sign) ? undefined : sign)),
    );
    // A single letter is ambiguous.
    expect(currencySigns(`"${signs}"0`)).toEqual(own.filter((sign) => !/^[KP]$/.test(sign)));
  });

  test.each([
    ["₹", "INR"],
    ["Rs.", "INR"],
    ["₨", "INR"],
    ["INR", "INR"],
    ["¥", "JPY"],
    ["￥", "CNY"],
    ["Rp", "IDR"],
    ["$", "USDT"],
    ["USDT", "USDT"],
  ])("accepts %s for %s", (sign, currency) => {
    expect(foreignSign([sign], currency)).toBeUndefined();
  });

  test.each([
    ["€", "INR"],
    ["$", "INR"],
    ["$", "BRL"],
    ["USD", "INR"],
    ["¥", "KRW"],
    ["kr", "INR"],
    ["₹", "USDT"],
    ["R.s", "INR"],
  ])("does not accept %s for %s", (sign, currency) => {
    expect(foreignSign([sign], currency)).toBe(sign);
  });

  test("finds a foreign sign among the currency's own signs", () => {
    expect(foreignSign(["₹", "€"], "INR")).toBe("€");
    expect(foreignSign([], "INR")).toBeUndefined();
  });

  test("accepts the code of each currency as its sign", () => {
    for (const currency of Object.keys(CURRENCIES)) {
      expect(currencySigns(`"${currency}"0`)).toEqual([currency]);
      expect(foreignSign([currency], currency)).toBeUndefined();
    }
  });
});
