import { expect, test } from "vitest";
import { encodePayout, encodeStatus, layoutProblemText } from "#gateway/requests.ts";
import { DETAIL_FIELDS } from "#payout/payout.ts";
import { keyring, orderOf } from "./fixtures.ts";

const RAW = { layout: "name=value", escaping: "none" } as const;
const merchant = keyring.forCurrency("INR");
if (!merchant) throw new Error("the demo merchants pay INR");

test("writes the fields in the documented order and omits unused ones", () => {
  const order = orderOf("WD1", { callbackUrl: "https://pay.example/callbacks/gateway" });
  expect(encodePayout(order, merchant, 1_700_000_000, RAW)).toEqual({
    ok: true,
    value:
      `merchant_code=${merchant.merchantCode}&transaction_code=WD1&transaction_timestamp=1700000000` +
      `&payout_code=${merchant.payoutCode}&transaction_amount=100.50&user_id=U1&currency_code=INR` +
      "&bank_account_number=11133322&ifsc_code=HDFC0000001&bank_code=HDFC&bank_name=HDFC Bank" +
      "&account_name=Jane Doe&callback_url=https://pay.example/callbacks/gateway",
  });
});

test("writes amount and timestamp as JSON numbers with exactly their digits", () => {
  const order = orderOf("WD1", { payoutCode: "P9" });
  expect(
    encodePayout(order, merchant, 1_700_000_000, { layout: "json", escaping: "none" }),
  ).toEqual({
    ok: true,
    value:
      `{"merchant_code":"${merchant.merchantCode}","transaction_code":"WD1","transaction_timestamp":1700000000,` +
      '"payout_code":"P9","transaction_amount":100.50,"user_id":"U1","currency_code":"INR",' +
      '"bank_account_number":"11133322","ifsc_code":"HDFC0000001","bank_code":"HDFC","bank_name":"HDFC Bank",' +
      '"account_name":"Jane Doe"}',
  });
});

test("sends whole amounts where the gateway accepts no decimals (F122)", () => {
  const idr = keyring.forCurrency("IDR");
  if (!idr) throw new Error("the demo merchants pay IDR");
  const order = orderOf("WD1", { money: { currency: "IDR", minor: 150000000n, minorDigits: 2 } });
  const text = encodePayout(order, idr, 1_700_000_000, RAW);
  expect(text.ok && text.value).toContain("&transaction_amount=1500000&");
});

test("refuses an order that the layout cannot carry in a sentence without its value", () => {
  const order = orderOf("WD1", { details: { account_name: "Smith & Sons" } });
  const raw = encodePayout(order, merchant, 1_700_000_000, RAW);
  expect(raw.ok ? raw.value : layoutProblemText(raw.error)).toBe(
    "account_name contains &, =, %, + or a line break, which the name=value format does not support",
  );
  for (const settings of [
    { layout: "json", escaping: "none" },
    { ...RAW, escaping: "percent" },
  ] as const) {
    expect(encodePayout(order, merchant, 1_700_000_000, settings).ok).toBe(true);
  }
});

test("writes every field of a payout in its place", () => {
  const details = Object.fromEntries(DETAIL_FIELDS.map((field) => [field, `its ${field}`]));
  const text = encodePayout(orderOf("WD1", { details }), merchant, 1_700_000_000, RAW);
  if (!text.ok) throw new Error(layoutProblemText(text.error));
  for (const field of DETAIL_FIELDS) expect(text.value).toContain(`&${field}=its ${field}`);
});

test("sends the code in a status query, with the merchant's key as issued", () => {
  const key = merchant.apiKey.reveal();
  expect(encodeStatus("WD1", merchant, "none")).toEqual({
    ok: true,
    value: `merchant_api_key=${key}&transaction_code=WD1`,
  });
  expect(encodeStatus("W&D", merchant, "percent")).toMatchObject({
    value: `merchant_api_key=${key}&transaction_code=W%26D`,
  });
});

test("refuses a status query without a code", () => {
  const refused = encodeStatus("", merchant, "none");
  expect(refused.ok ? "" : layoutProblemText(refused.error)).toBe("transaction_code is empty");
});

test("reports a problem that concerns no single field as a problem of the request", () => {
  expect(layoutProblemText({ field: "", problem: "is odd" })).toBe("the request is odd");
});
