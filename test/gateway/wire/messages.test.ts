import { describe, expect, test } from "vitest";
import type { z } from "zod";
import {
  CALLBACK_BODY,
  CALLBACK_FIELDS,
  MERCHANT_ENTRY,
  PAYOUT_REQUEST,
  SEALED_BODY,
  STATUS_RECORD,
  STATUS_REQUEST,
} from "#gateway/wire/messages.ts";

const MERCHANT = {
  currencies: ["INR"],
  merchant_code: "SKU-1_a",
  api_key: "k",
  api_secret: "s",
  payout_code: "P",
};
const PAYOUT = {
  merchant_code: "SKU1",
  transaction_code: "PR1",
  transaction_timestamp: "1700000000",
  payout_code: "P",
  transaction_amount: "1",
  user_id: "U",
  currency_code: "INR",
  account_name: "A",
};
const OPTIONAL = {
  address: "",
  bank_account_number: "",
  ifsc_code: "",
  bank_code: "",
  bank_name: "",
  branch_code: "",
  callback_url: "",
  phone_number: "",
  ip_address: "",
};

/**
 * Each message: a valid one with its required fields, its optional fields, and whether further
 * fields are refused.
 */
const MESSAGES: readonly [
  name: string,
  schema: z.ZodType,
  required: object,
  optional: object,
  strict: boolean,
][] = [
  ["a merchant's entry", MERCHANT_ENTRY, MERCHANT, { payment_code: "PAY" }, true],
  ["a sealed body", SEALED_BODY, { key: "k" }, {}, true],
  ["a payout request", PAYOUT_REQUEST, PAYOUT, OPTIONAL, true],
  ["a status request", STATUS_REQUEST, { merchant_api_key: "k", transaction_code: "c" }, {}, true],
  [
    "a status record",
    STATUS_RECORD,
    { transaction_code: "c" },
    {
      amount: null,
      transaction_amount: "1",
      currency_code: "INR",
      status: "",
      transaction_status: null,
      transaction_no: "WD1",
    },
    false,
  ],
  [
    "a callback's body",
    CALLBACK_BODY,
    { key: "k", transaction_code: "c" },
    { transaction_no: null },
    false,
  ],
  [
    "a callback's fields",
    CALLBACK_FIELDS,
    {
      transaction_code: "c",
      transaction_status: "2",
      transaction_amount: "1",
      currency_code: "INR",
    },
    { transaction_no: "WD1", transaction_fee: "", transaction_ref: "" },
    true,
  ],
];

describe.each(MESSAGES)("%s", (_name, schema, required, optional, strict) => {
  const takes = (message: object) => schema.safeParse(message).success;

  test("accepts the required fields, with or without all others", () => {
    expect(takes(required)).toBe(true);
    expect(schema.parse({ ...required, ...optional })).toEqual({ ...required, ...optional });
  });

  test("refuses a missing, empty or non-text required field", () => {
    for (const name of Object.keys(required)) {
      for (const value of [undefined, "", 7, null])
        expect(takes({ ...required, [name]: value })).toBe(false);
    }
  });

  test("refuses an optional field that is not text", () => {
    for (const name of Object.keys(optional)) expect(takes({ ...required, [name]: 7 })).toBe(false);
  });

  test("accepts or refuses an undocumented field", () => {
    expect(takes({ ...required, further: "x" })).toBe(!strict);
  });
});

test.each([
  [undefined, undefined],
  [null, null],
  ["1.50", "1.50"],
  [true, "true"],
  [{ amount: "1" }, '{"amount":"1"}'],
  ["9".repeat(5_000), `"${"9".repeat(99)}`],
])("reads a status record whatever its fee is: %j", (fee, text) => {
  const { transaction_fee } = STATUS_RECORD.parse({ transaction_code: "c", transaction_fee: fee });
  expect(transaction_fee).toBe(text);
});

test.each([
  [
    "the amount of a payout",
    PAYOUT_REQUEST,
    { ...PAYOUT, transaction_amount: "" },
    "transaction_amount",
  ],
  ["the name of a bank", PAYOUT_REQUEST, PAYOUT, "bank_name"],
  ["the code of a status record", STATUS_RECORD, {}, "transaction_code"],
] as const)("limits %s to 4096 characters", (_what, schema, message, name) => {
  expect(schema.safeParse({ ...message, [name]: "x".repeat(4_096) }).success).toBe(true);
  expect(schema.safeParse({ ...message, [name]: "x".repeat(4_097) }).success).toBe(false);
});

test("limits the encrypted part of a callback to 4096 characters", () => {
  const body = (length: number) =>
    CALLBACK_BODY.safeParse({ key: "x".repeat(length), transaction_code: "c" }).success;
  expect([body(4_096), body(4_097)]).toEqual([true, false]);
});

test.each([
  ["currencies", [], false],
  ["currencies", ["IN"], true],
  ["currencies", ["USDT-TRC20"], true],
  ["currencies", ["U".repeat(40)], true],
  ["currencies", ["U".repeat(41)], false],
  ["currencies", [""], false],
  ["currencies", ["inr"], false],
  ["currencies", ["INR "], false],
  ["currencies", [" INR"], false],
  ["merchant_code", "x".repeat(64), true],
  ["merchant_code", "x".repeat(65), false],
  ["merchant_code", "a/b", false],
  ["merchant_code", "a b", false],
  ["merchant_code", "/ab", false],
  ["merchant_code", "ab/", false],
  ["merchant_code", "acme.01-IN_", true],
  ["merchant_code", "..", false],
  ["display_name", "Asha Books", true],
  ["display_name", "\u0915\u094d\u200d\u0937", true],
  ["display_name", "", false],
  ["display_name", " Asha", false],
  ["display_name", "Asha\n", false],
  ["display_name", "Asha\nBooks", false],
  ["display_name", "Asha\u202eskooB", false],
  ["display_name", "a".repeat(101), false],
])("checks a merchant with %s %j, accepted: %s", (name, value, isTaken) => {
  expect(MERCHANT_ENTRY.safeParse({ ...MERCHANT, [name]: value }).success).toBe(isTaken);
});

test("allows no payment code for a merchant without deposits, but not an empty one", () => {
  expect(MERCHANT_ENTRY.safeParse({ ...MERCHANT, payment_code: "" }).success).toBe(false);
});

test("reports wrong merchant codes with a message", () => {
  const said = MERCHANT_ENTRY.safeParse({ ...MERCHANT, currencies: ["inr"], merchant_code: "a b" });
  expect(said.error?.issues.map(({ message }) => message)).toEqual([
    "an upper-case currency code such as INR",
    "letters, digits, _, - and ., not starting with .",
  ]);
});

test.each(["1", "170000000000", "0"])(
  "accepts %s as the time of a payout",
  (transaction_timestamp) => {
    expect(PAYOUT_REQUEST.safeParse({ ...PAYOUT, transaction_timestamp }).success).toBe(true);
  },
);
test.each(["1700000000000", "1.5", "-1", "1 ", " 1", "1e9"])(
  "refuses %j as the time of a payout",
  (transaction_timestamp) => {
    expect(PAYOUT_REQUEST.safeParse({ ...PAYOUT, transaction_timestamp }).success).toBe(false);
  },
);
