import { describe, expect, test } from "vitest";
import { openCallback } from "#gateway/callback.ts";
import type { Cipher } from "#gateway/wire/cipher.ts";
import { makeKeyring, merchantOf } from "#gateway/wire/keyring.ts";
import VECTORS from "./callback-vectors.json" with { type: "json" };
import { keyring } from "./fixtures.ts";

const merchant = keyring.forCurrency("INR");
if (!merchant) throw new Error("the demo merchants pay INR");
const cipher = keyring.cipherOf(merchant);

const FIELDS = {
  transaction_no: "WD1",
  transaction_code: "WD-0001",
  transaction_status: 2,
  transaction_amount: "100.00",
  transaction_fee: "1.00",
  currency_code: "INR",
  transaction_ref: "",
};
const CLEAR = { transaction_code: "WD-0001", transaction_no: "WD1" };
const sealed = (text: string, by: Cipher = cipher) => encodeURIComponent(by.seal(text));
const bodyOf = (fields: unknown, clear: unknown = CLEAR) => ({
  key: sealed(JSON.stringify(fields)),
  ...(clear as object),
});

const HINT = {
  kind: "payout",
  merchantCode: merchant.merchantCode,
  transactionCode: "WD-0001",
  transactionNo: "WD1",
  state: "completed",
  amount: "100.00",
  fee: "1.00",
  currency: "INR",
  actualAmount: null,
};

const DEPOSIT_FIELDS = {
  transaction_code: "SHOP-1",
  transaction_status: 2,
  transaction_amount: "510.00",
  transaction_fee: "5.10",
  currency_code: "INR",
  transaction_no: "DP1697797081482",
  transaction_actual_amount: "504.9",
};
const DEPOSIT_CLEAR = { transaction_code: "SHOP-1", transaction_no: "DP1697797081482" };
const DEPOSIT_HINT = {
  ...HINT,
  kind: "deposit",
  transactionCode: "SHOP-1",
  transactionNo: "DP1697797081482",
  amount: "510.00",
  fee: "5.10",
  actualAmount: "504.9",
};
const pairs = (fields: object) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

describe("a valid callback", () => {
  test("decrypts, with JSON or name=value inside, and names the merchant whose key opened it", () => {
    expect(openCallback(bodyOf(FIELDS), keyring)).toEqual(HINT);
    const body = { ...CLEAR, key: sealed(pairs(FIELDS)) };
    expect(openCallback(body, keyring)).toEqual(HINT);
    expect(openCallback({ ...CLEAR, key: decodeURIComponent(body.key) }, keyring)).toEqual(HINT);
  });

  test("decrypts for a deposit in both layouts as well, with the amount actually paid", () => {
    for (const text of [JSON.stringify(DEPOSIT_FIELDS), pairs(DEPOSIT_FIELDS)]) {
      const body = { ...DEPOSIT_CLEAR, key: sealed(text) };
      expect(openCallback(body, keyring)).toEqual(DEPOSIT_HINT);
    }
  });

  test.each([
    ["DP1", {}, "deposit"],
    ["DP1", { transaction_ref: "" }, "deposit"],
    ["WD1", { transaction_actual_amount: "1" }, "payout"],
    ["17", { transaction_actual_amount: "1" }, "deposit"],
    ["17", {}, "payout"],
    ["XDP1", {}, "payout"],
    [undefined, { transaction_actual_amount: "1" }, "deposit"],
    [undefined, {}, "payout"],
  ])("with number %s and %j belongs to a %s", (transaction_no, more, kind) => {
    const { transaction_no: _no, transaction_ref: _ref, ...rest } = FIELDS;
    const body = bodyOf(
      { ...rest, ...(transaction_no ? { transaction_no } : {}), ...more },
      { transaction_code: "WD-0001" },
    );
    expect(openCallback(body, keyring)?.kind).toBe(kind);
  });

  test.each<[unknown, string]>([
    [1, "pending"],
    ["2", "completed"],
    ["completed", "completed"],
    ["failed", "failed"],
    [4, "manual"],
    [0, "unclear"],
    ["paid", "unclear"],
  ])("with status %j is %s", (transaction_status, state) => {
    expect(openCallback(bodyOf({ ...FIELDS, transaction_status }), keyring)).toMatchObject({
      state,
    });
  });

  test("may omit the number outside the encrypted part", () => {
    const { transaction_code } = CLEAR;
    for (const clear of [{ transaction_code }, { transaction_code, transaction_no: null }])
      expect(openCallback(bodyOf(FIELDS, clear), keyring)).toEqual(HINT);
  });

  test("selects by currency between two merchants with the same key pair", () => {
    const entry = {
      merchant_code: "SKU1",
      api_key: "k",
      api_secret: "s",
      payout_code: "P",
      currencies: ["THB"],
    };
    const twins = makeKeyring(
      [entry, { ...entry, merchant_code: "SKU2", currencies: ["INR"] }].map(merchantOf),
    );
    const [first] = twins.all;
    if (!first) throw new Error("two merchants");
    const body = { ...CLEAR, key: sealed(JSON.stringify(FIELDS), twins.cipherOf(first)) };
    expect(openCallback(body, twins)?.merchantCode).toBe("SKU2");
  });
});

test("ignores further clear-text fields: only the encrypted ones count", () => {
  const further = { ...CLEAR, merchant_code: "SKU9", status: "completed", key_id: 7 };
  const hint = openCallback(bodyOf(FIELDS), keyring);
  expect(hint).not.toBeNull();
  expect(openCallback(bodyOf(FIELDS, further), keyring)).toEqual(hint);
});

describe("everything else is null (F70, F111, F112)", () => {
  test.each<[string, unknown]>([
    ["no body", undefined],
    ["null", null],
    ["a text", "key=abc"],
    ["no key", CLEAR],
    ["an empty key", { ...CLEAR, key: "" }],
    ["a key that is not text", { ...CLEAR, key: 7 }],
    ["a key that does not decrypt", { ...CLEAR, key: "AAAA" }],
    ["broken percent escapes", { ...CLEAR, key: "%%%" }],
    ["no clear-text code", { key: sealed(JSON.stringify(FIELDS)) }],
    ["another clear-text code", bodyOf(FIELDS, { ...CLEAR, transaction_code: "WD-0002" })],
    ["another clear-text number", bodyOf(FIELDS, { ...CLEAR, transaction_no: "WD2" })],
    ["an unknown encrypted field", bodyOf({ ...FIELDS, merchant_code: "SKU1" })],
    ["a missing amount", bodyOf({ ...FIELDS, transaction_amount: undefined })],
    ["a nested value", bodyOf({ ...FIELDS, transaction_amount: { value: 1 } })],
    ["a currency of another merchant", bodyOf({ ...FIELDS, currency_code: "THB" })],
    [
      "a repeated name",
      { ...CLEAR, key: sealed(`{"transaction_code":"X",${JSON.stringify(FIELDS).slice(1)}`) },
    ],
    [
      "an encrypted payout request",
      { ...CLEAR, key: sealed("merchant_code=SKU1&transaction_code=WD-0001") },
    ],
  ])("%s", (_case, body) => {
    expect(openCallback(body, keyring)).toBeNull();
  });
});

test.each(VECTORS.vectors)(
  "decrypts vector of a $kind in $layout to the text encrypted elsewhere (SPEC-V03)",
  ({ kind, key, plaintext }) => {
    const owner = merchantOf({
      currencies: ["INR"],
      merchant_code: "SKU1",
      api_key: VECTORS.api_key,
      api_secret: VECTORS.api_secret,
      payout_code: "P",
    });
    const ring = makeKeyring([owner]);
    expect(encodeURIComponent(ring.cipherOf(owner).seal(plaintext))).toBe(key);
    const isPayout = kind === "payout";
    expect(openCallback({ key, transaction_code: isPayout ? "WD-0001" : "SHOP-1" }, ring)).toEqual({
      kind,
      merchantCode: "SKU1",
      transactionCode: isPayout ? "WD-0001" : "SHOP-1",
      transactionNo: isPayout ? "WD-987001" : "DP1697797081482",
      state: "completed",
      amount: isPayout ? "3000.00" : "510.00",
      fee: isPayout ? "10.00" : "5.10",
      currency: "INR",
      actualAmount: isPayout ? null : "504.9",
    });
  },
);

test("does not decrypt a text far longer than a callback, because every key would be tried (F74)", () => {
  const opened = (length: number) =>
    openCallback(bodyOf({ ...FIELDS, transaction_ref: "x".repeat(length) }), keyring);
  expect(opened(2_500)).toEqual(HINT);
  expect(opened(4_000)).toBeNull();
});
