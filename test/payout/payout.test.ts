import { describe, expect, test } from "vitest";
import {
  accountNumberOf,
  accountText,
  bankOf,
  laneOf,
  laneParts,
  payloadText,
  type PayoutDetails,
  type PayoutOrder,
} from "#payout/payout.ts";

const ORDER: PayoutOrder = {
  transactionCode: "PR1",
  money: { currency: "INR", minor: 10_050n, minorDigits: 2 },
  details: { user_id: "U1", account_name: "Jane Doe", bank_account_number: "11133322" },
  payoutCode: null,
  callbackUrl: null,
};

describe("the text that binds a code to its content (I5, I7)", () => {
  test("changes with anything that is sent", () => {
    const changes: readonly Partial<PayoutOrder>[] = [
      { transactionCode: "PR2" },
      { money: { ...ORDER.money, currency: "THB" } },
      { money: { ...ORDER.money, minor: 10_051n } },
      { money: { ...ORDER.money, minorDigits: 3 } },
      { payoutCode: "P1" },
      { callbackUrl: "https://example.com" },
      { details: { ...ORDER.details, user_id: "U2" } },
      { details: { ...ORDER.details, address: "T1" } },
      { details: { ...ORDER.details, user_id: "Jane Doe", account_name: "U1" } },
    ];
    const texts = [ORDER, ...changes.map((change) => ({ ...ORDER, ...change }))].map(payloadText);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test("is independent of the order of the fields", () => {
    const { user_id = "", ...others } = ORDER.details;
    expect(payloadText({ ...ORDER, details: { ...others, user_id } })).toBe(payloadText(ORDER));
  });
});

describe("the text that distinguishes beneficiaries", () => {
  const INR: PayoutDetails = { bank_account_number: "1", bank_code: "B" };

  test.each<[string, string, PayoutDetails]>([
    ["the currency", "THB", INR],
    ["the bank", "INR", { ...INR, bank_code: "C" }],
    ["the account", "INR", { ...INR, bank_account_number: "2" }],
    ["no account", "INR", { bank_code: "B" }],
    ["a phone instead of the account", "INR", { bank_code: "B", phone_number: "5" }],
    ["a wallet", "USDT", { address: "T1" }],
  ])("changes with %s", (_what, currency, details) => {
    expect(accountText(currency, details)).not.toBe(accountText("INR", INR));
  });

  test("includes the phone only without an account", () => {
    expect(accountText("INR", { ...INR, phone_number: "5" })).toBe(accountText("INR", INR));
    expect(accountText("INR", { phone_number: "5" })).not.toBe(
      accountText("INR", { phone_number: "6" }),
    );
  });

  test("distinguishes two wallets", () => {
    expect(accountText("USDT", { address: "T1" })).not.toBe(accountText("USDT", { address: "T2" }));
  });

  test("ignores the person's name", () => {
    expect(accountText("INR", { ...INR, account_name: "Jane" })).toBe(accountText("INR", INR));
  });
});

test("reads a lane back as written, whatever the merchant is called", () => {
  expect(laneOf("SKU1", "INR")).toBe("SKU1/INR");
  for (const merchantCode of ["SKU1", "A/B"]) {
    const parts = { merchantCode, currency: "USDT-TRC20" };
    expect(laneParts(laneOf(merchantCode, parts.currency))).toEqual(parts);
  }
  expect(laneParts("INR")).toEqual({ merchantCode: "", currency: "INR" });
});

test("shows the account, wallet or phone of a beneficiary, and the bank by its short name", () => {
  const [account, address, phone] = ["1", "T2", "3"];
  expect([
    accountNumberOf({ bank_account_number: account, address, phone_number: phone }),
    accountNumberOf({ address, phone_number: phone }),
    accountNumberOf({ phone_number: phone }),
    accountNumberOf({}),
  ]).toEqual(["1", "T2", "3", null]);
  expect([
    bankOf({ bank_code: "MBB", ifsc_code: "HDFC0000001", bank_name: "Maybank" }),
    bankOf({ ifsc_code: "HDFC0000001", bank_name: "HDFC Bank" }),
    bankOf({ bank_name: "HDFC Bank" }),
    bankOf({}),
  ]).toEqual(["MBB", "HDFC", "HDFC Bank", null]);
});
