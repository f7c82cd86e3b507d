import { expect, test } from "vitest";
import { ERROR_CODES } from "#gateway/error-codes.ts";
import { storedReason } from "#payout/reasons.ts";
import { retryConditionOf } from "#payout/retry-rule.ts";

test("retries no documented refusal of the content of a row unchanged", () => {
  const refusals = Object.values(ERROR_CODES).filter(({ kind }) => kind === "declined");
  const rules = refusals.map(({ says }) => retryConditionOf(storedReason("refused", says)).rule);
  expect(rules).toEqual(refusals.map(() => "new_details"));
});

test("names the columns of which one must change", () => {
  expect(retryConditionOf("refused: invalid IFSC").columns).toEqual(["ifsc_code"]);
  expect(retryConditionOf("refused: bank not found").columns).toEqual(["bank_code", "bank_name"]);
});

test.each([
  null,
  "failed_at_gateway",
  "refused",
  "refused: constructor",
  "refused: account closed",
  "unclear_status: invalid IFSC",
])("leaves the decision about the unknown cause %s to a person", (reason) => {
  expect(retryConditionOf(reason)).toEqual({ rule: "decision", columns: [] });
});
