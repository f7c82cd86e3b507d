/** Actions on several breaks: the preview, the breaks that still qualify, and one audit line. */
import { createHash } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { compareDay } from "#flows/reconciliation/compare-day.ts";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { force } from "../../support/servers/postgres.ts";
import { settledDayWith, uploadOf } from "../../support/reconciliation/statement-of-day.ts";

let server: TestServer;
let operator: Caller;
let approver: Caller;
let both: Caller;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "auditor", "approver"]);
  operator = await server.newUser(["operator"], "Oya Demir");
  approver = await server.newUser(["approver"], "Chen Wei");
  both = await server.newUser(["approver", "operator"], "Ben Fox");
  const url = server.deps.config.DATABASE_URL ?? "";
  const csv = await settledDayWith(url, { missing: 3, plus_one: 2 });
  const deps = { ledger: server.deps.ledger, clock: systemClock };
  const loaded = await loadStatement(uploadOf(csv, { changes: { zone: "UTC" } }), deps);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const compared = await compareDay(loaded.value.statement, "cli:asha", deps);
  if (!compared.ok) throw new Error(compared.error);
});
afterAll(() => server.close());

const listOf = async (query = "") =>
  (await server.as("viewer").get(`/api/breaks${query}`)).json.items;
const idsOf = (items: readonly { id: number }[]) => items.map(({ id }) => id);
const preview = async (action: string, body: object, by = operator) =>
  (await by.post("/api/break-actions", { action, ...body })).json;
const createBreaks = (lane: string, count: number) =>
  force(
    server.deps.config.DATABASE_URL ?? "",
    `insert into breaks (lane, day, class, code, lines, basis, comparison)
      select '${lane}', '2026-01-01', 'fee', 'X' || n, '{}', '', 'x' from generate_series(1, ${count}) n`,
  );
const linesOf = async () =>
  (await server.as("auditor").get("/api/audit?action=apply_break_action")).json.items;

test("shows how many breaks qualify, with a sum for each class, and changes nothing", async () => {
  const before = await listOf();
  const shown = await preview("assign", { filter: {} });
  expect(shown).toMatchObject({
    action: "assign",
    selected: 5,
    qualifying: { count: 5 },
    not_qualifying: [],
    applied_at: null,
    changed: null,
  });
  const kinds = new Map(
    shown.qualifying.kinds.map((kind: { class: string }) => [kind.class, kind]),
  );
  expect(kinds.get("amount")).toMatchObject({
    count: 2,
    differences: [{ currency: "INR", amount: "0.02" }],
  });
  expect(kinds.get("missing_at_gateway")).toMatchObject({ count: 3 });
  expect(await listOf()).toEqual(before);
});

test("assigns the previewed breaks once, with one line that lists them", async () => {
  const ids = idsOf(await listOf("?class=missing_at_gateway"));
  const { id } = await preview("assign", { breaks: ids });
  const assign = (by: Caller) =>
    by.post(`/api/break-actions/${id}/assign`, { to: operator.userId });
  expect((await assign(both)).json.code).toBe("not_own_preview");
  expect((await operator.post(`/api/break-actions/${id}/assign`, { to: "US0" })).status).toBe(404);
  const applied = (await assign(operator)).json;
  expect(applied).toMatchObject({ changed: 3, left: [] });
  expect((await assign(operator)).json).toEqual(applied);
  const assigned = await listOf(`?assignee=${operator.userId}`);
  expect(idsOf(assigned)).toEqual(ids);
  const lines = await linesOf();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({
    object: id,
    facts: {
      action: "assign",
      assignee: `user:${operator.userId}`,
      breaks: ids.map((each) => [each, 1]),
    },
  });
});

test("leaves a break that has changed since the preview, and says why", async () => {
  const [moved, ...rest] = idsOf(await listOf("?class=missing_at_gateway"));
  const { id } = await preview("propose", { filter: { class: "missing_at_gateway" } });
  const change = { basis: "other", version: 2 };
  await force(
    server.deps.config.DATABASE_URL ?? "",
    `update breaks set basis = '${change.basis}', version = ${change.version} where id = ${moved}`,
  );
  const body = { explanation: "Sent on the next day" };
  const applied = await operator.post(`/api/break-actions/${id}/propose`, body);
  expect(applied.json).toMatchObject({
    qualifying: { count: 3 },
    changed: 2,
    left: [{ reason: "moved", count: 1 }],
  });
  expect(idsOf(await listOf("?state=proposed"))).toEqual(rest);
  const [line] = (await linesOf()).filter(({ object }: { object: string }) => object === id);
  expect(line.facts).toMatchObject({ breaks: rest.map((each) => [each, 1]), ...body });
});

test("reports breaks that do not qualify, by reason", async () => {
  const [{ id, version }] = await listOf("?class=amount");
  await both.post(`/api/breaks/${id}/propose`, { explanation: "Rounded up", version });
  const proposals = await preview("propose", { filter: {} });
  expect(proposals).toMatchObject({
    qualifying: { count: 2 },
    not_qualifying: [{ reason: "proposed", count: 3 }],
  });
  const decision = await both.post("/api/break-decisions", { agree: true, filter: {} });
  expect(decision.json).toMatchObject({
    qualifying: { count: 2 },
    not_qualifying: expect.arrayContaining([
      { reason: "own_proposal", text: expect.any(String), count: 1 },
      { reason: "not_proposed", text: expect.any(String), count: 2 },
    ]),
    explanations: [{ explanation: "Sent on the next day", by: { name: "Oya Demir" }, count: 2 }],
  });
});

test("confirms exactly the proposals of the preview", async () => {
  const filter = { state: "proposed" };
  const { json: asked } = await approver.post("/api/break-decisions", { agree: true, filter });
  expect(asked.qualifying.count).toBe(3);
  // Another explanation replaces one that the approver saw.
  const [{ id: replaced, version }] = await listOf("?class=amount&state=proposed");
  await operator.post(`/api/breaks/${replaced}/propose`, { explanation: "Other", version });
  expect((await operator.post(`/api/break-decisions/${asked.id}/apply`)).status).toBe(403);
  const applied = await approver.post(`/api/break-decisions/${asked.id}/apply`);
  expect(applied.json).toMatchObject({ changed: 2, left: [{ reason: "moved", count: 1 }] });
  expect(await listOf("?state=resolved")).toMatchObject([
    { resolution: { by_two: true, decided_by: { name: "Chen Wei" } } },
    { resolution: { by_two: true } },
  ]);
  const [line] = (await linesOf()).filter(({ object }: { object: string }) => object === asked.id);
  expect(line.facts.breaks).toEqual([
    [expect.any(Number), 1, expect.any(Number)],
    [expect.any(Number), 1, expect.any(Number)],
  ]);
  const history = (await server.as("viewer").get(`/api/breaks/${line.facts.breaks[0][0]}`)).json;
  expect(history.events.at(-1)).toMatchObject({ event: "resolved", text: "Sent on the next day" });
});

test("rejects proposals, and takes a preview for the other decision as unknown", async () => {
  const { json } = await approver.post("/api/break-decisions", { agree: false, filter: {} });
  expect(json).toMatchObject({ action: "reject", qualifying: { count: 1 } });
  expect((await both.post(`/api/break-actions/${json.id}/assign`, { to: null })).status).toBe(404);
  const applied = await approver.post(`/api/break-decisions/${json.id}/apply`);
  expect(applied.json).toMatchObject({ changed: 1 });
  expect(await listOf("?state=proposed")).toEqual([]);
});

test("shows applied actions, newest first, with the outcome of each break", async () => {
  const viewer = server.as("viewer");
  const { items, next } = (await viewer.get("/api/break-actions?limit=2")).json;
  expect(items).toMatchObject([
    { action: "reject", created_by: { name: "Chen Wei" }, changed: 1 },
    { action: "confirm", changed: 2, left: [{ reason: "moved", count: 1 }] },
  ]);
  const more = (await viewer.get(`/api/break-actions?limit=2&cursor=${next}`)).json;
  expect(more).toMatchObject({
    items: [
      {
        action: "propose",
        explanations: [{ explanation: "Sent on the next day", count: 2 }],
        assigned_to: null,
      },
      { action: "assign", assigned_to: { name: "Oya Demir" } },
    ],
    next: null,
  });
  const [, { id }] = items;
  expect((await viewer.get(`/api/break-actions/${id}`)).json).toEqual(items[1]);
  const breaks = (await viewer.get(`/api/break-actions/${id}/breaks`)).json.items;
  const outcomes = breaks.map((each: { outcome: string }) => each.outcome);
  expect(outcomes.toSorted()).toEqual(["changed", "changed", "moved"]);
  expect(breaks[0]).toMatchObject({
    break: { state: expect.any(String), class: expect.any(String) },
    has_changed: false,
    outcome_text: expect.stringMatching(/\.$/),
  });
  const page = (await viewer.get(`/api/break-actions/${id}/breaks?limit=2`)).json;
  const rest = (await viewer.get(`/api/break-actions/${id}/breaks?cursor=${page.next}`)).json;
  expect([...page.items, ...rest.items]).toEqual(breaks);
  expect((await viewer.get("/api/break-actions/BA0")).status).toBe(404);
  expect((await viewer.get("/api/break-actions/BA0/breaks")).status).toBe(404);
});

test("proposes again for a break whose values changed after a proposal", async () => {
  const [{ id }] = await listOf("?class=amount");
  await preview("propose", { breaks: [id] }).then((first) =>
    operator.post(`/api/break-actions/${first.id}/propose`, { explanation: "Rounded up" }),
  );
  await force(
    server.deps.config.DATABASE_URL ?? "",
    `update breaks set basis = 'again', version = version + 1, state = 'open' where id = ${id}`,
  );
  const second = await preview("propose", { breaks: [id] });
  const body = { explanation: "Rounded twice" };
  const applied = await operator.post(`/api/break-actions/${second.id}/propose`, body);
  expect(applied.json).toMatchObject({ changed: 1, left: [] });
  expect(await listOf(`?state=proposed&class=amount`)).toMatchObject([
    { id, proposal: { explanation: "Rounded twice" } },
  ]);
});

test("refuses an expired preview, and deletes unused ones", async () => {
  const { id } = await preview("assign", { filter: {} });
  const url = server.deps.config.DATABASE_URL ?? "";
  await force(
    url,
    `update break_actions set expires_at = now() - interval '2 days' where id = '${id}'`,
  );
  const late = await operator.post(`/api/break-actions/${id}/assign`, { to: null });
  expect(late.json.code).toBe("preview_expired");
  const { ledger, database } = server.deps;
  const run = () =>
    ledger.transaction(({ reconciliation }) => reconciliation.deleteUnusedBreakPreview());
  expect([await run(), await run()]).toEqual([true, false]);
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from break_action_rows where action_id = ${id}`.execute(
    database,
  );
  expect(rows).toEqual([{ count: 0 }]);
});

test("changes more breaks than a line lists, with the digest of their list", async () => {
  await createBreaks("M8/INR", 1_500);
  const seen = await preview("assign", { filter: { lane: "M8/INR" } });
  expect(seen).toMatchObject({ selected: 1_500, qualifying: { count: 1_500 } });
  const to = operator.userId;
  const applied = (await operator.post(`/api/break-actions/${seen.id}/assign`, { to })).json;
  expect(applied).toMatchObject({ changed: 1_500, left: [], digest: seen.digest });
  const [{ facts, object }] = await linesOf();
  expect(object).toBe(seen.id);
  expect(facts).toEqual({
    action: "assign",
    assignee: `user:${to}`,
    kinds: [{ class: "fee", count: 1_500, differences: [] }],
    digest: seen.digest,
    left: [],
  });
  const { rows } = await sql<{ list: string }>`
    select string_agg(id || ' 1', E'\n' order by id) as list from breaks
    where lane = 'M8/INR'`.execute(server.deps.database);
  const digest = createHash("sha256")
    .update(rows[0]?.list ?? "")
    .digest("hex");
  expect(digest).toBe(seen.digest);
});

test("computes the digest of an action of an earlier payrun", async () => {
  const { id, digest } = await preview("assign", { filter: { state: "resolved" } });
  const url = server.deps.config.DATABASE_URL ?? "";
  await force(url, `update break_actions set digest = null where id = '${id}'`);
  expect((await server.as("viewer").get(`/api/break-actions/${id}`)).json).toMatchObject({
    digest,
    qualifying: { count: 0 },
  });
  const open = await preview("assign", { filter: { state: "open", class: "fee" } });
  await force(url, `update break_actions set digest = null where id = '${open.id}'`);
  const found = (await server.as("viewer").get(`/api/break-actions/${open.id}`)).json;
  expect(found).toEqual(open);
});

test("refuses a selection of both kinds, and too many breaks", async () => {
  const one = await operator.post("/api/break-actions", {
    action: "assign",
    filter: {},
    breaks: [1],
  });
  expect(one.status).toBe(400);
  await createBreaks("M9/INR", 100_001);
  const all = await operator.post("/api/break-actions", { action: "assign", filter: {} });
  expect(all.json.code).toBe("too_many_breaks");
  const some = await preview("assign", { filter: { lane: "M9/INR", class: "amount" } });
  expect(some.selected).toBe(0);
});

test("notifies a user to whom someone else assigns breaks, with a link to the action", async () => {
  const [first = 0] = idsOf(await listOf("?class=missing_at_gateway"));
  const { id } = await preview("assign", { breaks: [first] });
  await operator.post(`/api/break-actions/${id}/assign`, { to: both.userId });
  const inboxOf = async (user: Caller) => (await user.get("/api/inbox")).json.items;
  const notice = { title: "Assigned to you: 1 break", page: `/reconciliation/actions/${id}` };
  expect((await inboxOf(both))[0]).toMatchObject(notice);
  expect(JSON.stringify(await inboxOf(operator))).not.toContain("Assigned to you");
});
