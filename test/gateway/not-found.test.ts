import { describe, expect, test } from "vitest";
import { isUnrefused, isNotFoundText } from "#gateway/not-found.ts";

const CODE = "PR-0001";

describe("messages that say the gateway does not have the transaction (F119)", () => {
  test.each([
    "Transaction not found",
    "[WD] Transaction not found.",
    "Transaction Not Found!",
    "TransactionNotFound",
    "transaction_code not found",
    `Transaction ${CODE} was not found`,
    `No such transaction: ${CODE}`,
    "Transaction not found, error code 404",
    "Data not found",
    "No data",
    "No data found",
    "no record found for this transaction code",
    "Record not found (please check your order number)",
    "Payout does not exist",
    "Withdrawal doesn't exist",
    "Unknown transaction",
    "Unknown  transaction",
    "Transaction could not be  found",
    "No  transaction",
    "Order doesn't  exist",
    "Transaction not found, error  code 404",
    "Transaction not found, error code404",
    `Transaction not found ${"!".repeat(178)}`,
    "Sorry, we do not have this code: transaction could not be found",
  ])("%j", (text) => {
    expect(isNotFoundText(text, CODE)).toBe(true);
  });
});

describe("messages about something else, or empty", () => {
  test.each([
    "",
    "Not Found",
    "NotFound",
    "It does not exist",
    "Merchant not found",
    "Merchant not found for this transaction",
    "No such transaction for this merchant",
    "Merchant code not found",
    "The route api/v1/x/transactions/status could not be found.",
    "POST /transaction not found",
    "No API transactions/code was found: not found",
    "Page not found",
    "url not found",
    "Endpoint not found",
    "Method does not exist",
    "Host not found",
    "Resource not found",
    "No records in table transactions: doesn't exist",
    "Bank code not found",
    "Currency code not found",
    "Payout code not found",
    "payment_code not found",
    "payment  code not found",
    "Payout P001 not found",
    "Transaction PR-0002 not found",
    "Unknown transaction type",
    "No data received",
    "Not found, error code 404",
    "Transaction found",
    "Transaction is pending",
    `Transaction not found ${"again ".repeat(40)}`,
  ])("%j", (text) => {
    expect(isNotFoundText(text, CODE)).toBe(false);
  });
});

describe("text next to a list", () => {
  test.each<[unknown, string, boolean]>([
    [true, "Request transaction list successful", true],
    [undefined, "Request transaction list successful", true],
    ["true", "[WD] Successfully retrieved!", true],
    [true, "Success.", true],
    [true, " OK ", true],
    [true, "", true],
    [undefined, "", true],
    [null, "", true],
    [false, "Request transaction list successful", false],
    ["FALSE", "", false],
    ["0", "", false],
    ["no", "", false],
    ["failed", "ok", false],
    ["500", "", false],
    ["success", "", true],
    ["200", "Request transaction list successful", true],
    [true, "Request not successful", false],
    [true, "Unsuccessful", false],
    [true, "Completed without success", false],
    [true, "Merchant not found", false],
    [true, "Server busy", false],
    [true, "OK, but no", false],
    [true, "Data retrieved", true],
    ["1", "0 of 7", true],
    [true, "Permintaan berhasil", true],
    [undefined, "Permintaan berhasil", false],
    [undefined, "Data retrieved", false],
    [true, "Please try again later", false],
    [true, "Service unavailable", false],
    [true, "Access denied", false],
    [true, "Limit exceeded", false],
    [true, "Too many requests", false],
    [true, "Session ended, login again", false],
    [undefined, " OK ", true],
    [undefined, "success.", true],
    [undefined, "[WD] Successfully retrieved!", true],
    [undefined, "[WD]success", true],
    [undefined, "[WD]  success", true],
    [undefined, "0 of 7: success", false],
    [undefined, "success: 0 of 7", false],
    ["truest", "", false],
    ["untrue", "", false],
    [["true"], "", false],
    [true, "a ".repeat(100), true],
    [true, "a ".repeat(101), false],
  ])("reads success %j with %j", (success, text, pleased) => {
    expect(isUnrefused(success, text)).toBe(pleased);
  });
});

describe("a refusal next to an empty list", () => {
  test.each(
    "no not never without unable invalid incorrect inactive disabled suspended blocked closed wrong missing denied forbidden refused rejected expired busy down offline maintenance try retry later wait session".split(
      " ",
    ),
  )("%s", (word) => {
    expect(isUnrefused(true, `Data ${word}`)).toBe(false);
  });
  test.each([
    "error",
    "errors",
    "fail",
    "failed",
    "failure",
    "limit",
    "limits",
    "limiting",
    "exceed",
    "exceeds",
    "exceeded",
    "timeout",
    "timed out",
    "time-out",
    "too many",
    "login",
    "log in",
    "abort",
    "aborted",
    "cancelled",
    "overloaded",
    "delayed",
  ])("%s", (word) => {
    expect(isUnrefused(true, `Data: ${word}!`)).toBe(false);
  });
});
