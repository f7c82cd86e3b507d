import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fastify } from "fastify";
import { denyByDefault } from "#http/server/routes.ts";
import { API } from "#api/api.ts";
import type { Operation } from "#api/app/operation.ts";
import { SendGiven } from "#api/schedule/send-times.ts";
import { type Answer, startDesk, type TestDesk } from "../../support/dashboard/server.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let desk: TestDesk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.close());

describe("the API", () => {
  test("reports the signed-in user and their rights", async () => {
    const { status, json } = await desk.as("approver").get("/api/session");
    expect(status).toBe(200);
    expect(json.person).toMatchObject({
      roles: ["approver"],
      permissions: ["read", "approve", "reveal"],
    });
    expect(json.csrf_token).toMatch(/^[\w-]{43}$/);
    expect((await desk.nobody.get("/api/session")).json).toMatchObject({
      person: null,
      csrf_token: null,
    });
  });

  test("is not cached, and its answers run nothing", async () => {
    const { headers } = await desk.nobody.get("/api/session");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none';script-src 'self' 'nonce-/,
    );
  });

  test("describes itself, operation by operation", async () => {
    expect((await desk.nobody.get("/api/openapi.json")).json).toMatchObject({
      code: "not_signed_in",
    });
    const { json } = await desk.as("viewer").get("/api/openapi.json");
    const told = Object.entries<object>(json.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
    expect(told.sort()).toEqual(Object.keys(API).sort());
    expect((await desk.as("viewer").get("/api/docs/")).text).toContain("swagger-ui");
    expect((await desk.nobody.get("/api/docs/")).status).toBe(401);
  });

  test("answers unknown paths with a problem", async () => {
    const { status, headers, json } = await desk.nobody.get("/api/nothing");
    expect(status).toBe(404);
    expect(headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(json).toMatchObject({ code: "not_found", status: 404 });
  });

  test.each(["/api/batches/%ff", "/%ff", "/api/%E0%A4%A?a=b"])(
    "answers an undecodable address with a problem: %s",
    async (path) => {
      const { status, headers, json } = await desk.as("viewer").get(path);
      expect(status).toBe(400);
      expect(headers["content-type"]).toMatch(/^application\/problem\+json/);
      expect(json).toMatchObject({
        type: "urn:payrun:problem:invalid_request",
        code: "invalid_request",
        status: 400,
        detail: expect.stringContaining("is not a valid url component"),
      });
    },
  );

  test("includes the authentication scheme with every 401", async () => {
    const wrongKey = { headers: { authorization: "Bearer pk_nothing" } };
    const wrongPassword = { body: { email: "a@example.test", password: "wrong" } };
    const refused = await Promise.all([
      desk.nobody.get("/api/batches"),
      desk.nobody.get("/api/docs/"),
      desk.nobody.send("GET", "/api/batches", wrongKey),
      desk.nobody.send("POST", "/api/session", wrongPassword),
    ]);
    for (const { status, headers } of refused) {
      expect([status, headers["www-authenticate"]]).toEqual([401, 'Bearer realm="payrun"']);
    }
    expect((await desk.as("viewer").get("/api/batches")).headers).not.toHaveProperty(
      "www-authenticate",
    );
  });

  test.each([
    ["PUT", "/api/batches", "GET, HEAD, POST"],
    ["DELETE", "/api/batches/B1?a=b", "GET, HEAD"],
    ["GET", "/api/lanes/rate-limits", "POST"],
  ])("lists the methods of an address: %s %s", async (method, path, allow) => {
    const { status, headers, json } = await desk.as("admin").send(method, path);
    expect([status, json.code, headers["allow"]]).toEqual([405, "method_not_allowed", allow]);
    expect(json.detail).toBe(`${path.split("?")[0]} does not support ${method}. Use ${allow}.`);
  });

  const at = ({ status, json }: Answer) => [
    status,
    json.code,
    ...(json.places ?? []).map(({ place }: { place: string }) => place),
  ];

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
      const by = method === "POST" ? desk.nobody : desk.as("admin");
      const answer = await by.send(method, path, body === undefined ? {} : { body });
      expect(at(answer)).toEqual([400, "invalid_request", place]);
      expect(answer.text).not.toContain("\\u0000");
    },
  );

  test("refuses a body in another encoding, whose letters would be lost", async () => {
    const headers = { "content-type": "application/json; charset=iso-8859-1" };
    const pause = (bytes: Buffer) =>
      desk.as("operator").post("/api/lanes/pause", bytes, { headers });
    const text = '{"lane":"all","reason":"José asks for it"}';
    const answer = await pause(Buffer.from(text, "latin1"));
    expect([...at(answer), answer.json.detail]).toEqual([
      400,
      "invalid_request",
      "The body is not valid UTF-8.",
    ]);
    expect((await pause(Buffer.from(`\uFEFF${text}`))).status).toBeLessThan(300);
    await desk.as("operator").post("/api/lanes/resume", { lane: "all", reason: "on" });
  });

  test.each([
    ["/api/batches/NOPE/reschedule", { at: "2099-12-31 09:00 UTC" }],
    ["/api/schedules/NOPE/pause", {}],
    ["/api/schedules/NOPE/resume", {}],
    ["/api/schedules/NOPE/remove", {}],
    ["/api/schedules/NOPE/occurrences/2026-12-31/decide", { decision: "skip" }],
  ])("reports missing objects as not found: %s", async (path, more) => {
    const answer = await desk.as("operator").post(path, { reason: "a test", ...more });
    expect(at(answer)).toEqual([404, "not_found"]);
  });

  test.each([
    ["text/plain", "reason=later"],
    ["application/x-www-form-urlencoded", "reason=later"],
    ["", '{"reason":"later"}'],
    ["application/octet-stream", '{"reason":"later"}'],
  ])("names the expected body type instead of %j", async (type, body) => {
    const headers = { "content-type": type };
    const answer = await desk.as("operator").post("/api/lanes/rate-limits", body, { headers });
    expect(at(answer)).toEqual([415, "unsupported_type"]);
    expect(answer.json.detail).toContain("application/json");
  });

  test.each(["application/json", "multipart/form-data; boundary=x"])(
    "names the type of a file before it is read: %s",
    async (type) => {
      const headers = { "content-type": type };
      const path = "/api/batches?file_name=a.csv";
      const answer = await desk.as("uploader").post(path, "user_id,currency_code", { headers });
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
    const answer = await desk.as("uploader").send(method, path, body);
    expect(at(answer)).toEqual([400, "invalid_request", "query"]);
    expect(answer.json.places[0].message).toBe(`unknown name: ${word}`);
  });

  test.each([
    "/api/audit?actoin=approve",
    "/api/audit.csv?limit=5",
    "/api/audit/verify?haed=1:00",
    "/api/audit/actions?action=approve",
    "/api/payout-limits?currency=INR",
  ])("refuses it even where ignoring it would return a longer list: %s", async (path) => {
    const answer = await desk.as("auditor").get(path);
    expect(at(answer)).toEqual([400, "invalid_request", "query"]);
  });

  test("refuses it in every operation with a query", () => {
    const operations: Readonly<Record<string, Operation>> = API;
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
    const answer = await desk.as("uploader").post(`/api/batches?${query}`, "x");
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
    const answer = await desk.as("uploader").send(method, path, body);
    expect(at(answer).slice(0, 2)).toEqual([400, "invalid_request"]);
    expect(answer.json.places).toEqual([{ place, message: expect.stringMatching(expected) }]);
  });

  test("states how to write a send time", () => {
    const { error } = SendGiven.safeParse("tomorrow");
    expect(error?.issues[0]?.message).toContain("2026-12-31 09:00 Asia/Kolkata");
  });

  test("accepts a multi-line reason as one, and refuses one that moves the cursor", async () => {
    const pause = (reason: string) =>
      desk.as("operator").post("/api/lanes/pause", { lane: "all", reason });
    expect(at(await pause("later\u001b[1A"))).toEqual([400, "invalid_request", "body.reason"]);
    expect((await pause("later,\r\nsaid the bank")).status).toBeLessThan(300);
    const { json } = await desk.as("operator").get("/api/operations");
    expect(JSON.stringify(json)).toContain("later, said the bank");
    await desk.as("operator").post("/api/lanes/resume", { lane: "all", reason: "on" });
  });

  test.each([5e-324, 0.0002])("refuses an invalid rate: %d per second", async (rate) => {
    const body = { lane: "M1/INR", rate, reason: "slowly" };
    const answer = await desk.as("operator").post("/api/lanes/rate-limits", body);
    expect(at(answer)).toEqual([400, "invalid_request", "body.rate"]);
    expect(answer.json.places[0].message).toContain("one payout per hour");
  });

  test("refuses to set unknown lane properties", async () => {
    const body = { lane: "M1/INR", rate: 1, reason: "slowly", burst: 3 };
    const answer = await desk.as("operator").post("/api/lanes/rate-limits", body);
    expect(at(answer)).toEqual([400, "invalid_request", "body"]);
  });

  test("states the maximum size of a body that is not a file", async () => {
    const body = { lane: "all", reason: "x".repeat(70_000) };
    const { json } = await desk.as("operator").post("/api/lanes/pause", body);
    expect([json.code, json.detail]).toEqual(["too_large", expect.stringContaining("65536 bytes")]);
  });

  test("creates no schedule without a future time", async () => {
    const rule = { every: "once", date: "2020-01-31" };
    const calendar = { rule, time: "09:00", zone: "Asia/Kolkata" };
    const { json: brought } = await desk
      .as("uploader")
      .post("/api/batches?file_name=list.csv", fileText(rowsOf(1)));
    const body = { name: "over", list: brought.batch.batch_id, calendar };
    const { status, json } = await desk.as("uploader").post("/api/schedules", body);
    expect([status, json.code]).toEqual([422, "time_passed"]);
    expect((await desk.as("viewer").get("/api/schedules")).json.items).toEqual([]);
  });

  test("does not start with a route that lacks a permission rule", async () => {
    const app = fastify();
    denyByDefault(app, desk.desk);
    app.get("/forgotten", async () => "all the money");
    await expect(app.ready()).rejects.toThrow("/forgotten");
  });
});
