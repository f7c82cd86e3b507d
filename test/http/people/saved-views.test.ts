/** Saved filters: one's own only, for existing pages and filters. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { VIEWS_MAX } from "#people/saved-views.ts";
import {
  type Answer,
  type Caller,
  startTestServer,
  type TestServer,
} from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer"]);
});
afterAll(() => server.close());

const VIEW = {
  page: "payouts",
  name: "Refused in INR",
  filters: { state: "declined", currency: "INR" },
};
const items = async (caller: Caller) => (await caller.get("/api/views")).json.items;

test("saves a view under its name, renames and deletes it", async () => {
  const asha = await server.newUser(["viewer"]);
  const { status, json } = await asha.post("/api/views", VIEW);
  expect([status, json]).toMatchObject([201, VIEW]);
  expect(await items(asha)).toEqual([{ id: json.id, ...VIEW }]);
  const body = { name: "Refused" };
  expect((await asha.send("PUT", `/api/views/${json.id}`, { body })).status).toBe(204);
  expect(await items(asha)).toMatchObject([body]);
  expect((await asha.send("DELETE", `/api/views/${json.id}`)).status).toBe(204);
  expect(await items(asha)).toEqual([]);
});

test("stores the search text of payouts encrypted, because it may be a name", async () => {
  const asha = await server.newUser(["viewer"]);
  const view = { page: "payouts", name: "Anna", filters: { text: "anna rao", currency: "INR" } };
  const { json } = await asha.post("/api/views", view);
  expect(json).toMatchObject(view);
  expect(await items(asha)).toMatchObject([view]);
  const { rows } = await sql<{ line: string }>`
    select v::text as line from saved_views v where id = ${json.id}`.execute(server.deps.database);
  expect(rows[0]?.line).not.toContain("anna rao");
});

test.each([
  ["deposits", { state: "completed", from: "2026-01-01" }],
  ["approvals", { show: "all", maker: "asha", text: "march" }],
])("saves a view of %s", async (page, filters) => {
  const asha = await server.newUser(["viewer"]);
  await asha.post("/api/views", { page, name: "Mine", filters });
  expect(await items(asha)).toMatchObject([{ page, filters }]);
});

test("allows a name once per person and page, regardless of case", async () => {
  const asha = await server.newUser(["viewer"]);
  await asha.post("/api/views", VIEW);
  const same = { ...VIEW, name: "REFUSED in inr" };
  expect((await asha.post("/api/views", same)).json).toMatchObject({
    code: "view_name_taken",
    detail: expect.stringContaining("REFUSED in inr"),
  });
  const elsewhere = { page: "failures", name: VIEW.name, filters: { currency: "INR" } };
  const { json } = await asha.post("/api/views", elsewhere);
  expect(json).toMatchObject(elsewhere);
  const other = await asha.post("/api/views", { ...elsewhere, name: "Other" });
  const renamed = await asha.send("PUT", `/api/views/${other.json.id}`, {
    body: { name: VIEW.name },
  });
  expect(renamed.json.code).toBe("view_name_taken");
  expect((await (await server.newUser(["viewer"])).post("/api/views", VIEW)).status).toBe(201);
});

test("keeps the views of others invisible and unchangeable", async () => {
  const [asha, bala] = [await server.newUser(["viewer"]), await server.newUser(["admin"])];
  const { id } = (await asha.post("/api/views", VIEW)).json;
  expect(await items(bala)).toEqual([]);
  const renamed = await bala.send("PUT", `/api/views/${id}`, { body: { name: "mine" } });
  const forgotten = await bala.send("DELETE", `/api/views/${id}`);
  expect([renamed.json.code, forgotten.json.code]).toEqual(["not_found", "not_found"]);
  expect(await items(asha)).toHaveLength(1);
});

test.each([
  ["another page", { page: "settings", filters: { state: "x" } }],
  ["an address", { page: "//evil.example/", filters: { state: "x" } }],
  ["a filter of another page", { page: "audit", filters: { state: "declined" } }],
  ["a position in a list", { page: "payouts", filters: { cursor: "x" } }],
  ["the beneficiary", { page: "payouts", filters: { name: "Anna Rao" } }],
  ["an account", { page: "payouts", filters: { account: "sealed" } }],
  ["no filter", { page: "payouts", filters: {} }],
  ["a filter that is not text", { page: "payouts", filters: { state: ["declined"] } }],
  ["a filter that is too long", { page: "payouts", filters: { reason: "x".repeat(301) } }],
  ["no name", { name: " " }],
  ["a name that is too long", { name: "x".repeat(61) }],
])("does not save %s", async (_what, change) => {
  const { status, json } = await server.as("viewer").post("/api/views", { ...VIEW, ...change });
  expect([status, json.code]).toEqual([400, "invalid_request"]);
});

test("enforces the saved-view limit under concurrent requests", async () => {
  const asha = await server.newUser(["viewer"]);
  const save = (at: number) => asha.post("/api/views", { ...VIEW, name: `view ${at}` });
  for (let at = 1; at < VIEWS_MAX; at++) await save(at);
  // The last slot is taken but not committed yet, so the next request waits.
  let next: Promise<Answer> | undefined;
  await server.deps.database.transaction().execute(async (transaction) => {
    await sql`select from users where id = ${asha.userId} for no key update`.execute(transaction);
    await sql`
      insert into saved_views (id, user_id, page, name, filters)
      values ('VW-last', ${asha.userId}, 'payouts', 'last', '{"state":"on_hold"}')`.execute(
      transaction,
    );
    next = save(1_000);
    await new Promise((go) => setTimeout(go, 150));
  });
  expect((await next)?.json.code).toBe("too_many_views");
  expect(await items(asha)).toHaveLength(VIEWS_MAX);
});

test("treats the same request with reordered members as a repetition, but not one with another value", async () => {
  const caller = await server.newUser(["viewer"]);
  const headers = { "idempotency-key": "view" };
  const first = await caller.post("/api/views", VIEW, { headers });
  const { page, name, filters } = VIEW;
  const { state, currency } = filters;
  const again = { filters: { currency, state }, name, page };
  const repeated = await caller.post("/api/views", again, { headers });
  expect(repeated).toMatchObject({ status: 201, headers: { "idempotency-replayed": "true" } });
  expect(repeated.json).toEqual(first.json);
  const other = await caller.post("/api/views", { ...again, name: "Other" }, { headers });
  expect([other.status, other.json.code]).toEqual([422, "idempotency_key_reused"]);
});
