import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API } from "#api/api.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { SendTimeInput } from "#api/schedule/send-times.ts";
import { type Answer, startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const at = ({ status, json }: Answer) => [
  status,
  json.code,
  ...(json.places ?? []).map(({ place }: { place: string }) => place),
];

describe("a request", () => {
  test.each([
    ["GET", "/api/batches/B1%00", undefined, "params.id"],
    ["GET", "/api/batches?text=a%00b", undefined, "query.text"],
    ["GET", "/api/batches/B1/rows?after=2147483648", undefined, "query.after"],
    ["GET", "/api/payouts?batch=B1&line=2147483648", undefined, "query.line"],
    ["GET", "/api/payouts?reference=%00", undefined, "query.reference"],
    ["POST", "/api/session", { email: "a\0@example.test", password: "x" }, "body.email"],
    ["POST", "/api/session", { email: "a@example.test", password: "\ud800" }, "body.password"],
    ["POST", "/api/session", { email: { deep: ["\0"] } }, "body.email.deep.0"],
    ["POST", "/api/session", { "a\0": 1 }, "body"],
  ])(
    "refuses characters that the ledger cannot store: %s %s",
    async (method, path, body, place) => {
      const by = method === "POST" ? server.nobody : server.as("admin");
      const answer = await by.send(method, path, body === undefined ? {} : { body });
      expect(at(answer)).toEqual([400, "invalid_request", place]);
      expect(answer.text).not.toContain("\\u0000");
    },
  );

  test("refuses a body in another encoding, whose letters would be lost", async () => {
    const headers = { "content-type": "application/json; charset=iso-8859-1" };
    const pause = (bytes: Buffer) =>
      server.as("operator").post("/api/lanes/pause", bytes, { headers });
    const text = '{"lane":"all","reason":"José asks for it"}';
    const answer = await pause(Buffer.from(text, "latin1"));
    expect([...at(answer), answer.json.detail]).toEqual([
      400,
      "invalid_request",
      "The body is not valid UTF-8.",
    ]);
    expect((await pause(Buffer.from(`\uFEFF${text}`))).status).toBeLessThan(300);
    await server.as("operator").post("/api/lanes/resume", { lane: "all", reason: "on" });
  });

  test.each([
    ["text/plain", "reason=later"],
    ["application/x-www-form-urlencoded", "reason=later"],
    ["", '{"reason":"later"}'],
    ["application/octet-stream", '{"reason":"later"}'],
  ])("names the expected body type instead of %j", async (type, body) => {
    const headers = { "content-type": type };
    const answer = await server.as("operator").post("/api/lanes/rate-limits", body, { headers });
    expect(at(answer)).toEqual([415, "unsupported_type"]);
    expect(answer.json.detail).toContain("application/json");
  });

  test.each(["application/json", "multipart/form-data; boundary=x"])(
    "names the type of a file before it is read: %s",
    async (type) => {
      const headers = { "content-type": type };
      const path = "/api/batches/X1/corrections?file_name=a.csv";
      const answer = await server.as("uploader").post(path, "user_id,currency_code", { headers });
      expect(at(answer)).toEqual([415, "unsupported_type"]);
      expect(answer.json.detail).toContain("application/octet-stream");
    },
  );

  test.each([
    ["GET", "/api/batches?states=approved", "states"],
    ["GET", "/api/batches/B1/rows?severty=error", "severty"],
    ["POST", "/api/batches?file_name=a.csv&expected_rows=3", "expected_rows"],
    ["POST", "/api/batches/B1/corrections?file_name=a.csv&foo=1", "foo"],
  ])("refuses an unknown query parameter: %s %s", async (method, path, word) => {
    const body = method === "POST" ? { body: "x" } : {};
    const answer = await server.as("uploader").send(method, path, body);
    expect(at(answer)).toEqual([400, "invalid_request", "query"]);
    expect(answer.json.places[0].message).toBe(`unknown name: ${word}`);
  });

  test.each([
    "/api/audit?actoin=approve",
    "/api/audit-export?limit=5",
    "/api/audit/verify?haed=1:00",
    "/api/audit/actions?action=approve",
    "/api/payout-limits?currency=INR",
  ])("refuses it even where ignoring it would return a longer list: %s", async (path) => {
    const answer = await server.as("auditor").get(path);
    expect(at(answer)).toEqual([400, "invalid_request", "query"]);
  });

  test("lists the errors of all parts of a request together", async () => {
    const pause = (body?: object) => server.as("operator").post("/api/lanes/pause?now=1", body);
    const unknown = { place: "query", message: "unknown name: now" };
    expect((await pause({ lane: "", reason: 1 })).json.places).toEqual([
      unknown,
      { place: "body.lane", message: "must have at least 1 character" },
      { place: "body.reason", message: "must be text" },
    ]);
    expect((await pause()).json.places).toEqual([
      unknown,
      { place: "body", message: "is missing: an object" },
    ]);
  });

  test("refuses an unknown query parameter in every operation with a query", () => {
    const operations: Readonly<Record<string, ApiOperation>> = API;
    const deaf = Object.entries(operations).filter(([, { query }]) => {
      const read = query?.safeParse({ unheard_of: "1" });
      return read && !read.error?.issues.some(({ code }) => code === "unrecognized_keys");
    });
    expect(deaf.map(([name]) => name)).toEqual([]);
  });

  test.each([
    ["a name with a line break", "file_name=a%0Ab.csv", "query.file_name"],
    ["a name with an escape", "file_name=a%1B[2J.csv", "query.file_name"],
    ["a name with a C1 control", "file_name=a%C2%9B.csv", "query.file_name"],
    ["a purpose with a direction override", "file_name=a.csv&purpose=a%E2%80%AEb", "query.purpose"],
  ])("refuses %s", async (_what, query, place) => {
    const answer = await server.as("uploader").post(`/api/batches?${query}`, "x");
    expect(at(answer)).toEqual([400, "invalid_request", place]);
  });

  test.each([
    ["GET", "/api/batches?state=x", "query.state", /^one or more of .*awaiting_approval/],
    [
      "GET",
      "/api/batches?state=approved&state=x",
      "query.state",
      /^one or more of .*awaiting_approval/,
    ],
    ["POST", "/api/batches?file_name=a.csv&expect_sum=5", "query.expect_sum", /INR=1234\.50/],
    [
      "POST",
      "/api/batches?file_name=a.csv&expect_sum=INR%3D5&expect_sum=6",
      "query.expect_sum.1",
      /INR=1234\.50/,
    ],
    [
      "POST",
      "/api/batches?file_name=a.csv&expect_sum=INR%3D5&expect_sum=INR%3D6",
      "query.expect_sum",
      /a currency appears twice/,
    ],
  ])("states the expected value: %s %s", async (method, path, place, expected) => {
    const body = method === "POST" ? { body: "x" } : {};
    const answer = await server.as("uploader").send(method, path, body);
    expect(at(answer).slice(0, 2)).toEqual([400, "invalid_request"]);
    expect(answer.json.places).toEqual([{ place, message: expect.stringMatching(expected) }]);
  });

  test("states how to write a send time", () => {
    const { error } = SendTimeInput.safeParse("tomorrow");
    expect(error?.issues[0]?.message).toContain("2026-12-31 09:00 Asia/Kolkata");
  });

  test("accepts a multi-line reason as one, and refuses one that moves the cursor", async () => {
    const pause = (reason: string) =>
      server.as("operator").post("/api/lanes/pause", { lane: "all", reason });
    expect(at(await pause("later\u001b[1A"))).toEqual([400, "invalid_request", "body.reason"]);
    expect((await pause("later,\r\nsaid the bank")).status).toBeLessThan(300);
    const { json } = await server.as("operator").get("/api/operations");
    expect(JSON.stringify(json)).toContain("later, said the bank");
    await server.as("operator").post("/api/lanes/resume", { lane: "all", reason: "on" });
  });

  test.each([5e-324, 0.0002])("refuses an invalid rate: %d per second", async (rate) => {
    const body = { lane: "M1/INR", rate, reason: "slowly" };
    const answer = await server.as("operator").post("/api/lanes/rate-limits", body);
    expect(at(answer)).toEqual([400, "invalid_request", "body.rate"]);
    expect(answer.json.places[0].message).toContain("one payout per hour");
  });

  test("refuses to set unknown lane properties", async () => {
    const body = { lane: "M1/INR", rate: 1, reason: "slowly", burst: 3 };
    const answer = await server.as("operator").post("/api/lanes/rate-limits", body);
    expect(at(answer)).toEqual([400, "invalid_request", "body"]);
  });
});
