import { describe, expect, test } from "vitest";
import { readAttempt, createExchanger, withoutAnswer, notQueried } from "#gateway/exchange.ts";
import type { Failure } from "#gateway/wire/connection-failures.ts";
import type { Reply } from "#gateway/wire/transport.ts";
import { transportOf } from "../support/servers/transport.ts";
import { keyring } from "./fixtures.ts";

const NOW_MS = Date.UTC(2026, 0, 31, 12);
const merchant = keyring.forCurrency("INR");
if (!merchant) throw new Error("the demo merchants pay INR");
type Headers = Reply["headers"];

/** Result of one request to this address, and the address used. The clock ticks as set. */
async function knockAt(
  url: string,
  reply: Failure | Reply = { status: 200, body: "", headers: {} },
  ticksMs: readonly number[] = [0, 0],
) {
  const gets: string[] = [];
  const get = (address: string) => {
    gets.push(address);
    return Promise.resolve(reply);
  };
  const left = [...ticksMs];
  const clock = {
    nowMs: () => NOW_MS,
    monotonicMs: () => left.shift() ?? 0,
    sleep: () => Promise.resolve(),
  };
  const transport = transportOf({ get, post: get });
  return { exchange: await createExchanger(transport, { url, keyring, clock }).probe(), gets };
}

test.each([
  "http://gateway.example/base",
  "http://gateway.example/base/",
  "http://gateway.example/base//",
])("accepts a base address with a path, with or without a trailing slash: %s", async (url) => {
  expect((await knockAt(url)).gets).toEqual(["http://gateway.example/base/"]);
});

test("records the duration of an exchange in microseconds, whatever its result", async () => {
  const answered = { status: 503, body: "x", headers: {} };
  expect((await knockAt("http://g", answered, [1_000, 1_012.345678])).exchange).toEqual({
    kind: "answer",
    answer: { status: 503, body: "x", dateOffsetMs: null, retryAfterMs: null },
    elapsedMs: 12.346,
  });
  const failure = { code: "ECONNRESET", proof: "none" } as const;
  expect((await knockAt("http://g", failure, [0.5, 5_000.5])).exchange).toEqual({
    kind: "failure",
    failure,
    elapsedMs: 5_000,
  });
});

describe("ignores a header without a valid time", () => {
  const answerWith = async (headers: Headers) => {
    const { exchange } = await knockAt("http://g", { status: 429, body: "", headers });
    return exchange.kind === "answer" ? exchange.answer : null;
  };
  const date = (ms: number) => new Date(ms).toUTCString();
  const DAY_MS = 86_400_000;
  const week = Array.from({ length: 7 }, (_, day) => day * DAY_MS);

  // biome-ignore format: the table is easier to read in columns
  test.each<[string | undefined, number | null]>([
    ["0",                        0],
    ["5",                        5_000],
    ["600",                      600_000],
    ...week.map((ms) => [date(NOW_MS + ms), ms] satisfies [string, number]),
    [date(NOW_MS - 1_000),       0],
    [date(0),                    0],
    ["-5",                       null],
    ["1.5",                      null],
    ["5, 10",                    null],
    ["5s",                       null],
    ["in 5",                     null],
    ["soon",                     null],
    ["Monday",                   null],
    ["2026-02-01T12:00:00Z",     null],
    ["on Sun, 01 Feb 2026 12:00:00 GMT", null],
    ["",                         null],
    [undefined,                  null],
  ])("reads Retry-After: %s as %s ms", async (said, ms) => {
    expect((await answerWith({ "retry-after": said }))?.retryAfterMs).toBe(ms);
  });

  // biome-ignore format: the table is easier to read in columns
  test.each<[string | undefined, number | null]>([
    ...week.map((ms) => [date(NOW_MS - ms), -ms || 0] satisfies [string, number]),
    [date(NOW_MS + 90_000),  90_000],
    ["-5",                   null],
    ["5",                    null],
    [undefined,              null],
  ])("reads Date: %s as %s ms from ours", async (said, ms) => {
    expect((await answerWith({ date: said }))?.dateOffsetMs).toBe(ms);
  });
});

test("reports a failure by its code, and no duration for a request never sent", () => {
  const failure = { code: "ECONNRESET", proof: "none" } as const;
  const result = { kind: "failure", failure, elapsedMs: 3 } as const;
  const text = "no response (ECONNRESET)";
  const none = { httpStatus: null, dateOffsetMs: null };
  const evidence = { ...none, code: "ECONNRESET", text: "", elapsedMs: 3 };
  const attempt = readAttempt(result, merchant, () => expect.unreachable());
  const outcome = { kind: "in_doubt", code: "no_answer", text };
  expect(attempt).toEqual({ kind: "attempted", outcome, evidence });
  const answer = { kind: "no_answer", code: "ECONNRESET", text };
  expect(withoutAnswer(result)).toEqual({ answer, evidence });
  expect(notQueried("a", "b")).toEqual({
    answer: { kind: "no_answer", code: "a", text: "b" },
    evidence: { ...none, code: "a", text: "b", elapsedMs: 0 },
  });
});

describe("the gateway's words", () => {
  const answer = { status: 200, body: "", dateOffsetMs: -7 };
  const attemptAt = <O>(outcome: O) =>
    readAttempt({ kind: "answer", answer, elapsedMs: 3 }, merchant, (read) => {
      expect(read).toBe(answer);
      return { outcome, code: "117", message: "account 123456789012" };
    });
  const evidence = {
    httpStatus: 200,
    code: "117",
    text: "account [digits]",
    elapsedMs: 3,
    dateOffsetMs: -7,
  };

  test("are not stored in a doubt when they may be an account", () => {
    const doubt = { kind: "in_doubt", code: "code 123456789012", text: "to 123456789012" } as const;
    const outcome = { kind: "in_doubt", code: "code [digits]", text: "to [digits]" };
    expect(attemptAt(doubt)).toEqual({ kind: "attempted", outcome, evidence });
  });

  test("show the payer the account to pay to unchanged", () => {
    const accepted = { kind: "accepted", code: null, text: "pay to 123456789012" };
    expect(attemptAt(accepted)).toEqual({ kind: "attempted", outcome: accepted, evidence });
  });
});
