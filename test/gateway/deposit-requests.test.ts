import { describe, expect, test } from "vitest";
import { DEPOSIT_DETAIL_FIELDS, type DepositOrder } from "#deposit/deposit.ts";
import {
  BALANCE_REQUEST,
  DEPOSIT_REQUEST,
  DEPOSITOR_REQUEST,
  REFERENCE_REQUESTS,
} from "#gateway/deposit-messages.ts";
import {
  encodeBalance,
  encodeDeposit,
  encodeDepositor,
  encodeReference,
} from "#gateway/deposit-requests.ts";
import { merchantOf } from "#gateway/wire/keyring.ts";
import { layoutProblemText } from "#gateway/requests.ts";

const merchant = merchantOf({
  currencies: ["INR"],
  merchant_code: "SKU1",
  api_key: "key%3D",
  api_secret: "s",
  payout_code: "W1",
  payment_code: "P1",
});
const ORDER: DepositOrder = {
  transactionCode: "SHOP-1",
  money: { currency: "INR", minor: 100000n, minorDigits: 2 },
  details: { user_id: "U1", deposit_name: "Kim" },
  paymentCode: null,
  callbackUrl: null,
};
const START =
  "merchant_code=SKU1&merchant_api_key=key%3D&transaction_code=SHOP-1&transaction_timestamp=1700000000";
const encoded = (order: Partial<DepositOrder>, by = merchant) => {
  const text = encodeDeposit({ ...ORDER, ...order }, by, 1_700_000_000, "none");
  return text.ok ? text.value : layoutProblemText(text.error);
};
const fieldsOf = (text: string) =>
  Object.fromEntries(text.split("&").map((pair) => pair.split("=", 2)));

describe("a deposit request", () => {
  test("has its fields in the documented order and omits unused ones", () => {
    expect(encoded({})).toBe(
      `${START}&transaction_amount=1000.00&payment_code=P1&user_id=U1&currency_code=INR&deposit_name=Kim`,
    );
    const details = {
      user_id: "U1",
      deposit_name: "Kim",
      identity_id: "1",
      phone: "01812345678",
      bank_code: "B",
    };
    const text = encoded({
      details,
      money: { currency: "KRW", minor: 50000n, minorDigits: 0 },
      paymentCode: "P9",
      callbackUrl: "https://shop.example/back",
    });
    expect(text).toBe(
      `${START}&transaction_amount=50000&payment_code=P9&user_id=U1&currency_code=KRW&deposit_name=Kim` +
        "&identity_id=1&phone=01812345678&bank_code=B&callback_url=https://shop.example/back",
    );
    expect(DEPOSIT_REQUEST.safeParse(fieldsOf(text)).success).toBe(true);
  });

  test("has a place for every detail", () => {
    const details = Object.fromEntries(
      DEPOSIT_DETAIL_FIELDS.map((field) => [
        field,
        field === "phone" ? "01812345678" : `its ${field}`,
      ]),
    );
    const text = encoded({ details });
    expect(DEPOSIT_DETAIL_FIELDS).toHaveLength(5);
    for (const [field, value] of Object.entries(details)) {
      expect(text).toContain(`&${field}=${value}`);
    }
  });

  test("sends whole amounts where the gateway accepts no decimals", () => {
    const money = { currency: "MMK", minor: 150000n, minorDigits: 2 };
    expect(encoded({ money })).toContain("&transaction_amount=1500&");
  });

  test.each<[string, Partial<DepositOrder>, string]>([
    [
      "another currency",
      { money: { currency: "THB", minor: 1n, minorDigits: 2 } },
      "currency_code THB is not available for deposits",
    ],
    [
      "no user",
      { details: { deposit_name: "Kim" } },
      "user_id is missing; INR deposits require it",
    ],
    [
      "TRY without identity",
      { money: { currency: "TRY", minor: 1n, minorDigits: 2 } },
      "identity_id is missing; TRY deposits require it",
    ],
    [
      "a sign",
      { details: { user_id: "A&B", deposit_name: "Kim" } },
      "user_id contains &, =, %, + or a line break, which the name=value format does not support",
    ],
  ])("refuses %s in a sentence without values", (_case, order, said) => {
    expect(encoded(order)).toBe(said);
  });

  test("needs a payment code, its own or the merchant's", () => {
    const without = merchantOf({
      currencies: ["INR"],
      merchant_code: "SKU1",
      api_key: "k",
      api_secret: "s",
      payout_code: "W1",
    });
    expect(encoded({}, without)).toBe("payment_code is missing, and the merchant has no default");
    expect(encoded({ paymentCode: "P9" }, without)).toContain("&payment_code=P9&");
  });

  test("carries values that name=value cannot when the gateway unescapes", () => {
    const order = { ...ORDER, details: { user_id: "A&B", deposit_name: "Kim" } };
    expect(encodeDeposit(order, merchant, 1, "percent")).toMatchObject({
      value: expect.stringContaining("merchant_api_key=key%3D&"),
    });
    expect(encodeDeposit(order, merchant, 1, "percent")).toMatchObject({
      value: expect.stringContaining("&user_id=A%26B&"),
    });
  });
});

test("sends code, bank and account in KRW step 2", () => {
  const text = encodeDepositor(
    { transactionCode: "SHOP-1", bankCode: "kookmin_kr", accountNumber: "123-456" },
    "none",
  );
  expect(text).toEqual({
    ok: true,
    value: "transaction_code=SHOP-1&bank_code=kookmin_kr&account_number=123-456",
  });
  const fields = fieldsOf(text.ok ? text.value : "");
  expect(DEPOSITOR_REQUEST.safeParse(fields).success).toBe(true);
});

describe("the payer's reference", () => {
  test.each<["INR" | "BDT", "utr" | "ref_no", string]>([
    ["INR", "utr", "123456789012"],
    ["BDT", "ref_no", "9AB12CD"],
  ])("of %s submits a %s", (currency, name, reference) => {
    const text = encodeReference({ currency, transactionCode: "SHOP-1", reference }, "none");
    const plaintext = `transaction_code=SHOP-1&${name}=${reference}`;
    expect(text).toEqual({ ok: true, value: { name, plaintext } });
    expect(REFERENCE_REQUESTS[name].safeParse(fieldsOf(plaintext)).success).toBe(true);
  });

  test.each([
    ["INR", "12345", "reference does not have the form of INR references"],
    ["KRW", "123456789012", "reference is not accepted for KRW"],
    ["THB", "123456789012", "reference is not accepted for THB"],
  ])("%s %s: %s", (currency, reference, said) => {
    const text = encodeReference({ currency, transactionCode: "SHOP-1", reference }, "none");
    expect(text.ok ? "" : layoutProblemText(text.error)).toBe(said);
  });

  test("is refused for a code that cannot be encoded", () => {
    const reference = { currency: "INR", transactionCode: "A&B", reference: "123456789012" };
    const text = encodeReference(reference, "none");
    expect(text.ok ? "" : text.error.field).toBe("transaction_code");
  });
});

test("names the merchant in a balance query", () => {
  expect(encodeBalance(merchant, "none")).toEqual({ ok: true, value: "merchant_code=SKU1" });
  expect(BALANCE_REQUEST.safeParse({ merchant_code: "SKU1" }).success).toBe(true);
});
