import { describe, expect, test } from "vitest";
import { readStatusAnswer } from "#gateway/status-answer.ts";

const CODE = "WD-0001";
const RECORD = {
  amount: 100.5,
  currency_code: "INR",
  currency_name: "Indian Rupee",
  datetime: "2026-01-01T00:00:00Z",
  method_name: "Bank",
  note: "null",
  status: "pending",
  transaction_code: CODE,
  transaction_fee: 1,
  transaction_no: "WD1",
  transaction_ref: "null",
  transaction_ref2: "null",
  type: "payout",
};
const read = (body: unknown, status = 200) =>
  readStatusAnswer({ status, body: typeof body === "string" ? body : JSON.stringify(body) }, CODE);
const withRecords = (...data: unknown[]) =>
  read({ data, message: "Request transaction list successful", success: true });
const stateOf = (fields: Readonly<Record<string, unknown>>) => {
  const answer = withRecords({ ...RECORD, ...fields });
  return answer.kind === "found" ? answer.record.state : answer.kind;
};

describe("the state (F120)", () => {
  test.each<[unknown, unknown, string]>([
    ["pending", undefined, "pending"],
    ["Completed", undefined, "completed"],
    ["SUCCESS", undefined, "completed"],
    ["failed", undefined, "failed"],
    ["manual process", undefined, "manual"],
    ["manual", undefined, "manual"],
    [" Completed ", undefined, "completed"],
    ["null", 2, "completed"],
    ["", "3", "failed"],
    ["1", undefined, "pending"],
    ["4", undefined, "manual"],
    ["pending", 1, "pending"],
    ["completed", 2, "completed"],
    ["completed", "2.0", "completed"],
    ["3.00", undefined, "failed"],
    [undefined, "1.0", "pending"],
    ["2.5", undefined, "unclear"],
    ["12.0", undefined, "unclear"],
    ["20.0", undefined, "unclear"],
    ["2.0.1", undefined, "unclear"],
    ["2.", undefined, "unclear"],
    ["completed.0", undefined, "unclear"],
    ["success", "2", "completed"],
    ["failed", 3, "failed"],
    ["Manual Process", 4, "manual"],
    [undefined, 2, "completed"],
    [null, 3, "failed"],
    [2, undefined, "completed"],
    ["completed", "completed", "completed"],
    ["pending", 2, "unclear"],
    ["completed", 3, "unclear"],
    ["completed", 0, "unclear"],
    ["completed", 5, "unclear"],
    ["pending", 0, "unclear"],
    ["refunded", 2, "unclear"],
    ["refunded", undefined, "reversed"],
    ["constructor", undefined, "unclear"],
    ["__proto__", undefined, "unclear"],
    [undefined, undefined, "unclear"],
  ])(
    "maps status %j with transaction_status %j to %s (SPEC-S04, SPEC-R72)",
    (status, number, state) => {
      expect(stateOf({ status, transaction_status: number })).toBe(state);
    },
  );

  test.each<[unknown, string, string, string | undefined]>([
    [false, "completed", "unclear", "completed; in a response that reports a failure"],
    ["False", "completed", "unclear", "completed; in a response that reports a failure"],
    [0, "completed", "unclear", "completed; in a response that reports a failure"],
    ["no", "completed", "unclear", "completed; in a response that reports a failure"],
    ["failed", "completed", "unclear", "completed; in a response that reports a failure"],
    [{}, "completed", "unclear", "completed; in a response that reports a failure"],
    [1, "completed", "completed", undefined],
    ["Yes", "completed", "completed", undefined],
    [null, "completed", "completed", undefined],
    [false, "failed", "failed", undefined],
    [false, "pending", "pending", undefined],
    [undefined, "completed", "completed", undefined],
  ])(
    "reads success %j with %s as %s: a failed answer proves no payment",
    (success, status, state, says) => {
      const answer = read({ success, message: "", data: [{ ...RECORD, status }] });
      expect(answer).toMatchObject({ kind: "found", record: { state } });
      expect(answer.kind === "found" && answer.record.says).toBe(says);
    },
  );

  test("trims blanks around a currency", () => {
    expect(withRecords({ ...RECORD, currency_code: " INR " })).toMatchObject({
      record: { currency: "INR" },
    });
  });

  test.each<[object, string | undefined]>([
    [{ status: "paid" }, "paid"],
    [{ status: "Refunded", transaction_status: 2 }, "2, Refunded"],
    [{ status: "completed", transaction_status: 0 }, "0, completed"],
    [{ status: "completed", amount: "1,538.50" }, "completed"],
    [
      { status: "completed", transaction_no: "DP1" },
      "completed; of a different kind of transaction",
    ],
    [{ status: " ", transaction_status: null }, undefined],
    [{ status: "completed" }, undefined],
  ])("keeps the words of %j where they are unclear: %s", (fields, says) => {
    const answer = withRecords({ ...RECORD, ...fields });
    expect(answer.kind === "found" && answer.record.says).toBe(says);
  });

  test("keeps the words of each of several contradictory records", () => {
    const other = { ...RECORD, status: "failed", transaction_status: 3 };
    expect(withRecords(RECORD, other, { ...RECORD, amount: 7 })).toMatchObject({
      record: { state: "unclear", says: "pending; 3, failed" },
    });
  });
});

describe("the record", () => {
  test("is read with its amount as exact text (F121)", () => {
    const body = `{"data":[${JSON.stringify(RECORD).replace("100.5", "90071992547409931.10")}],"success":true}`;
    expect(read(body)).toEqual({
      kind: "found",
      record: {
        transactionCode: CODE,
        state: "pending",
        amount: "90071992547409931.10",
        currency: "INR",
        gatewayNumber: "WD1",
        fee: "1",
      },
    });
  });

  test.each([
    ["1.5E7", "15000000"],
    ["1.50E+7", "15000000"],
    ['"1.5e7"', "15000000"],
    ["9.007199254740993E15", "9007199254740993"],
    ["1542.5E-1", "154.25"],
  ])("with an amount of %s is exactly %s (F121)", (written, amount) => {
    const record = JSON.stringify({ ...RECORD, status: "completed" }).replace("100.5", written);
    expect(read(`{"data":[${record}]}`)).toMatchObject({ record: { state: "completed", amount } });
  });

  test.each(["=cmd|' /C calc'!A0", "x".repeat(65), "WD 1", "\u001b[31mWD1"])(
    "does not store a gateway number such as %j",
    (transaction_no) => {
      expect(withRecords({ ...RECORD, transaction_no })).toMatchObject({
        record: { gatewayNumber: null },
      });
    },
  );

  test.each([
    { amount: "100.00", status: "completed" },
    { amount: 100, status: "completed" },
    { amount: undefined, transaction_amount: "7", status: "completed" },
    { amount: " 100.00 ", status: "completed" },
    { amount: 100.5, transaction_amount: "100.50", status: "completed" },
  ])("with %j is clear", (fields) => {
    expect(stateOf(fields)).toBe("completed");
  });

  test.each([
    { amount: "1e100" },
    { amount: "1,000.00" },
    { amount: null },
    { amount: -5 },
    { amount: 100.5, transaction_amount: 99.5 },
    { currency_code: null },
    { currency_code: "" },
    { transaction_no: "DP1697797081482" },
  ])("with %j is unclear", (fields) => {
    expect(stateOf({ status: "completed", ...fields })).toBe("unclear");
  });

  test("of another code is ignored next to ours, and alone is no answer, because ours may be on another page", () => {
    const other = { ...RECORD, transaction_code: "WD-00011", status: "completed" };
    expect(withRecords(other)).toMatchObject({
      kind: "no_answer",
      text: "only records of other transaction codes",
    });
    expect(withRecords(other, RECORD)).toMatchObject({
      kind: "found",
      record: { state: "pending" },
    });
  });

  test("is accepted if it appears twice unchanged, and unclear if the two differ", () => {
    expect(withRecords(RECORD, { ...RECORD, note: "again" })).toMatchObject({
      record: { state: "pending" },
    });
    const decimals = { ...RECORD, amount: "100.50", transaction_fee: "1.00" };
    expect(withRecords(RECORD, decimals)).toMatchObject({
      record: { state: "pending", amount: "100.5" },
    });
    for (const other of [
      { status: "completed" },
      { amount: 1 },
      { transaction_fee: 2 },
      { transaction_no: "WD2" },
    ]) {
      expect(withRecords(RECORD, { ...RECORD, ...other })).toMatchObject({
        record: { state: "unclear" },
      });
    }
  });
});

describe("no record (F119)", () => {
  test.each([
    { success: false, data: [], message: "Transaction not found" },
    { success: true, data: [], message: "Request transaction list successful" },
    { data: [] },
    { success: false, message: "Transaction not found" },
    { success: false, data: null, message: "No such transaction" },
    { message: "transaction code does not exist", error: { code: "404" } },
    { status: "success", data: [], message: "Data retrieved" },
    { code: 200, data: [], message: "Data retrieved" },
    { success: true, status: "done", code: 7, data: [] },
  ])("treats %j as not found", (body) => {
    expect(read(body).kind).toBe("not_found");
  });

  test.each([400, 404, 422])("treats HTTP %i as not found when it says so", (status) => {
    const words = { success: false, message: "Transaction code not found" };
    expect(read(words, status).kind).toBe("not_found");
    expect(read({ message: "Bad request" }, status).kind).toBe("no_answer");
    expect(read({ ...words, data: [RECORD] }, status).kind).toBe("no_answer");
    expect(read("<html>not found</html>", status).kind).toBe("no_answer");
  });

  test.each<[number, unknown]>([
    [200, ""],
    [200, "<html>"],
    [200, '{"data":[{"transac'],
    [200, { success: false, message: "Server busy" }],
    [200, { success: true, data: null }],
    [
      200,
      { success: false, data: [], message: "[WD] Invalid Key / Merchant code!, error code 115" },
    ],
    [
      200,
      { success: false, data: [], message: "[WD] Format Key parameter invalid!, error code 118" },
    ],
    [200, { success: false, data: [], error: { code: 115 } }],
    [200, { success: true, data: [{ amount: 1 }] }],
    [200, `{"data":[],"data":[${JSON.stringify(RECORD)}]}`],
    [401, { message: "Merchant not found" }],
    [200, { success: false, data: [], message: "Merchant not found" }],
    [200, { success: true, data: [], message: "Merchant not found" }],
    [200, { success: false, data: [], message: "Server busy" }],
    [200, { success: false, data: [], message: "Request transaction list successful" }],
    [404, { message: "The route api/v1/x/transactions/status could not be found." }],
    [404, { message: "Not Found" }],
    [404, { success: false, data: [], message: "Not Found" }],
    [404, { success: false, data: null, message: "Merchant not found" }],
    [405, { message: "Transaction not found" }],
    [403, { message: "Not found" }],
    [429, { message: "Not found" }],
    [500, { message: "Not found" }],
    [200, { message: "Withdraw Bank not found!, error code 121" }],
    [404, { success: false, data: [] }],
    [200, { status: "error", data: [] }],
    [200, { success: true, status: "error", data: [] }],
    [200, { success: true, code: 500, data: [] }],
    [200, { code: 500, data: [] }],
    [200, { success: false, status: "success", code: 200, data: [] }],
    [200, { message: "Transaction not found, error code 115" }],
    [200, { message: "Transaction not found", error: { code: "115" } }],
    [500, { success: true, data: [RECORD] }],
    [206, { success: true, data: [] }],
    [206, { success: true, data: [{ ...RECORD, status: "completed" }] }],
    [206, { message: "Transaction not found" }],
    [302, ""],
    [200, [RECORD]],
  ])("treats HTTP %i %j as no answer", (status, body) => {
    expect(read(body, status).kind).toBe("no_answer");
  });

  test("returns the requested pause (HTTP 429)", () => {
    const answer = { status: 429, body: "", retryAfterMs: 7_000 };
    expect(readStatusAnswer(answer, CODE)).toMatchObject({ kind: "no_answer", afterMs: 7_000 });
    expect(readStatusAnswer({ status: 429, body: "{}" }, CODE)).toMatchObject({ afterMs: 0 });
    expect(readStatusAnswer({ ...answer, status: 503 }, CODE)).not.toHaveProperty("afterMs");
  });
});
