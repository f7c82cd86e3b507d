import { expect, test } from "vitest";
import { bodyOf, ENDPOINTS, pathOf } from "#gateway/wire/endpoints.ts";

/** Base64 with every character that a second encoding would change. */
const SEALED = "ab+/cd==";

test("sends each operation to its own address below the gateway's (docs/reference/gateway.md section 1.1)", () => {
  expect(pathOf(ENDPOINTS.payout, "SKU1")).toBe("/api/v1/payout/SKU1");
  expect(pathOf(ENDPOINTS.status, "SKU1")).toBe("/api/v1/SKU1/transactions/status");
  expect(pathOf(ENDPOINTS.deposit, "SKU1")).toBe("/api/SKU1/v3/dopayment");
  expect(pathOf(ENDPOINTS.krw_deposit, "SKU1")).toBe("/api/SKU1/v3/krw-payment");
  expect(pathOf(ENDPOINTS.krw_depositor, "SKU1")).toBe("/api/SKU1/v3/krw-submit-information");
  expect(pathOf(ENDPOINTS.utr, "SKU1")).toBe("/api/SKU1/v3/submit-utr");
  expect(pathOf(ENDPOINTS.ref_no, "SKU1")).toBe("/api/SKU1/v3/submit-refno");
  expect(pathOf(ENDPOINTS.balance, "SKU1")).toBe("/api/v1/balance/SKU1");
});

test("prevents a merchant code from changing the path", () => {
  expect(pathOf(ENDPOINTS.payout, "../x?y#z")).toBe("/api/v1/payout/..%2Fx%3Fy%23z");
});

test.each([
  ["payout", undefined, '{"key":"ab%2B%2Fcd%3D%3D"}'],
  ["payout", "base64", '{"key":"ab+/cd=="}'],
  ["deposit", undefined, '{"key":"ab%2B%2Fcd%3D%3D"}'],
  ["krw_deposit", undefined, '{"key":"ab%2B%2Fcd%3D%3D"}'],
  ["krw_depositor", undefined, '{"key":"ab%2B%2Fcd%3D%3D"}'],
  ["utr", undefined, '{"key":"ab%2B%2Fcd%3D%3D"}'],
  ["ref_no", undefined, '{"key":"ab%2B%2Fcd%3D%3D"}'],
  ["balance", undefined, "key=ab%2B%2Fcd%3D%3D"],
  ["status", undefined, "key=ab%2B%2Fcd%3D%3D"],
  ["status", "percent", "key=ab%252B%252Fcd%253D%253D"],
] as const)("sends a body of %s with transport %s as %s", (name, transport, body) => {
  expect(bodyOf(ENDPOINTS[name], SEALED, transport)).toBe(body);
});

test("sends the payout as JSON and the status query as a form, both with name=value inside", () => {
  expect(ENDPOINTS.payout).toMatchObject({
    contentType: "application/json",
    transport: "percent",
    layout: "name=value",
  });
  expect(ENDPOINTS.status).toMatchObject({
    contentType: "application/x-www-form-urlencoded",
    transport: "base64",
    layout: "name=value",
  });
});

test("writes amount and time as numbers in JSON, and the key as issued", () => {
  expect(ENDPOINTS.payout.numbers).toEqual(["transaction_timestamp", "transaction_amount"]);
  expect(ENDPOINTS.payout.verbatim).toEqual([]);
  expect(ENDPOINTS.status.numbers).toEqual([]);
  expect(ENDPOINTS.status.verbatim).toEqual(["merchant_api_key"]);
});

test("names a deposit first in its follow-up requests, then the payer's information", () => {
  expect(ENDPOINTS.krw_depositor.fields).toEqual([
    "transaction_code",
    "bank_code",
    "account_number",
  ]);
  expect(ENDPOINTS.utr.fields).toEqual(["transaction_code", "utr"]);
  expect(ENDPOINTS.ref_no.fields).toEqual(["transaction_code", "ref_no"]);
  expect(ENDPOINTS.balance).toMatchObject({ fields: ["merchant_code"], transport: "base64" });
});

test("uses name=value for everything about deposits, and GET only for the balance", () => {
  const { payout: _payout, status: _status, ...others } = ENDPOINTS;
  for (const { layout } of Object.values(others)) expect(layout).toBe("name=value");
  const gets = Object.entries(ENDPOINTS).filter(([, { contentType }]) => contentType === null);
  expect(gets.map(([name]) => name)).toEqual(["balance"]);
  for (const { numbers, verbatim } of [ENDPOINTS.deposit, ENDPOINTS.krw_deposit]) {
    expect(numbers).toEqual(["transaction_timestamp", "transaction_amount"]);
    expect(verbatim).toEqual(["merchant_api_key"]);
  }
  for (const { numbers, verbatim } of [ENDPOINTS.krw_depositor, ENDPOINTS.utr, ENDPOINTS.balance]) {
    expect([...numbers, ...verbatim]).toEqual([]);
  }
});
