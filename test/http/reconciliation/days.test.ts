/** Business days: opening balance, close, two people, versions and downloads. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client } from "pg";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { asTestOwner } from "../../support/servers/postgres.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";

const { lane, day } = SETTLED_DAY;
const LANE = `lane=${encodeURIComponent(lane)}`;
let server: TestServer;
let operator: Caller;
let approver: Caller;
beforeAll(async () => {
  server = await startTestServer({}, ["viewer", "auditor"]);
  operator = await server.newUser(["operator"], "Oya Demir");
  approver = await server.newUser(["approver", "operator"], "Chen Wei");
  await settledDayWith(server.deps.config.DATABASE_URL ?? "", {});
});
afterAll(() => server.close());

const post = (by: Caller, step: string, body: object = {}) =>
  by.post(`/api/days/${day}/${step}`, { lane, ...body });
const get = async (path: string) => (await server.as("viewer").get(path)).json;

test("opens with a balance that a person enters with a reason", async () => {
  expect((await get("/api/days?month=2026-11")).other_lanes).toEqual([lane]);
  expect((await post(operator, "close")).json).toMatchObject({
    code: "wrong_state",
    detail: "The lane has no opening balance. Enter it first.",
  });
  expect((await post(operator, "open", { balance: "1000.00" })).status).toBe(400);
  const exact = { balance: "1000.001", reason: "bank statement" };
  expect((await post(operator, "open", exact)).status).toBe(400);
  const opened = await post(operator, "open", { ...exact, balance: "10000.00" });
  expect(opened.json).toMatchObject({
    state: "open",
    version: null,
    close: { may: true, why_not: null, reason: null },
    statement: null,
    unresolved_breaks: 0,
    figures: { opening: "10000.00", observed: null },
  });
  // A day of the future is not over, and the days before it are open.
  expect((await get(`/api/days/2999-12-30?${LANE}`)).close).toEqual({
    may: false,
    why_not: "The business day is not over yet.",
    reason: "day_not_over",
  });
  expect((await post(operator, "open", { ...exact, balance: "1.00" })).json.code).toBe(
    "wrong_state",
  );
});

test("lists the day as a task of those who may close it, until it is closed", async () => {
  const days = async (by: Caller) => (await by.get("/api/home/tasks")).json.reconciliation.days;
  expect(await days(operator)).toEqual([{ lane, day, has_statement: false }]);
  expect(await days(server.as("viewer"))).toEqual([]);
});

test("closes the day, and says that its balance was not observed", async () => {
  const { json } = await post(operator, "close");
  expect(json).toMatchObject({
    state: "closed",
    version: 1,
    verdict: "not_observed",
    verdict_text: "Closed, balance not observed",
    close: { may: false },
    versions: [{ version: 1, by: { name: "Oya Demir" }, reopening: null }],
  });
  const { closing } = json.figures;
  expect((await get("/api/days?month=2026-11")).items).toMatchObject([
    { lane, day, state: "closed", version: 1, closing, difference: null, verdict: "not_observed" },
  ]);
  expect(await get("/api/days?month=2026-12")).toMatchObject({
    items: [],
    lanes: [{ lane, first_day: day, next_day: "2026-11-27" }],
  });
  expect((await get(`/api/days/2026-11-25?${LANE}`)).code).toBe("not_found");
  expect((await get(`/api/days/${day}?${LANE}&version=2`)).code).toBe("not_found");
});

test("is reopened by an adjustment that two people agree on, and keeps its old version", async () => {
  const finer = await post(approver, "adjust", { amount: "-5.001", reason: "fee of the bank" });
  const message = "must be an amount in INR with at most 2 decimals";
  expect(finer.json.places).toEqual([{ place: "body.amount", message }]);
  const proposed = await post(approver, "adjust", { amount: "-5.00", reason: "fee of the bank" });
  const [{ id: proposal }] = proposed.json.proposals;
  expect(proposed.json).toMatchObject({ state: "closed", proposals: [{ amount: "-5.00" }] });
  const own = await post(approver, "decide", { agree: true, proposal });
  expect(own.json.code).toBe("own_resolution");
  const other = await server.newUser(["approver"], "Ada Obi");
  const decided = await post(other, "decide", { agree: true, proposal });
  expect(decided.json).toMatchObject({
    state: "reopened",
    version: null,
    proposals: [{ decided_by: { name: "Ada Obi" }, by_two: true }],
    versions: [{ reopening: { cause: "adjustment", by: { name: "Ada Obi" } } }],
  });
  const { json } = await post(operator, "close");
  const { movements } = json.figures;
  expect(movements.at(-1)).toEqual({ name: "adjustments", amount: "-5.00", count: 1 });
  const old = await get(`/api/days/${day}?${LANE}&version=1`);
  expect(old).toMatchObject({ version: 1, state: "closed", figures: { movements: {} } });
  expect(old.figures.closing).not.toBe(json.figures.closing);
  expect(old).toMatchObject({ proposals: [], items_total: 0 });
  expect(json.proposals).toHaveLength(1);
});

test("downloads the report, and the document whose digest is on the audit log", async () => {
  const report = await server.as("viewer").get(`/api/days/${day}/report?${LANE}`);
  expect(report.text).toContain("Settled payouts,−,");
  expect(report.text).toContain("not observed");
  expect(report.text).toContain("figures,Adjustments,±,-5.00,");
  const first = await server.as("viewer").get(`/api/days/${day}/report?${LANE}&version=1`);
  expect(first.text).toMatch(/^day,Reopened,.*An adjustment was confirmed/m);
  expect(first.text).not.toContain("fee of the bank");
  const book = await server.as("viewer").get(`/api/days/${day}/report?${LANE}&format=xlsx`);
  expect(book.status).toBe(200);
  const document = await server.as("viewer").get(`/api/days/${day}/document?${LANE}&version=1`);
  const digest = createHash("sha256").update(document.text).digest("hex");
  const audit = await server.as("auditor").get("/api/audit?action=close_day");
  expect(JSON.stringify(audit.json.items)).toContain(digest);
});

test("says how many payouts of the list by settlement count on another day", async () => {
  const owner = new Client({
    connectionString: asTestOwner(server.deps.config.DATABASE_URL ?? ""),
  });
  await owner.connect();
  await owner.query(`set session_replication_role = replica;
    insert into payrun.counted_days (payout_id, lane, day, settled_at, statement_id)
    select id, lane, '2026-11-27', settled_at, 'ST1' from payrun.payouts order by id limit 2`);
  await owner.end();
  expect(await get(`/api/days/${day}?${LANE}`)).toMatchObject({
    counted_elsewhere: 2,
    settled_elsewhere: 0,
  });
  expect(await get(`/api/days/2026-11-27?${LANE}`)).toMatchObject({
    counted_elsewhere: 0,
    settled_elsewhere: 2,
  });
});
