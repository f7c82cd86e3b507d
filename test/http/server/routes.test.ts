import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fastify } from "fastify";
import { denyByDefault } from "#http/server/access.ts";
import { API } from "#api/api.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

describe("the API", () => {
  test("reports the signed-in user and their rights", async () => {
    const { status, json } = await server.as("approver").get("/api/session");
    expect(status).toBe(200);
    expect(json.person).toMatchObject({
      roles: ["approver"],
      permissions: ["read", "approve", "reveal"],
    });
    expect(json.csrf_token).toMatch(/^[\w-]{43}$/);
    expect((await server.nobody.get("/api/session")).json).toMatchObject({
      person: null,
      csrf_token: null,
    });
  });

  test("is not cached, and its answers run nothing", async () => {
    const { headers } = await server.nobody.get("/api/session");
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["content-security-policy"]).toMatch(
      /^default-src 'none';script-src 'self' 'nonce-/,
    );
  });

  test("describes itself, operation by operation", async () => {
    const { json } = await server.nobody.get("/api/openapi.json");
    const told = Object.entries<object>(json.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map(
        (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
      ),
    );
    expect(told.sort()).toEqual(Object.keys(API).sort());
  });

  test("answers unknown paths with a problem", async () => {
    const { status, headers, json } = await server.nobody.get("/api/nothing");
    expect(status).toBe(404);
    expect(headers["content-type"]).toMatch(/^application\/problem\+json/);
    expect(json).toMatchObject({ code: "not_found", status: 404 });
  });

  test.each(["/api/batches/%ff", "/%ff", "/api/%E0%A4%A?a=b"])(
    "answers an undecodable address with a problem: %s",
    async (path) => {
      const { status, headers, json } = await server.as("viewer").get(path);
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
      server.nobody.get("/api/batches"),
      server.nobody.send("GET", "/api/batches", wrongKey),
      server.nobody.send("POST", "/api/session", wrongPassword),
    ]);
    for (const { status, headers } of refused) {
      expect([status, headers["www-authenticate"]]).toEqual([401, 'Bearer realm="payrun"']);
    }
    expect((await server.as("viewer").get("/api/batches")).headers).not.toHaveProperty(
      "www-authenticate",
    );
  });

  test.each([
    ["PUT", "/api/batches", "GET, HEAD, POST"],
    ["DELETE", "/api/batches/B1?a=b", "GET, HEAD"],
    ["GET", "/api/lanes/rate-limits", "POST"],
  ])("lists the methods of an address: %s %s", async (method, path, allow) => {
    const { status, headers, json } = await server.as("admin").send(method, path);
    expect([status, json.code, headers["allow"]]).toEqual([405, "method_not_allowed", allow]);
    expect(json.detail).toBe(`${path.split("?")[0]} does not support ${method}. Use ${allow}.`);
  });

  test.each([
    ["/api/batches/NOPE/reschedule", { at: "2099-12-31 09:00 UTC" }],
    ["/api/schedules/NOPE/pause", {}],
    ["/api/schedules/NOPE/resume", {}],
    ["/api/schedules/NOPE/remove", {}],
    ["/api/schedules/NOPE/decide", { decision: "skip", days: ["2026-12-31"] }],
    ["/api/schedules/NOPE/occurrences/2026-12-31/decide", { decision: "skip" }],
  ])("reports missing objects as not found: %s", async (path, more) => {
    const answer = await server.as("operator").post(path, { reason: "a test", ...more });
    expect([answer.status, answer.json.code]).toEqual([404, "not_found"]);
  });

  test("states the maximum size of a body that is not a file", async () => {
    const body = { lane: "all", reason: "x".repeat(70_000) };
    const { json } = await server.as("operator").post("/api/lanes/pause", body);
    expect([json.code, json.detail]).toEqual(["too_large", expect.stringContaining("65536 bytes")]);
  });

  test("creates no schedule without a future time", async () => {
    const rule = { every: "once", date: "2020-01-31" };
    const calendar = { rule, time: "09:00", zone: "Asia/Kolkata" };
    const { json: uploaded } = await server
      .as("uploader")
      .post("/api/batches?file_name=list.csv", fileText(rowsOf(1)));
    const body = { name: "over", list: uploaded.batch.batch_id, calendar };
    const { status, json } = await server.as("uploader").post("/api/schedules", body);
    expect([status, json.code]).toEqual([422, "time_passed"]);
    expect((await server.as("viewer").get("/api/schedules")).json.items).toEqual([]);
  });

  test("does not start with a route that lacks a permission rule", async () => {
    const app = fastify();
    denyByDefault(app, server.deps);
    app.get("/forgotten", async () => "all the money");
    await expect(app.ready()).rejects.toThrow("/forgotten");
  });
});
