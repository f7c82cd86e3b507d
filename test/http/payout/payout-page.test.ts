import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { AuditAction } from "#integrity/audit-actions.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { approvedBatch, claimOf } from "../../support/ledger.ts";
import { FAST, rowsOf, runHere, scratch } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";

let server: TestServer;
let code: string;
let path: string;
let turn = 1_000_000;
beforeAll(async () => {
  server = await startTestServer();
  await query(server.deps.databaseUrl, "insert into settings values ('approval people', '1')");
});
afterAll(() => server.close());
beforeEach(async () => {
  const { ledger, databaseUrl } = server.deps;
  const batch = await approvedBatch(
    ledger,
    rowsOf(2, (index) => ({ account: `5010000${turn}77`, amount: `${turn}.0${index}` })),
  );
  turn += 1;
  const [row] = await query<{ code: string }>(
    databaseUrl,
    `select transaction_code as code from payout_details d join payouts p on p.id = d.payout_id
     where batch_id = '${batch.id}' order by id`,
  );
  code = row?.code ?? "";
  path = `/api/payouts/${code}`;
  await ledger.integrity.verify();
  const [attempt] = await ledger.payout.openAttempts(claimOf(batch.id, { sizeMax: 1 }));
  await ledger.payout.move({
    payoutId: attempt?.payoutId ?? 0,
    seq: attempt?.seq ?? 0,
    from: "submitting",
    event: "doubt",
    reason: "no_answer: timeout",
    dueInMs: 60_000,
    actor: "w",
    evidence: { kind: "answer", attempt: 1, facts: { text: "timeout after 30 s" } },
  });
});
const actionsOf = async () => {
  const { json } = await server.as("auditor").get(`/api/audit?object=${code}`);
  return json.items.map(({ action, actor_name }: { action: string; actor_name: string }) => [
    action,
    actor_name,
  ]);
};

test("states that money may have moved for a payout in doubt, what happens next, and when", async () => {
  const { status, json } = await server.as("viewer").get(path);
  expect(status).toBe(200);
  expect(json).toMatchObject({ code, state: "in_doubt", line: 2, attempts: 1 });
  expect(json.outlook).toMatchObject({
    moved: "maybe",
    answer: expect.stringMatching(/^Possibly/),
  });
  expect(new Date(json.outlook.next_at).getTime()).toBeGreaterThan(server.deps.clock.nowMs());
  expect(
    json.timeline.map(({ kind, tone }: { kind: string; tone: string }) => [kind, tone]),
  ).toEqual([
    ["change", "plain"],
    ["attempt", "plain"],
    ["answer", "plain"],
    ["change", "attention"],
  ]);
  expect(JSON.stringify(json)).not.toMatch(/\b(?:paid|settled|completed)\b/);
});

test("F55 shows until when, and why, a payout may not be sent again yet", async () => {
  const { databaseUrl, clock } = server.deps;
  await query(
    databaseUrl,
    `with seen as (
      insert into lane_processing select lane, date_trunc('hour', now()), 450000 from payouts limit 1)
    update payouts set unanswered_at = now() where id in (
      select payout_id from payout_details where transaction_code = '${code}')`,
  );
  const { json } = await server.as("viewer").get(path);
  const { until, ...wait } = json.outlook.wait;
  const because = "the first request may still be in progress";
  expect(wait).toEqual({ reason: "may_be_processed", reason_text: because });
  const inMs = new Date(until).getTime() - clock.nowMs();
  expect(inMs).toBeGreaterThan(14 * 60_000);
  expect(inMs).toBeLessThanOrEqual(15 * 60_000);

  const folder = scratch();
  const env = { ...FAST, DATABASE_URL: databaseUrl, PAYRUN_DATA: folder };
  const { stdout } = await runHere(["payout", "show", code], env);
  expect(stdout).toMatch(
    /payrun is waiting until 20[-0-9]+ [:0-9]+ UTC before it resends this payout, because the first request may still be in progress\./,
  );
});

test("explains why an action is not allowed, above all paying again", async () => {
  const { json } = await server.as("viewer").get(path);
  expect(json.actions).toMatchObject([
    { action: "query", may: true },
    { action: "resend", may: false },
    { action: "cancel", may: false },
    { action: "replace", may: false, why: expect.stringContaining("pay the beneficiary twice") },
  ]);
});

test("masks accounts, and requires permission and a reason for a reveal, which is on the audit log", async () => {
  const { json } = await server.as("viewer").get(path);
  const account = (details: { field: string; text: string }[]) =>
    details.find(({ field }) => field === "bank_account_number")?.text;
  expect(account(json.details)).toMatch(/^•+\d{4}$/);

  expect((await server.as("viewer").post(`${path}/reveal`, { reason: "support" })).status).toBe(
    403,
  );
  expect((await server.as("operator").post(`${path}/reveal`, {})).status).toBe(400);
  expect(await actionsOf()).toEqual([]);

  const seen = await server.as("operator").post(`${path}/reveal`, { reason: "call of the bank" });
  expect(account(seen.json.details)).toMatch(/^\d{9,}$/);
  expect(await actionsOf()).toEqual([["reveal", "operator"]]);
  const after = (await server.as("viewer").get(path)).json;
  expect(after.timeline.at(-1)).toMatchObject({
    kind: "person",
    text: "call of the bank",
    actor: "operator",
  });
});

test("records a note in the history and on the audit log", async () => {
  const { json } = await server.as("operator").post(`${path}/notes`, { text: "Called the bank." });
  expect(json.timeline.at(-1)).toMatchObject({ title: "Note added", text: "Called the bank." });
  expect(await actionsOf()).toEqual([["note", "operator"]]);
  expect((await server.as("uploader").post(`${path}/notes`, { text: "mine" })).status).toBe(403);
});

test("queries the gateway on request, and only records its silence", async () => {
  const { status, json } = await server.as("operator").post(`${path}/query`);
  expect(status).toBe(200);
  expect(json.state).toBe("in_doubt");
  const kinds = json.timeline.map(({ title }: { title: string }) => title);
  expect(kinds).toContain("Status query requested");
  expect(kinds).toContain("Status queried: no usable response");
});

test("lists other payouts to the same account", async () => {
  const { json } = await server.as("viewer").get(path);
  expect(json.related).toHaveLength(1);
  expect(json.related[0]).toMatchObject({ account_last4: json.account_last4, line: 3 });
});

test.each(["", "/query", "/notes", "/reveal"])(
  "explains a code that is not ours: %s",
  async (end) => {
    const caller = server.as("operator");
    const body = { "/notes": { text: "note" }, "/reveal": { reason: "why" } }[end];
    const { status } =
      end === ""
        ? await caller.get("/api/payouts/PRNOTOURS")
        : await caller.post(`/api/payouts/PRNOTOURS${end}`, body);
    expect(status).toBe(404);
  },
);

test("names payrun and its users in the history, and the worker only as a detail", async () => {
  await server.as("operator").post(`${path}/notes`, { text: "asked the provider" });
  const { json } = await server.as("viewer").get(path);
  const entries = json.timeline as { kind: string; title: string; actor: string | null }[];
  const changes = entries.filter(({ kind }) => kind === "change");
  expect(new Set(changes.map(({ actor }) => actor))).toEqual(new Set(["payrun"]));
  expect(changes.at(-1)).toMatchObject({ facts: [{ name: "worker", value: "w" }] });
  expect(entries.find(({ title }) => title === "Note added")?.actor).toBe("operator");
});

test("returns the evidence of a payout, with approval methods and audit details for auditors only", async () => {
  await server.as("operator").post(`${path}/notes`, { text: "asked the provider" });
  const evidenceFor = async (role: "viewer" | "auditor") =>
    (await server.as(role).get(`${path}/evidence`)).json;
  const seen = await evidenceFor("viewer");
  expect(seen).toMatchObject({
    approvals: [{ method: null }],
    attempts: [{ number: 1, answered_at: expect.any(String) }],
    answers: [{ attempt: 1, facts: [{ name: "text", value: "timeout after 30 s" }] }],
    status_answers: [],
    callbacks: [],
    audit_truncated: false,
  });
  const note = seen.audit.at(-1);
  const hidden = { number: null, facts: null, hash: null };
  expect(note).toMatchObject({ name: "operator", action: "note", object: code, ...hidden });
  expect(seen.audit.map(({ action }: { action: string }) => action)).toContain("approve");
  const audited = await evidenceFor("auditor");
  expect(audited.approvals).toMatchObject([{ method: "command_line" }]);
  expect(audited.audit.at(-1)).toMatchObject({
    number: expect.any(Number),
    facts: { text: "asked the provider" },
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  // The log records them in minor units.
  const approvedTotals = ({ audit }: { audit: { action: string; totals: unknown }[] }) =>
    audit.find(({ action }) => action === "approve")?.totals;
  expect(approvedTotals(audited)).toEqual([
    { currency: "INR", amount: expect.stringMatching(/^\d+\.\d\d$/) },
  ]);
  expect(approvedTotals(seen)).toBeNull();
  expect(JSON.stringify(seen)).not.toMatch(/5010000\d{7}77/);
  expect((await server.as("viewer").get("/api/payouts/NONE/evidence")).status).toBe(404);
});

/** Records actions on the object with the code of the payout. */
const recordOnCode = (actor: string, actions: readonly [AuditAction, Record<string, unknown>][]) =>
  server.deps.database.transaction().execute(async (transaction) => {
    for (const [action, facts] of actions)
      await appendAudit(transaction, new Date(), { actor, action, object: code, facts });
  });

test("lists only entries about the payout, not about another object with the same ID", async () => {
  await recordOnCode("user:US1", [
    ["roles", { roles: ["admin"] }],
    ["pause_lane", {}],
    ["comment", { comment: "CM-ON-A-BATCH", text: "about a batch" }],
    ["propose_resolution", { finding: "INR 10.00", text: "about a deposit" }],
    ["note", { text: "about the payout" }],
    ["propose_resolution", { finding: "not arrived", text: "about the payout" }],
  ]);
  const { json } = await server.as("auditor").get(`${path}/evidence`);
  const lines = json.audit.filter((line: { object: string }) => line.object === code);
  expect(lines.map(({ facts }: { facts: { text: string } }) => facts.text)).toEqual([
    "about the payout",
    "about the payout",
  ]);
  const page = (await server.as("viewer").get(path)).json;
  const people = page.timeline.filter(({ kind }: { kind: string }) => kind === "person");
  expect(people.map(({ text }: { text: string }) => text)).toEqual([
    "about the payout",
    "about the payout",
  ]);
});

test("shows the name of an API key to its creator and admins only", async () => {
  const owner = await server.newUser(["operator"]);
  const { databaseUrl } = server.deps;
  const id = `AK${turn}`;
  await query(
    databaseUrl,
    `insert into api_keys (id, name, shown, digest, scopes, created_by, created_at, expires_at)
     values ('${id}', 'Nightly transfer', 'pk', sha256('${id}'), '{read}', '${owner.userId}', now(), now() + interval '1 day')`,
  );
  await recordOnCode(`key:${id}`, [["note", { text: "asked" }]]);
  const nameFor = async (caller: Caller) =>
    (await caller.get(`${path}/evidence`)).json.audit.at(-1).name;
  expect(await nameFor(owner)).toBe("Nightly transfer");
  expect(await nameFor(server.as("admin"))).toBe("Nightly transfer");
  expect(await nameFor(server.as("auditor"))).toBe(`API key ${id}`);
  const { json } = await server.as("admin").get(path);
  expect(json.timeline.at(-1).actor).toBe(`API key ${id}`);
});
