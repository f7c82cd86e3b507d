import { deepEqual, equal, notEqual } from "node:assert/strict";
import fc from "fast-check";
import { openCallback } from "#gateway/callback.ts";
import { law } from "../base/law.ts";
import { cipher, keyring, merchant } from "../base/merchant.ts";

const CODE = "WD-0001";
const FIELDS = {
  transaction_no: "WD1",
  transaction_code: CODE,
  transaction_status: 2,
  transaction_amount: "100.00",
  currency_code: "INR",
};
const CLEAR = { transaction_code: CODE, transaction_no: "WD1" };
const callback = (fields: object, clear: object = CLEAR) => ({
  key: cipher.seal(JSON.stringify(fields)),
  ...clear,
});
const SEALED = Buffer.from(cipher.seal(JSON.stringify(FIELDS)), "base64");
const OTHER = Buffer.from(
  cipher.seal(
    JSON.stringify({ ...FIELDS, transaction_code: "WD-0002", transaction_amount: "9.00" }),
  ),
  "base64",
);

export const CALLBACK_LAWS = [
  law(
    "a valid callback is a hint with its content, and nothing more (F70)",
    fc.tuple(fc.constantFrom(1, 2, 3, 4, 9), fc.bigInt(0n, 10n ** 15n), fc.boolean()),
    ([number, amount, asPairs]) => {
      const fields = { ...FIELDS, transaction_status: number, transaction_amount: `${amount}` };
      const pairs = Object.entries(fields)
        .map(([name, value]) => `${name}=${value}`)
        .join("&");
      const hint = openCallback(
        asPairs ? { ...CLEAR, key: cipher.seal(pairs) } : callback(fields),
        keyring,
      );
      const state = ["unclear", "pending", "completed", "failed", "manual"][number] ?? "unclear";
      deepEqual(hint, {
        kind: "payout",
        merchantCode: merchant.merchantCode,
        transactionCode: CODE,
        transactionNo: "WD1",
        state,
        amount: `${amount}`,
        fee: null,
        currency: "INR",
        actualAmount: null,
      });
    },
  ),
  law(
    "a callback with flipped bits is refused or names the same payout (F112)",
    fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 })),
    ([pick, mask]) => {
      const bytes = Buffer.from(SEALED);
      const at = pick % bytes.length;
      bytes[at] = (bytes[at] ?? 0) ^ mask;
      const hint = openCallback({ ...CLEAR, key: bytes.toString("base64") }, keyring);
      if (hint)
        deepEqual([hint.transactionCode, hint.transactionNo, hint.currency], [CODE, "WD1", "INR"]);
    },
  ),
  law(
    "a callback spliced from two is refused or names the payout of its clear-text fields (F112)",
    fc.tuple(fc.nat(SEALED.length / 16), fc.nat(OTHER.length / 16)),
    ([left, right]) => {
      const key = Buffer.concat([
        SEALED.subarray(0, left * 16),
        OTHER.subarray(right * 16),
      ]).toString("base64");
      const hint = openCallback({ ...CLEAR, key }, keyring);
      if (hint) equal(hint.transactionCode, CODE);
    },
  ),
  law(
    "clear-text fields that differ from the encrypted ones are refused (F112)",
    fc.tuple(fc.string(), fc.string()),
    ([code, number]) => {
      if (code !== CODE)
        equal(openCallback(callback(FIELDS, { ...CLEAR, transaction_code: code }), keyring), null);
      if (number !== "WD1")
        equal(openCallback(callback(FIELDS, { ...CLEAR, transaction_no: number }), keyring), null);
    },
  ),
  law(
    "an additional encrypted field is refused, and a clear-text one changes nothing",
    fc.tuple(fc.string({ minLength: 1 }), fc.oneof(fc.string(), fc.nat())),
    ([name, value]) => {
      fc.pre(
        !Object.hasOwn(FIELDS, name) &&
          !["transaction_fee", "transaction_ref", "key", "__proto__"].includes(name),
      );
      equal(openCallback(callback({ ...FIELDS, [name]: value }), keyring), null);
      fc.pre(!Object.hasOwn(CLEAR, name));
      deepEqual(
        openCallback(callback(FIELDS, { ...CLEAR, [name]: value }), keyring),
        openCallback(callback(FIELDS), keyring),
      );
    },
  ),
  law(
    "a currency that the merchant does not pay is refused",
    fc.stringMatching(/^[A-Z]{3}$/),
    (currency_code) => {
      equal(
        openCallback(callback({ ...FIELDS, currency_code }), keyring) === null,
        currency_code !== "INR",
      );
    },
  ),
  law(
    "any body is answered without an exception, and noise is never a hint",
    fc.oneof(
      fc.jsonValue(),
      fc.anything(),
      fc.record({
        key: fc.oneof(fc.base64String(), fc.string({ unit: "binary" })),
        transaction_code: fc.string(),
      }),
    ),
    (body) => {
      equal(openCallback(body, keyring), null);
    },
  ),
  law(
    "a text encrypted with another key is no callback",
    fc.tuple(fc.dictionary(fc.string(), fc.string()), fc.base64String({ maxLength: 400 })),
    ([fields, key]) => {
      equal(openCallback({ ...CLEAR, ...fields, key }, keyring), null);
      notEqual(openCallback(callback(FIELDS), keyring), null);
    },
  ),
];
