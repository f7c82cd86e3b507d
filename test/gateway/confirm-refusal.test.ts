import { expect, test } from "vitest";
import { confirmRefusal, isRefusal } from "#gateway/confirm-refusal.ts";
import type { Attempted, ConnectionExchange } from "#gateway/exchange.ts";
import type { Outcome } from "#payout/outcome.ts";

const evidence = { httpStatus: 200, code: "121", text: "", elapsedMs: 1, dateOffsetMs: null };
const REFUSED: Attempted<Outcome> = {
  kind: "attempted",
  outcome: { kind: "declined", code: "121", text: "bank not found" },
  evidence,
};

const answered = (document: object, isReused = true): ConnectionExchange => ({
  kind: "answer",
  answer: { status: 200, body: JSON.stringify(document), dateOffsetMs: null },
  elapsedMs: 1,
  isReused,
});
const confirm = (result: ConnectionExchange | null, attempt = REFUSED) =>
  confirmRefusal(attempt, () => Promise.resolve(result), "A");

test("returns the refusal when a query on the same connection does not find the payout", async () => {
  expect(await confirm(answered({ success: true, data: [] }))).toBe(REFUSED);
});

const TAKEN = { success: true, message: "request withdraw successful" };
// biome-ignore format: the table is easier to read in columns
test.each<[string, ConnectionExchange | null]>([
  ["the query cannot be encoded",                  null],
  ["the query fails",                              { kind: "failure", failure: { code: "ECONNRESET", proof: "none" }, elapsedMs: 1, isReused: false }],
  ["the query used a new connection",              answered({ success: true, data: [] }, false)],
  ["the payout's own acceptance arrives",          answered(TAKEN)],
  ["an acceptance with an empty list arrives",     answered({ ...TAKEN, data: [] })],
  ["the payout is found",                          answered({ success: true, data: [{ transaction_code: "A", transaction_status: "pending", transaction_amount: "1", currency: "INR" }] })],
  ["the query is refused",                         answered({ success: true, message: "[WD] error code 115" })],
])("returns doubt where %s", async (_what, result) => {
  expect(await confirm(result)).toEqual({
    ...REFUSED,
    outcome: {
      kind: "in_doubt",
      code: "unconfirmed_refusal",
      text: "refused (121) on a reused connection, and a status query did not confirm the refusal",
    },
  });
});

test("states when the refusal named no code", async () => {
  const { outcome } = await confirm(null, { ...REFUSED, evidence: { ...evidence, code: null } });
  expect(outcome).toMatchObject({ text: expect.stringContaining("refused (no code) on") });
});

test("identifies the outcomes that are refusals", () => {
  const kinds = ["accepted", "duplicate", "declined", "deferred", "in_doubt"] as const;
  const refusals = kinds.filter((kind) => isRefusal({ kind } as Outcome));
  expect(refusals).toEqual(["declined", "deferred"]);
});
