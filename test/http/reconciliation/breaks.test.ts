/** Breaks: the list with its filters, and the steps from open to resolved by two people. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { notify } from "#flows/notification/notify.ts";
import { compareDay } from "#flows/reconciliation/compare-day.ts";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { force } from "../../support/servers/postgres.ts";
import { settledDayWith, uploadOf } from "../../support/reconciliation/statement-of-day.ts";

let server: TestServer;
let operator: Caller;
let approver: Caller;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "auditor", "approver"]);
  operator = await server.newUser(["operator"], "Oya Demir");
  approver = await server.newUser(["approver", "operator"], "Chen Wei");
  const { ledger } = server.deps;
  const csv = await settledDayWith(server.deps.config.DATABASE_URL ?? "", {
    missing: 2,
    plus_one: 2,
    foreign: 1,
  });
  const deps = { ledger, clock: systemClock };
  const loaded = await loadStatement(uploadOf(csv, { changes: { zone: "UTC" } }), deps);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
  const compared = await compareDay(loaded.value.statement, "cli:asha", deps);
  if (!compared.ok) throw new Error(compared.error);
});
afterAll(() => server.close());

const listOf = async (query = "") => (await server.as("viewer").get(`/api/breaks${query}`)).json;

test("lists unresolved breaks with their counts, by class and in pages", async () => {
  const all = await listOf();
  expect(all.counts).toEqual([
    { class: "amount", count: 2 },
    { class: "missing_at_gateway", count: 2 },
    { class: "missing_in_ledger", count: 1 },
  ]);
  expect(all.items).toHaveLength(5);
  expect((await listOf("?class=amount")).items).toMatchObject([
    { class: "amount", has_payout: true, file_name: "statement.csv", state: "open" },
    { class: "amount" },
  ]);
  const first = await listOf("?limit=3");
  const second = await listOf(`?limit=3&cursor=${first.next}`);
  expect([...first.items, ...second.items]).toEqual(all.items);
  expect(second.next).toBeNull();
  expect(await listOf("?state=resolved")).toMatchObject({ items: [], counts: [] });
  expect((await listOf("?day=2026-11-27")).counts).toEqual([]);
  expect((await listOf("?class=amount")).counts).toEqual(all.counts);
  expect((await server.as("viewer").get("/api/breaks?class=other")).status).toBe(400);
});

test("names the state of the payout as people read it", async () => {
  const { items } = await listOf("?class=amount");
  const [{ id, ledger_shows: before }] = items;
  const url = server.deps.config.DATABASE_URL ?? "";
  await force(url, `update breaks set ledger_shows = 'in_doubt, 1.00 INR' where id = ${id}`);
  const { ledger_shows: shown } = (await server.as("viewer").get(`/api/breaks/${id}`)).json;
  expect(shown).toBe("in doubt, 1.00 INR");
  await force(url, `update breaks set ledger_shows = '${before}' where id = ${id}`);
});

test("names the batch and the settlement of the payout", async () => {
  const [missing] = (await listOf("?class=missing_at_gateway")).items;
  expect(missing.batch_id).toMatch(/^B/);
  expect(missing.settled_at).toMatch(/^2026-11-26T/);
  const [foreign] = (await listOf("?class=missing_in_ledger")).items;
  expect(foreign).toMatchObject({ beneficiary: null, batch_id: null, settled_at: null });
});

test("causes an event for each break", async () => {
  const { items } = (await server.as("viewer").get("/api/events?type=break_opened")).json;
  const classes = items.map(({ data }: { data: { break: { class: string } } }) => data.break.class);
  expect(classes.toSorted()).toEqual([
    "amount",
    "amount",
    "missing_at_gateway",
    "missing_at_gateway",
    "missing_in_ledger",
  ]);
});

test("is resolved in the steps of two people, and each step is on the audit log", async () => {
  const [{ id, version }] = (await listOf("?class=missing_in_ledger")).items;
  const at = `/api/breaks/${id}`;
  const assigned = await operator.send("PUT", `${at}/assignment`, {
    body: { to: operator.userId, version },
  });
  expect(assigned.json).toMatchObject({ assigned_to: { name: "Oya Demir" } });
  await server.as("viewer").post(`${at}/comments`, { text: "Is this a manual payout?", version });
  const proposed = await operator.post(`${at}/propose`, { explanation: "Manual payout", version });
  expect(proposed.json).toMatchObject({
    state: "proposed",
    proposal: { explanation: "Manual payout", by: { name: "Oya Demir" }, is_own: true },
  });
  const proposal = proposed.json.proposal.id;
  const decided = await approver.post(`${at}/decide`, { agree: true, version, proposal });
  expect(decided.json).toMatchObject({
    state: "resolved",
    proposal: null,
    resolution: {
      explanation: "Manual payout",
      proposed_by: { name: "Oya Demir" },
      decided_by: { name: "Chen Wei" },
      by_two: true,
    },
  });
  expect(decided.json.events.map(({ event }: { event: string }) => event)).toEqual([
    "found",
    "assigned",
    "commented",
    "proposed",
    "resolved",
  ]);
  const audit = await server
    .as("auditor")
    .get(`/api/audit?object=${encodeURIComponent(`break ${id}`)}`);
  expect(audit.json.items).toHaveLength(4);
  const again = await operator.post(`${at}/propose`, { explanation: "Again", version });
  expect(again.json.code).toBe("wrong_state");
});

test("refuses the proposer's own confirmation, and a decision on another version", async () => {
  const [{ id, version }] = (await listOf("?class=amount")).items;
  const at = `/api/breaks/${id}`;
  const propose = async (explanation: string) =>
    (await approver.post(`${at}/propose`, { explanation, version })).json.proposal.id;
  const seen = await propose("Rounded");
  const proposal = await propose("Rounded by the bank");
  const own = await approver.post(`${at}/decide`, { agree: true, version, proposal });
  expect(own.json.code).toBe("own_resolution");
  const decide = async (body: object) =>
    (await server.as("approver").post(`${at}/decide`, { agree: true, ...body })).json.code;
  expect(await decide({ version: 9, proposal })).toBe("content_changed");
  expect(await decide({ version, proposal: seen })).toBe("content_changed");
  expect(
    (await operator.post("/api/breaks/9999/propose", { explanation: "none", version: 1 })).json
      .code,
  ).toBe("not_found");
});

test("a comment notifies the mentioned users and the assignee, once, and not its author", async () => {
  await force(server.deps.databaseUrl, "update users set password = 'x'");
  const [{ id, version }] = (await listOf("?class=amount")).items;
  const dee = await server.newUser(["auditor"], "Dee Other");
  await operator.send("PUT", `/api/breaks/${id}/assignment`, {
    body: { to: operator.userId, version },
  });
  const text = "@chen wei, please ask the bank about the amount";
  await approver.post(`/api/breaks/${id}/comments`, { text: "@Chen Wei: my own note", version });
  await dee.post(`/api/breaks/${id}/comments`, { text, version });
  const deps = { ledger: server.deps.ledger, clock: server.deps.clock, alarms: async () => [] };
  const webhooks = { allowPrivate: false, timeoutMs: 1_000 };
  for (let round = 1; round <= 2; round += 1) {
    await notify({ ...deps, mailer: null, webhooks, dashboardUrl: null });
  }
  const noticesOf = async (user: Caller) =>
    (await user.get("/api/inbox")).json.items.filter(
      ({ page }: { page: string }) => page === `/reconciliation/${id}`,
    );
  expect(await noticesOf(approver)).toEqual([
    expect.objectContaining({
      title: expect.stringMatching(new RegExp(`^New comment: break ${id} of `)),
      detail: expect.stringContaining("ask the bank about the amount"),
      page: `/reconciliation/${id}`,
    }),
  ]);
  expect(await noticesOf(operator)).toHaveLength(2);
  expect(await noticesOf(dee)).toEqual([]);

  // A user is notified of an assignment by someone else. The operator's own above was none.
  const eve = await server.newUser(["operator"], "Eve Operator");
  await operator.send("PUT", `/api/breaks/${id}/assignment`, {
    body: { to: eve.userId, version },
  });
  expect(await noticesOf(eve)).toMatchObject([
    { event: "assigned", title: expect.stringMatching(`^Assigned to you: break ${id} of `) },
  ]);
});
