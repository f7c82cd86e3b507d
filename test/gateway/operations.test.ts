import { expect, test } from "vitest";
import { bodyOf, OPERATIONS, pathOf } from "#gateway/operations.ts";

/** Base64 with every sign that a second encoding would change. */
const SEALED = "ab+/cd==";

test("each operation goes to its own address below the gateway's (docs/gateway.md section 1.1)", () => {
  expect(pathOf(OPERATIONS.payout, "SKU1")).toBe("/api/v1/payout/SKU1");
  expect(pathOf(OPERATIONS.status, "SKU1")).toBe("/api/v1/SKU1/transactions/status");
});

test("a merchant code cannot lead elsewhere", () => {
  expect(pathOf(OPERATIONS.payout, "../x?y#z")).toBe("/api/v1/payout/..%2Fx%3Fy%23z");
});

test.each([
  ["payout", undefined, '{"key":"ab%2B%2Fcd%3D%3D"}'],
  ["payout", "base64", '{"key":"ab+/cd=="}'],
  ["status", undefined, "key=ab%2B%2Fcd%3D%3D"],
  ["status", "percent", "key=ab%252B%252Fcd%253D%253D"],
] as const)("a body of %s, transport %s, is %s", (name, transport, body) => {
  expect(bodyOf(OPERATIONS[name], SEALED, transport)).toBe(body);
});

test("the payout is JSON, the status a form, and both hold name=value", () => {
  expect(OPERATIONS.payout).toMatchObject({
    contentType: "application/json",
    transport: "percent",
    layout: "name=value",
  });
  expect(OPERATIONS.status).toMatchObject({
    contentType: "application/x-www-form-urlencoded",
    transport: "base64",
    layout: "name=value",
  });
});

test("amount and time are numbers in JSON; the key alone goes out as it was issued", () => {
  expect(OPERATIONS.payout.numbers).toEqual(["transaction_timestamp", "transaction_amount"]);
  expect(OPERATIONS.payout.verbatim).toEqual([]);
  expect(OPERATIONS.status.numbers).toEqual([]);
  expect(OPERATIONS.status.verbatim).toEqual(["merchant_api_key"]);
});
