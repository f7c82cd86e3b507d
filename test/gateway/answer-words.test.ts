import { describe, expect, test } from "vitest";
import { codesIn, readPayoutAnswer } from "#gateway/payout-answers.ts";

const read = (status: number, body: unknown) =>
  readPayoutAnswer({ status, body: JSON.stringify(body), dateOffsetMs: 0 }).outcome;

describe("messages for an answer, and the code and words that are kept", () => {
  const SAID = "Some words";
  const PAGE = "HTTP 502 with an HTML page instead of JSON";
  test.each<[number, unknown, string, string, string | null, string]>([
    // HTTP, body, code and text of the doubt, code and message that are kept
    [200, "", "http_200", "HTTP 200 with an empty body", null, ""],
    [200, "\r\n", "http_200", "HTTP 200 with an empty body", null, ""],
    [200, "x", "http_200", "HTTP 200 with an unreadable body", null, ""],
    [200, "<b>x</b>", "http_200", "HTTP 200 with an unreadable body", null, ""],
    [200, "x <html>", "http_200", "HTTP 200 with an unreadable body", null, ""],
    [400, "", "http_400", "HTTP 400 with an empty body", null, ""],
    [200, null, "http_200", "HTTP 200 with a compressed body", null, ""],
    [502, "<html>", "http_502", PAGE, null, ""],
    [502, "\r\n<!DOCTYPE html><html lang=en>", "http_502", PAGE, null, ""],
    [
      302,
      { message: SAID },
      "http_302",
      "HTTP 302: a redirect, which payrun does not follow",
      null,
      SAID,
    ],
    [300, "", "http_300", "HTTP 300: a redirect, which payrun does not follow", null, ""],
    [
      399,
      { message: "error code 120" },
      "http_399",
      "HTTP 399: a redirect, which payrun does not follow",
      "120",
      "error code 120",
    ],
    [200, { message: SAID }, "unknown_message", SAID, null, SAID],
    [200, {}, "unknown_message", "no message", null, ""],
    [100, { message: SAID }, "http_100", `HTTP 100: ${SAID}`, null, SAID],
    [299, { message: SAID }, "unknown_message", SAID, null, SAID],
    [400, { message: SAID }, "http_400", `HTTP 400: ${SAID}`, null, SAID],
    [500, { message: SAID }, "http_500", `HTTP 500: ${SAID}`, null, SAID],
    [500, {}, "http_500", "HTTP 500: no message", null, ""],
    [200, { message: [7] }, "unknown_message", "no message", null, ""],
    [200, { error: { code: "100" } }, "100", "unknown code", "100", ""],
    [200, { message: "error code 100" }, "100", "error code 100", "100", "error code 100"],
    [
      200,
      { message: "error code 120, error code 121" },
      "conflict",
      "the response contains error codes 120 and 121",
      "120",
      "error code 120, error code 121",
    ],
    [
      200,
      { message: "request withdraw successful", error: { code: "120" } },
      "conflict",
      "the response reports both acceptance and error code 120",
      "120",
      "request withdraw successful",
    ],
    [
      401,
      { message: "error code 120" },
      "conflict",
      "HTTP 401 with error code 120",
      "120",
      "error code 120",
    ],
    [
      401,
      { message: "error code 116" },
      "conflict",
      "HTTP 401 with error code 116",
      "116",
      "error code 116",
    ],
    [
      500,
      { message: "error code 111" },
      "http_500",
      "HTTP 500 with error code 111",
      "111",
      "error code 111",
    ],
    [
      300,
      { message: "request withdraw successful" },
      "http_300",
      "HTTP 300: a redirect, which payrun does not follow",
      null,
      "request withdraw successful",
    ],
    [
      400,
      { message: "request withdraw successful" },
      "http_400",
      "HTTP 400: request withdraw successful",
      null,
      "request withdraw successful",
    ],
  ])("reads HTTP %i %j", (status, body, code, text, keptCode, keptMessage) => {
    const sent = typeof body === "string" || body === null ? body : JSON.stringify(body);
    expect(readPayoutAnswer({ status, body: sent, dateOffsetMs: 0 })).toEqual({
      outcome: { kind: "in_doubt", code, text },
      code: keptCode,
      message: keptMessage,
    });
  });

  test.each([
    [{ code: 1234 }],
    [{ code: "12" }],
    [{ code: "1200" }],
    [{ code: "E120" }],
    [{ code: ["120"] }],
    ["Oops"],
    [true],
    [7],
    [{ code: null, reason: "x" }],
  ])("treats an error that says %j as an unknown code", (error) => {
    expect(read(400, { message: "", error })).toMatchObject({
      kind: "in_doubt",
      code: "unreadable",
    });
  });

  test.each([
    [{ code: " 120 " }],
    [{ code: 120 }],
    ["error code 120"],
    [{ message: "error code 120" }],
    [{ code: "120", message: "error code 120" }],
  ])("reads code 120 from an error that says %j", (error) => {
    expect(read(400, { message: "", error })).toMatchObject({ kind: "declined", code: "120" });
  });

  test("treats a body that is not text as no answer", () => {
    const { outcome } = readPayoutAnswer({ status: 200, body: null, dateOffsetMs: 0 });
    expect(outcome).toMatchObject({ kind: "in_doubt", code: "http_200" });
  });

  test.each([
    ["error code 120", ["120"]],
    ["ERROR  CODE : 7", ["7"]],
    ["error code:120 and error\tcode 121", ["120", "121"]],
    ["errorcode 120", []],
    ["error code", []],
    ["error code x120", []],
    ["a code 120", []],
  ])("reads from %j the codes %j", (text, codes) => {
    expect(codesIn(text)).toEqual(codes);
  });
});

test.each([
  [undefined, 1_000],
  [null, 1_000],
  [0, 0],
  [5_000, 5_000],
  [3_600_001, 3_600_000],
])(
  "pauses requests on HTTP 429 that asks for %s ms for %i ms, at most an hour (F40, SPEC-L08)",
  (retryAfterMs, afterMs) => {
    const answer = {
      status: 429,
      body: "",
      dateOffsetMs: 0,
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
    expect(readPayoutAnswer(answer).outcome).toEqual({
      kind: "in_doubt",
      code: "http_429",
      text: "HTTP 429 with an empty body",
      stop: { until: "wait", reason: "HTTP 429: too many requests", afterMs },
    });
  },
);

test("says only that a known code is known", () => {
  expect(read(200, { message: "error code 111" })).toEqual({ kind: "duplicate" });
});

test("reads HTTP 429 with a documented refusal as that refusal", () => {
  expect(read(429, { message: "error code 120" })).toEqual({
    kind: "declined",
    code: "120",
    text: "invalid IFSC",
  });
});

test("F40 also applies the pause of HTTP 429 with a refusal that means later", () => {
  const throttled = (code: string) => {
    const body = JSON.stringify({ message: `error code ${code}` });
    const said = { status: 429, body, dateOffsetMs: 0, retryAfterMs: 60_000 };
    return readPayoutAnswer(said).outcome;
  };
  const tooMany = { until: "wait", reason: "HTTP 429: too many requests", afterMs: 60_000 };
  expect(throttled("113")).toMatchObject({ kind: "deferred", stop: tooMany });
  const short = { until: "wait", breaker: "balance", afterMs: 60_000 };
  expect(throttled("119")).toMatchObject({ kind: "deferred", stop: short });
  expect(throttled("115")).toMatchObject({ kind: "deferred", stop: { until: "person" } });
});

test("stops a lane with the code and its words, and on HTTP 401 with payrun's own", () => {
  expect(read(200, { message: "error code 119" })).toEqual({
    kind: "deferred",
    code: "119",
    text: "insufficient balance",
    stop: { until: "wait", breaker: "balance", reason: "error code 119: insufficient balance" },
  });
  const text = "HTTP 401: the gateway did not accept the credentials";
  expect(readPayoutAnswer({ status: 401, body: '{"message":"No"}', dateOffsetMs: 0 })).toEqual({
    outcome: { kind: "deferred", code: "http_401", text, stop: { until: "person", reason: text } },
    code: null,
    message: "No",
  });
  expect(readPayoutAnswer({ status: 401, body: "", dateOffsetMs: 0 }).message).toBe("");
});
