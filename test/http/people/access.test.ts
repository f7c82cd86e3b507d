/** Every API operation × every kind of caller. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { API } from "#api/api.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { systemClock } from "#base/clock.ts";
import { KEY_SCOPES, ROLE_NAMES } from "#people/roles.ts";
import { ACCESS, ANSWERS, type Principal } from "../../support/actions/access-matrix.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { peopleOf } from "../../support/actions/people.ts";

const OPERATIONS = Object.entries<ApiOperation>(API);
/** The test server's response instead of the work: a caller who gets it is authorised. */
const LET_IN = "let in";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const { steppedUp } = peopleOf(() => server, systemClock);

async function asks(caller: Caller, name: string): Promise<string> {
  const [method = "", path = ""] = name.split(" ");
  const asked = { headers: { "x-stop-at-the-door": "1" } };
  const answer = await caller.send(method, path.replaceAll(/:\w+/g, "X1"), asked);
  return answer.status === 299 ? LET_IN : answer.json.code;
}

/** Response of every operation to every caller. */
async function walk(caller: Caller): Promise<Record<string, string>> {
  const told: Record<string, string> = {};
  for (const [name] of OPERATIONS) told[name] = await asks(caller, name);
  return told;
}

/** The matrix entry of each operation for one caller. */
const written = (who: Principal, change: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    [...ACCESS].map(([name, cells]) => {
      const answer = ANSWERS[cells[who]];
      return [name, change[answer] ?? answer];
    }),
  );

const expected = (tell: (operation: ApiOperation) => string): Record<string, string> =>
  Object.fromEntries(OPERATIONS.map(([name, operation]) => [name, tell(operation)]));

const notForPublic =
  (code: string) =>
  ({ permission }: ApiOperation) =>
    permission === "public" ? LET_IN : code;

describe("authorisation", () => {
  test("serves every operation of the table", () => {
    const missing = OPERATIONS.filter(([name]) => {
      const [method = "", url = ""] = name.split(" ");
      return !server.app.hasRoute({ method, url });
    });
    expect(missing.map(([name]) => name)).toEqual([]);
    expect(OPERATIONS.length).toBeGreaterThan(20);
  });

  test("has exactly one line in the matrix per operation", () => {
    expect([...ACCESS.keys()].toSorted()).toEqual(OPERATIONS.map(([name]) => name).toSorted());
  });

  test("refuses anonymous callers except where everybody is allowed", async () => {
    expect(await walk(server.nobody)).toEqual(written("nobody"));
  });

  test.each(ROLE_NAMES)("%s", async (role) => {
    expect(await walk(server.as(role))).toEqual(written(role));
  });

  test.each(ROLE_NAMES)("gives %s no other right after a second proof", async (role) => {
    const user = await steppedUp(await server.newUser([role]));
    expect(await walk(user)).toEqual(written(role, { step_up_required: LET_IN }));
  });

  test("lets authorised users in after a second proof", async () => {
    const { newUser, deps } = server;
    const everybody = await newUser(ROLE_NAMES);
    const until = new Date(deps.clock.nowMs() + 60_000);
    const { database } = deps;
    await database
      .updateTable("sessions")
      .set({ stepped_up_until: until })
      .where("user_id", "=", everybody.userId)
      .execute();
    expect(await walk(everybody)).toEqual(expected(() => LET_IN));
  });

  test.each(KEY_SCOPES)("a key with the scope %s", async (scope) => {
    expect(await walk(await server.newKey([scope]))).toEqual(written(`key ${scope}`));
  });

  test("gives a key with every scope only the union of their rights", async () => {
    const key = await server.newKey(KEY_SCOPES);
    const told = await walk(key);
    const all = KEY_SCOPES.map((scope) => written(`key ${scope}`));
    for (const [name, code] of Object.entries(told)) {
      const each = all.map((cells) => cells[name]);
      const wanted = [LET_IN, "people_only", "forbidden"].find((answer) => each.includes(answer));
      expect([name, code]).toEqual([name, wanted]);
    }
  });

  test.each([
    ["an idle session", { seen_at: new Date(0) }],
    ["a session that is too old", { expires_at: new Date(0) }],
    ["a session that was ended", { ended_at: new Date(0) }],
    ["a session created over https", { secure: true }],
  ])("refuses %s", async (_what, change) => {
    const user = await server.newUser(ROLE_NAMES);
    const { database } = server.deps;
    await database.updateTable("sessions").set(change).where("user_id", "=", user.userId).execute();
    expect(await walk(user)).toEqual(expected(notForPublic("session_expired")));
  });

  test("refuses a disabled user", async () => {
    const user = await server.newUser(ROLE_NAMES);
    const { database } = server.deps;
    const change = { disabled_at: new Date() };
    await database.updateTable("users").set(change).where("id", "=", user.userId).execute();
    expect(await walk(user)).toEqual(expected(notForPublic("session_expired")));
  });

  test.each([
    ["expired", { expires_at: new Date(0) }],
    ["revoked", { revoked_at: new Date(0) }],
  ])("refuses a key that is %s", async (_what, change) => {
    const key = await server.newKey(KEY_SCOPES);
    const { database } = server.deps;
    await database.updateTable("api_keys").set(change).where("id", "=", key.userId).execute();
    expect(await walk(key)).toEqual(expected(notForPublic("key_invalid")));
  });

  test("gives no key a right that needs an accountable person", () => {
    expect(KEY_SCOPES).not.toContain("approve");
    expect(KEY_SCOPES).not.toContain("administer");
  });
});

describe("a request forged by another page", () => {
  const CHANGES = OPERATIONS.filter(
    ([name, { permission }]) => !name.startsWith("GET") && permission !== "public",
  );

  test.each([
    ["without the token", { "x-payrun-csrf": "" }],
    ["with the token of another session", { "x-payrun-csrf": "A".repeat(43) }],
    ["from another origin", { origin: "https://evil.example" }],
    ["from an opaque origin", { origin: "null" }],
    ["from another site", { "sec-fetch-site": "cross-site" }],
    ["from a sibling site", { "sec-fetch-site": "same-site" }],
  ])("changes nothing %s", async (_what, headers) => {
    const user = await server.newUser(ROLE_NAMES);
    for (const [name] of CHANGES) {
      const [method = "", path = ""] = name.split(" ");
      const url = path.replaceAll(/:\w+/g, "X1");
      const answer = await user.send(method, url, {
        headers: { "x-stop-at-the-door": "1", ...headers },
      });
      expect([name, answer.json.code]).toEqual([name, "cross_site_request"]);
    }
  });

  test("signs nobody in", async () => {
    const { json } = await server.nobody.post(
      "/api/session",
      { email: "a@example.test", password: "b" },
      { headers: { origin: "https://evil.example" } },
    );
    expect(json.code).toBe("cross_site_request");
  });

  test("is accepted from payrun's own page", async () => {
    const own = {
      origin: "http://localhost:8080",
      "sec-fetch-site": "same-origin",
      host: "localhost:8080",
    };
    const { status } = await server.as("viewer").send("DELETE", "/api/session", {
      headers: { ...own, "x-stop-at-the-door": "1" },
    });
    expect(status).toBe(299);
  });
});
