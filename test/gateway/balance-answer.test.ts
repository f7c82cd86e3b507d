import { expect, test } from "vitest";
import { readBalanceAnswer } from "#gateway/balance-answer.ts";

const read = (body: unknown, status = 200) =>
  readBalanceAnswer(
    { status, body: typeof body === "string" ? body : JSON.stringify(body) },
    "INR",
  );
const OLD = { balance: 1500.5, currency_code: "INR", currency_name: "India Rupee" };
const NEW = {
  currency_name: "India Rupee",
  currency_code: "INR",
  balance: "1500.500",
  frozen_balance: "100.000",
  available_balance: "1400.500",
};

test("reads both formats with the digits as written", () => {
  expect(read('{"balance":1500.50,"currency_code":"INR"}')).toEqual({
    kind: "told",
    balance: { currency: "INR", balance: "1500.50", frozen: null, available: null },
  });
  expect(read(NEW)).toEqual({
    kind: "told",
    balance: { currency: "INR", balance: "1500.500", frozen: "100.000", available: "1400.500" },
  });
  expect(read({ ...NEW, frozen_balance: "", available_balance: "" })).toMatchObject({
    balance: { frozen: null, available: null },
  });
  expect(read({ ...OLD, balance: "-3.250", frozen_balance: null })).toMatchObject({
    balance: { balance: "-3.250", frozen: null },
  });
});

test("F121 writes out a balance with an exponent", () => {
  expect(
    read('{"balance":-1.5E7,"available_balance":" 1.5E7 ","currency_code":"INR"}'),
  ).toMatchObject({
    balance: { balance: "-15000000", available: "15000000" },
  });
});

test.each<[unknown, number, string, string]>([
  ["", 200, "unreadable", "no readable balance"],
  ["<html>", 502, "http_502", "HTTP 502 with an HTML page instead of JSON"],
  ["<html>", 200, "unreadable", "no readable balance"],
  [{ ...OLD, balance: "1e100" }, 200, "unreadable", "no readable balance"],
  [{ ...OLD, balance: null }, 200, "unreadable", "no readable balance"],
  [{ ...NEW, frozen_balance: "x" }, 200, "unreadable", "no readable balance"],
  [{ ...NEW, available_balance: "1 000" }, 200, "unreadable", "no readable balance"],
  [{ ...OLD, currency_code: "THB" }, 200, "conflict", "a balance in a different currency"],
  [{ message: "Closed" }, 200, "unreadable", "Closed"],
  [{ ...OLD, message: "x, error code 115" }, 200, "115", "x, error code 115"],
  [OLD, 199, "http_199", "HTTP 199 with an unreadable body"],
  [OLD, 300, "http_300", "HTTP 300: a redirect, which payrun does not follow"],
  [{ message: "Unauthorize" }, 401, "http_401", "HTTP 401: Unauthorize"],
  [{ message: [7] }, 500, "http_500", "HTTP 500 with an unreadable body"],
])("treats %j with HTTP %i as no answer: %s", (body, status, code, text) => {
  const expected = { kind: "no_answer", code, text };
  expect(read(body, status)).toEqual(expected);
});

test("treats a body that is not text as no answer", () => {
  expect(readBalanceAnswer({ status: 200, body: null }, "INR").kind).toBe("no_answer");
});
