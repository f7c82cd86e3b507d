import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readPayoutAnswer } from "#gateway/payout-answers.ts";
import { REFUSAL_TEXTS } from "#simulator/faults/texts.ts";
import { ERROR_CODES } from "#gateway/error-codes.ts";

const read = (status: number, body: unknown, dateOffsetMs: number | null = 0) =>
  readPayoutAnswer({
    status,
    body: typeof body === "string" ? body : JSON.stringify(body),
    dateOffsetMs,
  }).outcome;

/** The classes written by hand, so that an edit of the table alone does not pass. */
const CLASSES: Readonly<Record<string, readonly [kind: string, until?: string]>> = {
  "109": ["declined"],
  "110": ["deferred", "person"],
  "111": ["duplicate"],
  "112": ["deferred"],
  "113": ["deferred"],
  "114": ["deferred", "person"],
  "115": ["deferred", "person"],
  "116": ["deferred", "wait"],
  "117": ["in_doubt"],
  "118": ["deferred", "person"],
  "119": ["deferred", "wait"],
  "120": ["declined"],
  "121": ["declined"],
  "122": ["declined"],
  "123": ["in_doubt"],
  "124": ["deferred", "person"],
  "131": ["in_doubt"],
};

test("covers exactly the documented codes", () => {
  expect(Object.keys(ERROR_CODES)).toEqual(Object.keys(CLASSES));
  expect(Object.keys(REFUSAL_TEXTS)).toEqual(Object.keys(CLASSES));
});

describe.each(Object.entries(REFUSAL_TEXTS))("code %s (F114, F118)", (code, text) => {
  const [kind, until] = CLASSES[code] ?? [];
  const bare = text.replace("[WD] ", "");
  /** Every documented or observed spelling, and unusual ones in between (F118). */
  const spellings: readonly (readonly [number, unknown])[] = [
    [200, { success: true, message: text }],
    [200, { success: false, message: text }],
    [200, { message: bare }],
    [200, { message: bare.toUpperCase() }],
    [200, { message: `${text} ` }],
    [200, { message: text.replace("error code ", "error  code\t") }],
    [200, { message: `failed,, error code ${code}, ` }],
    [400, { message: "Refused", error: { code, message: "Refused" } }],
    [400, { message: "Refused", error: { code: Number(code) } }],
    [422, { message: text, error: { code, message: text } }],
    [400, { message: "", error: { code: null, message: text } }],
    [400, { error: { message: text } }],
    [404, { message: text, error: null }],
  ];

  test.each(spellings)("is HTTP %i %j", (status, body) => {
    const outcome = read(status, body);
    expect(outcome.kind).toBe(kind);
    const stop = outcome.kind === "deferred" ? outcome.stop : null;
    expect(stop?.until).toBe(until);
    expect("code" in outcome ? outcome.code : "111").toBe(code);
  });

  test("has its own message, for people and as the reason of a stop", () => {
    const { outcome } = readPayoutAnswer({
      status: 200,
      body: JSON.stringify({ message: text }),
      dateOffsetMs: 0,
    });
    const words = ERROR_CODES[code]?.says ?? "";
    expect(words).toMatch(/^[a-z].{8,}[a-z]$/i);
    if (outcome.kind === "duplicate") return;
    const stop = outcome.kind === "deferred" ? outcome.stop : null;
    expect("text" in outcome ? outcome.text : "").toBe(words);
    expect(stop?.reason ?? words).toContain(words);
  });

  test("is in doubt when truncated anywhere (F44)", () => {
    const body = JSON.stringify({ success: true, message: text });
    for (let length = 0; length < body.length; length += 1) {
      expect(read(200, body.slice(0, length)).kind).toBe("in_doubt");
    }
  });
});

describe("accepted", () => {
  test.each([
    "request withdraw successful",
    "[WD] request withdraw successful",
    "[wd]  Request Withdraw Successful ",
  ])("is %j on a 2xx", (message) => {
    expect(read(200, { success: true, message })).toEqual({ kind: "accepted" });
    expect(read(201, { message })).toEqual({ kind: "accepted" });
    expect(read(200, { message, error: null })).toEqual({ kind: "accepted" });
    for (const error of [false, "", 0, [], {}, { code: 0, message: "" }, { code: null }]) {
      expect(read(200, { message, error })).toEqual({ kind: "accepted" });
    }
    for (const error of [true, "x", 7, [7], { code: 7 }, { reason: "x" }]) {
      expect(read(200, { message, error })).toMatchObject({ kind: "in_doubt" });
    }
    expect(read(200, { success: false, message, encrypted_data: "x" })).toEqual({
      kind: "accepted",
    });
  });

  test.each([100, 199, 206, 300, 301, 399, 400, 401, 403, 429, 500, 502])(
    "is not HTTP %i",
    (status) => {
      expect(read(status, { message: "request withdraw successful" }).kind).not.toBe("accepted");
    },
  );

  test.each([
    { success: true, message: "request withdraw successful!" },
    { success: true, message: "request [WD] withdraw successful" },
    { success: true, message: "request withdraw successful, error code 120" },
    { success: true, message: "request withdraw successful", error: { code: "120" } },
    { success: true, message: "request withdraw successful", error: { code: "E1" } },
    { success: true, message: ["request withdraw successful"] },
    '{"message":"x, error code 120","message":"request withdraw successful"}',
    ["request withdraw successful"],
    '"request withdraw successful"',
    "request withdraw successful",
  ])("treats %j as doubt (F47)", (body) => {
    expect(read(200, body).kind).toBe("in_doubt");
  });
});

describe("doubt (F39, F40, F42, F45, F47, F48)", () => {
  test.each<[number, unknown]>([
    [200, ""],
    [200, "<html><body>Welcome</body></html>"],
    [200, { success: true }],
    [200, { success: true, message: "Your request is being looked at" }],
    [200, { success: false, message: "processing" }],
    [200, { message: "x, error code 100" }],
    [200, { message: "x, error code 1200" }],
    [200, { message: "x, error code 12" }],
    [200, { message: "x, error code 120.5" }],
    [200, { message: "x, error code 120,5" }],
    [200, { message: "x, error code 120, error code 121" }],
    [400, { message: "x, error code 120", error: { code: "119" } }],
    [400, { message: "Bad Request" }],
    [403, "<html>"],
    [403, { message: "Forbidden" }],
    [429, { message: "Too Many Attempts." }],
    [301, { message: "[WD] Invalid IFSC Code! Please try again, error code 120" }],
    [302, ""],
    [500, { message: "Server Error" }],
    [502, "<html>"],
    [503, { message: "x, error code 117" }],
    [500, { message: "x, error code 111" }],
    [401, { message: "x, error code 120" }],
  ])("is HTTP %i %j", (status, body) => {
    expect(read(status, body).kind).toBe("in_doubt");
  });
});

describe("a refusal is stated, not merely mentioned (F48)", () => {
  const kindOf = (code: string) => CLASSES[code]?.[0] ?? "";
  const codes = Object.keys(CLASSES).filter((code) => /declined|deferred/.test(kindOf(code)));

  test.each<[number, unknown]>([
    [200, { success: true, message: "Accepted; for refusals see error code %" }],
    [200, { success: true, message: "First try failed, error code %, it is tried again" }],
    [200, { message: "error code % was mended" }],
    [200, { message: "Invalid IFSC Code, error code % (see the manual)" }],
    [200, { message: "処理中です error code %" }],
    [200, { success: "queued", message: "error code % is what a refusal would name" }],
    [402, { message: "", error: "see error code %" }],
    [500, { message: "Refused", error: { message: "error code % or another" } }],
    [600, { message: "see error code %" }],
  ])("treats HTTP %i %j as doubt", (status, body) => {
    for (const code of codes) {
      expect(read(status, JSON.parse(JSON.stringify(body).replace("%", code)))).toMatchObject({
        kind: "in_doubt",
        code: "unknown_message",
      });
    }
  });

  test("keeps its message", () => {
    const message = "Queued, see error code 120";
    expect(
      readPayoutAnswer({ status: 409, body: JSON.stringify({ message }), dateOffsetMs: 0 }),
    ).toEqual({
      outcome: { kind: "in_doubt", code: "unknown_message", text: `HTTP 409: ${message}` },
      code: "120",
      message,
    });
    expect(read(200, { error: "see error code 120" })).toMatchObject({
      text: "error code 120 in a text",
    });
  });

  test.each<[number, unknown]>([
    [200, { message: "Refused. Error code: %." }],
    [200, { message: "Refused (error code %)" }],
    [200, { message: "[WD] error code %" }],
    [200, { message: "Refused!error code %!!" }],
    [400, { message: "Refused", error: { message: "Refused - error code %" } }],
    [402, { message: "see error code %", error: { code: "%" } }],
    [402, { message: "see error code %", error: "Refused, error code %" }],
    // Refused, next to other words.
    [400, { message: "Error code %: a refusal that begins with it" }],
    [422, { message: "refused with error code %" }],
    [200, { success: false, message: "Error code % - refused" }],
    [200, { success: 0, message: "Error code % - refused" }],
    [200, { success: "false", message: "Error code % - refused" }],
  ])("treats HTTP %i %j as a refusal", (status, body) => {
    for (const code of codes) {
      expect(read(status, JSON.parse(JSON.stringify(body).replaceAll("%", code)))).toMatchObject({
        kind: kindOf(code),
        code,
      });
    }
  });
});

test("accepts a documented refusal in a 5xx (F39)", () => {
  expect(read(500, { message: "[WD] Invalid IFSC Code!, error code 120" })).toMatchObject({
    kind: "declined",
    code: "120",
  });
});

test("stops the lane for a person on HTTP 401, whatever the body (F41)", () => {
  for (const body of [
    { message: "[DP] Unauthorize" },
    "",
    "<html>",
    { message: "x, error code 115" },
    { message: "see error code 115 in the manual" },
  ]) {
    expect(read(401, body)).toMatchObject({ kind: "deferred", stop: { until: "person" } });
  }
});

test("treats HTTP 401 with an acceptance message as doubt, because the two contradict", () => {
  const body = { success: true, message: "request withdraw successful" };
  expect(read(401, body)).toMatchObject({
    kind: "in_doubt",
    code: "conflict",
    text: "HTTP 401, but the response reports acceptance",
  });
});

test("stops the lane for a person on 124 in a 403 (F116)", () => {
  expect(read(403, { message: REFUSAL_TEXTS["124"] })).toMatchObject({
    kind: "deferred",
    stop: { until: "person" },
  });
});

test("stops the lane on a refused timestamp only when the clocks differ (F61, F115)", () => {
  const body = { message: REFUSAL_TEXTS["112"] };
  for (const offset of [0, 60_000, -60_000, null]) {
    expect(read(200, body, offset)).toMatchObject({ kind: "deferred", stop: null });
  }
  expect(read(200, { message: REFUSAL_TEXTS["113"] }, 7_200_000)).toMatchObject({ stop: null });
  expect(read(200, body, 7_200_000)).toMatchObject({
    stop: {
      until: "wait",
      reason: "the clocks differ too much: payrun's is 7200 s behind the gateway's",
    },
  });
  expect(read(200, body, -61_000)).toMatchObject({
    stop: {
      until: "wait",
      reason: "the clocks differ too much: payrun's is 61 s ahead of the gateway's",
    },
  });
});

test("reads a text of blanks in no time", () => {
  const startedMs = performance.now();
  for (const text of ["error", "error code", "error code:"]) {
    expect(read(200, { message: text + " ".repeat(250_000) }).kind).toBe("in_doubt");
  }
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});

test("keeps the gateway's codes only in the answers table", () => {
  const client = readFileSync(new URL("../../src/gateway/client.ts", import.meta.url), "utf8");
  expect(client).not.toMatch(/\b1[0-3]\d\b/);
});
