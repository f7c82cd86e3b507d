/**
 * Input that payrun's pages never send, at every operation and path. payrun answers each without a
 * server error.
 */
import { METHODS } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { API } from "#api/api.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { systemClock } from "#base/clock.ts";
import { ROLE_NAMES } from "#people/roles.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { peopleOf } from "../../support/actions/people.ts";

const OPERATIONS = Object.entries<ApiOperation>(API)
  .filter(([, { answer }]) => answer !== "events")
  .map(([name, operation]) => {
    const [method = "", path = ""] = name.split(" ");
    return { name, method, path, url: path.replaceAll(/:\w+/g, "X1"), operation };
  });

let server: TestServer;
let everybody: Caller;
let port: number;
beforeAll(async () => {
  server = await startTestServer();
  everybody = await server.newUser(ROLE_NAMES);
  await peopleOf(() => server, systemClock).steppedUp(everybody);
  port = Number(new URL(await server.listen()).port);
});
afterAll(() => server.close());

const fieldsOf = (schema: z.ZodType | undefined): string[] => {
  if (!schema) return [];
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.keys(properties);
};

const tell = async (method: string, url: string, faults: string[]): Promise<number> => {
  const { status, json } = await everybody.send(method, url);
  if (status >= 500) faults.push(`${method} ${url.slice(0, 120)}: ${status} ${json?.code}`);
  return status;
};

const withQuery = (url: string, query: Record<string, string>): string =>
  `${url}?${new URLSearchParams(query).toString()}`;

const sealed = (place: unknown): string => Buffer.from(JSON.stringify(place)).toString("base64url");

describe("a tampered cursor", () => {
  test.each([
    ["no time", sealed([1, "yesterday", "1.00"])],
    ["an empty time", sealed([1, "", "1.00"])],
    ["a month that no year has", sealed([1, "2026-13-45 00:00:00+00", "1.00"])],
    ["a day that no month has", sealed([1, "2026-02-30 00:00:00+00", "1.00"])],
    ["a time out of range", sealed([1, "999999-01-01 00:00:00+00", "1.00"])],
    ["SQL", sealed([1, "2026-01-01'; drop table payouts; --", "1.00"])],
    ["a keyword that PostgreSQL reads as a time", sealed([1, "infinity", "1.00"])],
    ["a fraction", sealed([1.5, "2026-01-01 00:00:00+00", "1.00"])],
    ["a number beyond any range", sealed([2 ** 60, "2026-01-01 00:00:00+00", "1.00"])],
    ["an object", sealed({ 0: 1, 1: "2026-01-01 00:00:00+00" })],
    ["an amount that is not a number", sealed([1, "2026-01-01 00:00:00+00", "NaN"])],
    ["no JSON", "%%%"],
    ["a position of another list", "1.B1"],
  ])("with %s is refused by the list of payouts", async (_what, cursor) => {
    const query = new URLSearchParams({ cursor, sort: "changed" });
    const { status, json } = await everybody.get(`/api/payouts?${query.toString()}`);
    expect([status, json.code]).toEqual([400, "invalid_request"]);
    expect(json.places).toMatchObject([{ place: "query.cursor" }]);
  });

  test("is accepted when payrun wrote it", async () => {
    for (const at of ["2026-02-28 23:59:59.123456+05:30", "2026-02-28 23:59:59-03"]) {
      const query = new URLSearchParams({ cursor: sealed([1, at, "1.00"]), sort: "changed" });
      expect((await everybody.get(`/api/payouts?${query.toString()}`)).status).toBe(200);
    }
  });

  test("causes no server error in any list", async () => {
    const lists = OPERATIONS.filter(({ operation }) =>
      fieldsOf(operation.query).includes("cursor"),
    );
    expect(lists.length).toBeGreaterThanOrEqual(4);
    const cursors = [
      sealed([2 ** 40]),
      sealed([-1]),
      sealed(["x"]),
      sealed(null),
      "999999999999999",
      "999999999999999.B1",
      `1.B${"1".repeat(400)}`,
      "-1.B1",
    ];
    const faults: string[] = [];
    for (const { method, url } of lists) {
      for (const cursor of cursors) await tell(method, withQuery(url, { cursor }), faults);
    }
    expect(faults).toEqual([]);
  });
});

const VALUES = [
  "'; drop table payouts; --",
  "\\' or 1=1 --",
  "9223372036854775808",
  "1e309",
  "2026-02-30",
  "+275760-09-13T00:00:00.001Z",
  "../../../../etc/passwd",
  "a".repeat(3_000),
];

describe("a hostile value", () => {
  test("causes no server error in a query", { timeout: 120_000 }, async () => {
    const faults: string[] = [];
    for (const { method, url, operation } of OPERATIONS) {
      for (const field of fieldsOf(operation.query)) {
        for (const value of VALUES) await tell(method, withQuery(url, { [field]: value }), faults);
      }
    }
    expect(faults).toEqual([]);
    const { database } = server.deps;
    const { count } = await database
      .selectFrom("payouts")
      .select((row) => row.fn.countAll().as("count"))
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(0);
  });

  test("causes no server error in a path", { timeout: 120_000 }, async () => {
    const faults: string[] = [];
    for (const { method, path } of OPERATIONS.filter(({ path }) => path.includes(":"))) {
      for (const value of VALUES)
        await tell(method, path.replaceAll(/:\w+/g, encodeURIComponent(value)), faults);
    }
    expect(faults).toEqual([]);
  });

  test("is not found when it is longer than any id", async () => {
    const long = "B".repeat(101);
    const { status, json } = await everybody.post(`/api/batches/${long}/request-approval`, {});
    expect([status, json.code]).toEqual([404, "not_found"]);
  });
});

/** Status of the response to raw bytes that no client sends. */
const statusOf = (bytes: string): Promise<number> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.on("data", (data) => (answer += data));
    socket.once("close", () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1])));
    socket.once("error", reject);
  });

const requestOf = (method: string, path: string, headers: readonly string[] = []): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    `cookie: ${everybody.headers["cookie"]}`,
    `x-payrun-csrf: ${everybody.headers["x-payrun-csrf"]}`,
    "connection: close",
    ...headers,
    "\r\n",
  ].join("\r\n");

describe("raw requests over a connection", () => {
  test("cause no server error with any method", async () => {
    const paths = ["/", "/api/batches", "/api/nothing", "/api/docs/", "/pay/x", "/healthz"];
    const faults: string[] = [];
    for (const method of METHODS.filter((each) => each !== "CONNECT")) {
      for (const path of paths) {
        for (const headers of [[], ["content-type: text/x-nobody", "content-length: 0"]]) {
          const status = await statusOf(requestOf(method, path, headers));
          if (!(status < 500)) faults.push(`${method} ${path} ${headers[0] ?? ""}: ${status}`);
        }
      }
    }
    expect(faults).toEqual([]);
  });

  test("find nothing with QUERY at a payment page", async () => {
    expect(await statusOf(requestOf("QUERY", "/pay/x"))).toBe(404);
  });

  test("cause no server error with an oversized form at a payment page", async () => {
    const headers = [
      "content-type: application/x-www-form-urlencoded",
      `content-length: ${10 * 1024 * 1024}`,
    ];
    expect(await statusOf(requestOf("POST", "/pay/x/account", headers))).toBe(404);
  });

  test.each([
    "/api/docs/%00",
    "/api/docs/../../package.json",
    "/api/docs/%2e%2e/%2e%2e/package.json",
    "/api/docs/..%2f..%2fpackage.json",
    "/api/docs/%5c..%5cpackage.json",
    "/api/docs/index.html%00.png",
    `/api/docs/static/${"a".repeat(4_000)}`,
    "/api/board/static/%00",
    "/api/board/static/../../../package.json",
    "/assets/..%2f..%2fpackage.json",
    "/api/openapi.json/%00",
    "//evil.example/%2e%2e",
  ])("find nothing at %s", async (path) => {
    expect(await statusOf(requestOf("GET", path))).toBe(404);
  });
});
