import { expect, test } from "vitest";
import { readStatusAnswer } from "#gateway/status-answer.ts";

/**
 * Status answers that report their own failure prove neither a payment nor its absence (F119,
 * F120).
 */

const CODE = "WD-0001";
const RECORD = { transaction_code: CODE, amount: 100, currency_code: "INR", status: "pending" };
const PAID = { ...RECORD, status: "completed" };
const read = (body: object) => readStatusAnswer({ status: 200, body: JSON.stringify(body) }, CODE);

test.each<[object]>([
  [{ status: "error" }],
  [{ status: " Failed " }],
  [{ success: true, status: "failure" }],
  [{ success: true, status: false }],
  [{ success: "true", code: 500 }],
  [{ code: "404" }],
  [{ status: "fail", code: 200 }],
])("treats paid with %j as unclear", (beside) => {
  const answer = read({ ...beside, data: [PAID] });
  expect(answer).toMatchObject({
    record: { state: "unclear", says: "completed; in a response that reports a failure" },
  });
  expect(read({ ...beside, data: [RECORD] })).toMatchObject({ record: { state: "pending" } });
  expect(read({ ...beside, data: [] }).kind).toBe("no_answer");
});

test.each<[object]>([
  [{ status: "success" }],
  [{ status: "done", code: 0 }],
  [{ status: 200, code: "00" }],
  [{ success: true, status: "pending", code: 5000 }],
  [{ code: "no failure", errors: [] }],
  [{ errors: null, error: false }],
])("accepts paid with %j as paid", (beside) => {
  const answer = read({ ...beside, data: [PAID] });
  expect(answer).toMatchObject({ record: { state: "completed" } });
});

test.each<[object]>([
  [{ errors: ["timeout"] }],
  [{ error: null, errors: { cache: "down" } }],
  [{ error: false, errors: [{ code: 7 }] }],
])("treats an answer with %j as no answer, as with an error", (beside) => {
  for (const records of [[PAID], [RECORD], []]) {
    expect(read({ success: true, ...beside, data: records })).toMatchObject({
      kind: "no_answer",
      code: "error",
    });
  }
});
