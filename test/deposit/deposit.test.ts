import { expect, test } from "vitest";
import { type DepositOrder, depositText } from "#deposit/deposit.ts";

const ORDER: DepositOrder = {
  transactionCode: "SHOP-1",
  money: { currency: "KRW", minor: 50_000n, minorDigits: 0 },
  details: { user_id: "U-1", bank_code: "004", deposit_name: "Kim Minseo" },
  paymentCode: null,
  callbackUrl: "https://shop.example/paid",
};

test("binds every field of a deposit by position, including absent ones", () => {
  expect(depositText(ORDER)).toBe(
    '["SHOP-1","KRW","50000",0,null,"https://shop.example/paid","U-1","Kim Minseo",null,null,"004"]',
  );
});

test("changes with any content", () => {
  const { money, details } = ORDER;
  const others: DepositOrder[] = [
    { ...ORDER, transactionCode: "SHOP-2" },
    { ...ORDER, money: { ...money, minor: 50_001n } },
    { ...ORDER, money: { ...money, minorDigits: 2 } },
    { ...ORDER, money: { ...money, currency: "JPY" } },
    { ...ORDER, paymentCode: "P" },
    { ...ORDER, callbackUrl: null },
    { ...ORDER, details: { ...details, phone: "01812345678" } },
    { ...ORDER, details: { ...details, identity_id: "1" } },
  ];
  expect(new Set([ORDER, ...others].map(depositText)).size).toBe(9);
});
