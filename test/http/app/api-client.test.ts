/** The typed client distinguishes refusals from requests that may have an effect. */
import { expect, test } from "vitest";
import { OutcomeUnknown, PayrunClient, PayrunError } from "../../../client/client.ts";

const problem = (status: number, code: string) => ({ status, code, title: code });
type Answer = ReturnType<typeof problem> | "no answer";

/** Sends a payout to a server with these answers, the last one repeatedly. */
async function payWith(answers: readonly Answer[], key: { readonly idempotencyKey?: string }) {
  let attempts = 0;
  const served: typeof fetch = async () => {
    const answer = answers[Math.min(attempts++, answers.length - 1)];
    if (answer === undefined || answer === "no answer") throw new TypeError("fetch failed");
    const headers = { "content-type": "application/problem+json" };
    return new Response(JSON.stringify(answer), { status: answer.status, headers });
  };
  const client = new PayrunClient({ server: "http://x", key: "pk_", pauseMs: 1, fetch: served });
  const call = client.call("POST /api/payouts", { body: {}, ...key } as never);
  const error: unknown = await call.catch((failure: unknown) => failure);
  return { error, attempts };
}

const KEY = { idempotencyKey: "k-1" };
const ADVICE = "broken. The outcome is unknown: repeat the request with the same key.";

test.each([
  ["a server error", [problem(500, "broken")], 5],
  ["an unavailable server", [problem(503, "broken")], 5],
  ["a request in progress", [problem(409, "request_in_progress")], 5],
  ["a busy server after a lost answer", ["no answer", problem(429, "too_many_requests")], 5],
] as const)("tells %s from a refusal after all attempts", async (_name, answers, all) => {
  const { error, attempts } = await payWith(answers, KEY);
  expect(error).toBeInstanceOf(OutcomeUnknown);
  expect(error).not.toBeInstanceOf(PayrunError);
  expect(attempts).toBe(all);
});

test("says how to proceed", async () => {
  const { error } = await payWith([problem(500, "broken")], KEY);
  expect(error).toMatchObject({ status: 500, code: "broken", message: ADVICE });
  const once = await payWith([problem(500, "broken")], {});
  expect(once.attempts).toBe(1);
  expect(once.error).toMatchObject({ message: expect.stringContaining("check whether") });
});

test.each([
  ["invalid rows", [problem(422, "rows_invalid")], 1],
  ["a busy server", [problem(429, "too_many_requests")], 5],
] as const)("reports %s as a refusal", async (_name, answers, all) => {
  const { error, attempts } = await payWith(answers, KEY);
  expect(error).toBeInstanceOf(PayrunError);
  expect(attempts).toBe(all);
});
