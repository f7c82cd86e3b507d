import { describe, expect, test } from "vitest";
import { readStatusAnswer } from "#gateway/status-answer.ts";

const CODE = "WD-0001";
const RECORD = { transaction_code: CODE, status: "completed", amount: "1", currency_code: "INR" };
const ask = (status: number, body: unknown) =>
  readStatusAnswer(
    { status, body: typeof body === "string" || body === null ? body : JSON.stringify(body) },
    CODE,
  );

describe("message for a response that contains no status", () => {
  test.each<[number, unknown, string, string]>([
    [200, "<html>", "unreadable", "HTTP 200 with an HTML page instead of JSON"],
    [200, "x", "unreadable", "HTTP 200 with an unreadable body"],
    [200, null, "unreadable", "HTTP 200 with a compressed body"],
    [299, "", "unreadable", "HTTP 299 with an empty body"],
    [199, "", "http_199", "HTTP 199 with an empty body"],
    [301, "<html>", "http_301", "HTTP 301: a redirect, which payrun does not follow"],
    [502, "<html>", "http_502", "HTTP 502 with an HTML page instead of JSON"],
    [200, {}, "unreadable", "no list of records"],
    [200, { message: "Busy" }, "unreadable", "no list of records: Busy"],
    [200, { message: ["Busy"] }, "unreadable", "no list of records"],
    [503, { message: "Busy" }, "http_503", "HTTP 503: Busy"],
    [199, { data: [RECORD] }, "http_199", "HTTP 199: no message"],
    [300, { data: [RECORD] }, "http_300", "HTTP 300: no message"],
    [200, { message: "Busy, error code 999" }, "999", "Busy, error code 999"],
    [200, { message: "not found, error code 115" }, "115", "not found, error code 115"],
    [200, { data: [RECORD], error: { code: "E7" } }, "E7", "no message"],
    [200, { data: [RECORD], error: { code: 0, reason: "x" } }, "0", "no message"],
    [200, { data: [RECORD], error: { reason: "x" } }, "error", "no message"],
    [200, { data: [RECORD], error: [7] }, "error", "no message"],
    [200, { data: [RECORD], error: true }, "error", "no message"],
    [200, { data: { ...RECORD, transaction_code: "WD-9" } }, "unreadable", "no list of records"],
    [200, { data: {} }, "unreadable", "no list of records"],
    [
      404,
      { data: RECORD, message: "Transaction not found" },
      "http_404",
      "HTTP 404: Transaction not found",
    ],
    [200, { data: [RECORD], error: "Oops" }, "error", "no message"],
    [404, { data: [] }, "http_404", "HTTP 404: no message"],
    [200, { data: [{ amount: "1" }] }, "unreadable", "an unreadable record"],
    [200, { data: [{ ...RECORD, status: true }] }, "unreadable", "an unreadable record"],
    [
      200,
      { data: null, message: "List successful" },
      "unreadable",
      "no list of records: List successful",
    ],
  ])("reads HTTP %i %j", (status, body, code, text) => {
    expect(ask(status, body)).toEqual({ kind: "no_answer", code, text });
  });

  test.each([null, false, "", 0, "0", [], {}, { code: 0, message: "" }])(
    "ignores an error that is %j",
    (error) => {
      expect(ask(200, { data: [RECORD], error }).kind).toBe("found");
    },
  );

  test("finds a record of our code outside a list, or after a byte order mark", () => {
    expect(ask(200, { data: RECORD })).toEqual(ask(200, { data: [RECORD] }));
    expect(ask(200, `\uFEFF${JSON.stringify({ data: [RECORD] })}`).kind).toBe("found");
    expect(ask(200, `x\uFEFF${JSON.stringify({ data: [RECORD] })}`).kind).toBe("no_answer");
  });
});

describe("ways in which gateways report an unknown code", () => {
  test.each([
    "Transaction not found",
    "The code could not be found",
    "No such transaction",
    "no   record of it",
    "No data",
    "no transaction",
    "Unknown  transaction",
    "TransactionNotFound",
    "The code does not exist",
    "Records do  not  exist",
    "The order doesn't exist",
  ])("%j", (message) => {
    expect(ask(200, { message })).toEqual({ kind: "not_found", text: message });
    for (const records of [null, []])
      expect(ask(404, { message, data: records })).toEqual({ kind: "not_found", text: message });
  });

  test.each([
    "found",
    "not be",
    "nothing such",
    "norecord",
    "unknowntransaction",
    "unknown",
    "it exists",
    "does exist",
  ])("gives %j another meaning", (message) => {
    expect(ask(200, { message }).kind).toBe("no_answer");
  });

  test.each(["ok", "", "Transaction not found"])(
    "does not include a list of other records with %j",
    (message) => {
      const others = [{ ...RECORD, transaction_code: "WD-9" }];
      expect(ask(200, { success: true, data: others, message }).kind).toBe("no_answer");
      expect(ask(404, { data: others, message }).kind).toBe("no_answer");
    },
  );

  test("does not include a refused empty list", () => {
    expect(ask(200, { data: [], success: false })).toEqual({
      kind: "no_answer",
      code: "refused",
      text: "refused without an explanation",
    });
  });
});

describe("stored part of a record", () => {
  const recordOf = (fields: object) => {
    const answer = ask(200, { data: [{ ...RECORD, ...fields }] });
    return answer.kind === "found" ? answer.record : answer;
  };

  test("is everything that is read, truncated for display", () => {
    const long = "9".repeat(65);
    expect(
      recordOf({ amount: long, currency_code: long, transaction_fee: long, transaction_no: "WD7" }),
    ).toEqual({
      transactionCode: CODE,
      state: "completed",
      amount: "9".repeat(64),
      currency: "9".repeat(64),
      gatewayNumber: "WD7",
      fee: "9".repeat(64),
    });
  });

  test.each([
    [{}, null],
    [{ transaction_no: "null" }, null],
    [{ transaction_no: "" }, null],
    [{ transaction_no: "x".repeat(64) }, "x".repeat(64)],
    [{ transaction_no: "x".repeat(65) }, null],
    [{ transaction_no: "-x" }, null],
    [{ transaction_no: "A_.-9" }, "A_.-9"],
  ])("takes from %j the gateway's number %j", (fields, gatewayNumber) => {
    expect(recordOf(fields)).toMatchObject({ gatewayNumber, fee: null });
  });

  test.each([
    [{ amount: "1", transaction_amount: "1" }, "completed"],
    [{ amount: "1", transaction_amount: null }, "completed"],
    [{ amount: null, transaction_amount: "1" }, "completed"],
    [{ amount: "1", transaction_amount: "2" }, "unclear"],
    [{ amount: null }, "unclear"],
    [{ amount: ".5" }, "unclear"],
    [{ amount: "5." }, "unclear"],
    [{ amount: "x5" }, "unclear"],
    [{ amount: "5x" }, "unclear"],
    [{ transaction_no: "DP1" }, "unclear"],
    [{ transaction_no: "XDP1" }, "completed"],
  ])("stores %j as %s", (fields, state) => {
    expect(recordOf(fields)).toMatchObject({ state });
  });
});

test.each([
  ["deposit", { transaction_no: "DP1", type: "deposit" }, "completed"],
  ["deposit", { transaction_no: "DP1", type: "Deposit" }, "completed"],
  ["deposit", { transaction_no: null, type: null }, "completed"],
  ["deposit", { type: "null" }, "completed"],
  ["deposit", { type: "payout" }, "unclear"],
  ["deposit", { type: "deposits" }, "unclear"],
  ["deposit", { type: "a deposit" }, "unclear"],
  ["deposit", { transaction_no: "WD1", type: "deposit" }, "unclear"],
  ["deposit", { transaction_no: "XWD1" }, "completed"],
  ["payout", { transaction_no: "WD1", type: "withdraw" }, "completed"],
  ["payout", { transaction_no: "DP1" }, "unclear"],
] as const)(
  "reads, when asked for a %s, a record with %j as %s (SPEC-R02, SPEC-R71, SPEC-R72)",
  (kind, fields, state) => {
    const record = {
      transaction_code: "C",
      amount: "1",
      currency_code: "INR",
      status: "completed",
      ...fields,
    };
    const body = JSON.stringify({ data: [record] });
    expect(readStatusAnswer({ status: 200, body }, "C", kind)).toMatchObject({ record: { state } });
  },
);
