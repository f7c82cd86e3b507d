import { inspect } from "node:util";
import { expect, test } from "vitest";
import { makeKeyring, merchantOf, parseMerchants } from "#gateway/wire/keyring.ts";

const ENTRY = {
  currencies: ["INR"],
  merchant_code: "SKU1",
  api_key: "first-key",
  api_secret: "first-secret",
  payout_code: "P001",
};

test("finds a merchant by currency", () => {
  const merchants = [ENTRY, { ...ENTRY, currencies: ["THB", "VND"], merchant_code: "SKU2" }];
  const keyring = makeKeyring(merchants.map(merchantOf));
  expect(keyring.forCurrency("VND")?.merchantCode).toBe("SKU2");
  expect(keyring.forCurrency("JPY")).toBeNull();
  expect(keyring.all).toHaveLength(2);
});

test("lists every problem at once", () => {
  const claimed = { ...ENTRY, merchant_code: "SKU2", payout_code: "", api_key: "" };
  expect(() => makeKeyring([ENTRY, claimed, ENTRY].map(merchantOf))).toThrow(
    "Merchants: merchant SKU2 has no API key; merchant SKU2 has no payout code; " +
      "INR is assigned to both SKU1 and SKU2; merchant SKU1 is listed twice; INR is assigned to both SKU2 and SKU1",
  );
});

test("lists everything as missing for an empty merchant", () => {
  const nothing = {
    currencies: [],
    merchant_code: "",
    api_key: "",
    api_secret: "",
    payout_code: "",
  };
  const parts = ["merchant code", "API key", "API secret", "payout code", "currencies"];
  expect(() => makeKeyring([merchantOf(nothing)])).toThrow(
    `Merchants: ${parts.map((part) => `merchant (unnamed) has no ${part}`).join("; ")}`,
  );
});

test("gives each merchant the cipher of its keys, and unknown merchants none", () => {
  const merchants = [
    merchantOf(ENTRY),
    merchantOf({ ...ENTRY, currencies: ["THB"], merchant_code: "SKU2", api_key: "second-key" }),
  ] as const;
  const keyring = makeKeyring(merchants);
  const [first, second] = merchants.map((merchant) => keyring.cipherOf(merchant));
  const text = first?.seal("text") ?? "";
  expect(first?.open(text)).toEqual({ ok: true, value: "text" });
  expect(second?.open(text)).not.toEqual({ ok: true, value: "text" });
  expect(() => keyring.cipherOf(merchantOf(ENTRY))).toThrow("merchant SKU1 is not configured");
});

test("reads a merchants file, or lists every wrong field without its value", () => {
  expect(parseMerchants([ENTRY])).toMatchObject({ ok: true, value: [{ merchantCode: "SKU1" }] });
  const wrong = { ...ENTRY, api_key: 7, api_secret: "", currencies: ["inr"], extra: 1 };
  const saying = (content: unknown) => {
    const { ok, error = "" } = { error: undefined, ...parseMerchants(content) };
    return ok ? [] : error.split("; ");
  };
  expect(saying([{ ...wrong, merchant_code: "first secret" }])).toEqual([
    'merchant 1: currencies.0: expected an upper-case currency code such as INR, found "inr"',
    'merchant 1: merchant_code: expected letters, digits, _, - and ., not starting with ., found "first secret"',
    "merchant 1: api_key: expected text, found a number",
    "merchant 1: api_secret: expected at least 1 character, found an empty value",
    "merchant 1: unknown name: extra",
  ]);
  expect(saying(ENTRY)).toEqual(["expected a list, found an object"]);
  expect(saying([])).toEqual(["expected at least 1 entry, found an empty list"]);
  expect(saying(["SKU1"])).toEqual(["merchant 1: expected an object, found different text"]);
  expect(saying([{ ...ENTRY, payout_code: null }])).toEqual([
    "merchant 1: payout_code: expected text, found null",
  ]);
  expect(parseMerchants([ENTRY, { ...ENTRY, api_key: undefined }])).toEqual({
    ok: false,
    error: "merchant 2: api_key is missing",
  });
  expect(parseMerchants([ENTRY, { ...ENTRY, merchant_code: "SKU2" }])).toEqual({
    ok: false,
    error: "INR is assigned to both SKU1 and SKU2",
  });
});

test("prints no key of a merchant, and derives the key id from the key pair (F104)", () => {
  const merchant = merchantOf(ENTRY);
  const printed = inspect(merchant, { depth: 9, showHidden: true }) + JSON.stringify(merchant);
  expect(printed).not.toMatch(/first-key|first-secret/);
  expect(merchant.keyId).toMatch(/^[0-9a-f]{12}$/);
  expect(merchantOf({ ...ENTRY, merchant_code: "SKU9" }).keyId).toBe(merchant.keyId);
  expect(merchantOf({ ...ENTRY, api_secret: "other" }).keyId).not.toBe(merchant.keyId);
});
