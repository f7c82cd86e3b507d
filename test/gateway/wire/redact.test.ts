import { expect, test } from "vitest";
import { merchantOf } from "#gateway/wire/keyring.ts";
import { redact } from "#gateway/wire/redact.ts";

const KEY = "key-with.signs_and-no-digits-of-some-sixty-characters-in-length";
const merchant = merchantOf({
  currencies: ["INR"],
  merchant_code: "SKU1",
  api_key: KEY,
  api_secret: "se+cret",
  payout_code: "P1",
});

test.each([
  ["", ""],
  [
    "[WD] Invalid IFSC Code! Please try again, error code 120",
    "[WD] Invalid IFSC Code! Please try again, error code 120",
  ],
  [`key ${KEY}, secret se+cret.`, "key [secret], secret [secret]."],
  ["account 501000123456 is closed", "account [digits] is closed"],
  ["account 5010-0012/3456.78 90 x", "account [digits] x"],
  ["12345 is short", "12345 is short"],
  ["123456 is not", "[digits] is not"],
  ["1  2  3  4  5  6", "1  2  3  4  5  6"],
  ["on 2026 at 10:00", "on 2026 at 10:00"],
  ["wallet TYK2LXkv7YLPedVkXMfSU7x2kLpqRK6RNC", "wallet [code]"],
  ["IBAN TR330006100519786457841326.", "IBAN [code]."],
  ["0a1b2c3d4e5f6a7", "[code]"],
  ["0a1b2c3d4e5f6a", "0a1b2c3d4e5f6a"],
  ["incomprehensibilities", "incomprehensibilities"],
  ["_TYK2LXkv7YLPedVkXMf", "_TYK2LXkv7YLPedVkXMf"],
  ["two\r\n\u2028lines\u0000here", "two lines here"],
])("redacts %j to %j", (text, kept) => {
  expect(redact(text, merchant)).toBe(kept);
});

test("leaves no part of a key where a long text is truncated", () => {
  for (let before = 0; before < KEY.length; before++) {
    const kept = redact("-".repeat(before) + KEY.repeat(40), merchant);
    expect(kept.replaceAll("[secret]", "")).not.toMatch(/[a-z]{7}/);
  }
});

test("truncates a text to one short line", () => {
  expect(redact("word ".repeat(100), merchant)).toBe("word ".repeat(40));
  expect(redact("x".repeat(200), merchant)).toHaveLength(200);
});
