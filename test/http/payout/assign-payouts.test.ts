/** Assigning many payouts at once: the preview, and exactly the previewed payouts. */
import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { filesOf } from "../../../proof/evidence-packs/forge.ts";
import { openScene } from "../../support/actions/scene.ts";
import { query } from "../../support/servers/postgres.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, operator, checker, newcomer, held, payout } = scene;

const sql = (text: string) => query(server.deps.databaseUrl, text);
const preview = async (codes: readonly string[], by = operator) =>
  (await by.post("/api/payout-actions", { action: "assign", codes })).json;
const assign = (id: string, to: string | null, by = operator) =>
  by.post(`/api/payout-actions/${id}/assign`, { to });
const assigneeOf = async (code: string): Promise<string | null> =>
  (await operator.get(`/api/payouts/${code}`)).json.assignment?.assigned_to?.id ?? null;
const isAssigned = (codes: readonly string[]) => Promise.all(codes.map(assigneeOf));

test("assigns exactly the previewed payouts that need attention, with one line on the audit log", async () => {
  const [first, second, unsent] = [await held(), await held(), await payout()];
  const seen = await preview([first, second, unsent]);
  expect(seen).toMatchObject({
    action: "assign",
    state: "previewed",
    selected: 3,
    qualifying: { count: 2, totals: [{ currency: "INR", amount: "200.00", payouts: 2 }] },
    not_qualifying: [{ reason: "no_attention", count: 1 }],
    assignees: [{ user: null, count: 2 }],
    assigned_to: null,
  });
  expect(await isAssigned([first, second])).toEqual([null, null]);
  const { json: done } = await assign(seen.id, checker.userId);
  expect(done).toMatchObject({
    state: "applied",
    changed: { count: 2 },
    left: [],
    assigned_to: { actor: `user:${checker.userId}` },
    reason: null,
  });
  expect(await isAssigned([first, second])).toEqual([checker.userId, checker.userId]);
  expect((await checker.get("/api/inbox")).json.items[0]).toMatchObject({
    event: "assigned",
    title: "Assigned to you: 2 payouts",
    page: `/payout-actions/${seen.id}`,
  });
  const list = [first, second].toSorted().map((code) => `${code} INR 10000 on_hold on_hold`);
  const digest = createHash("sha256").update(list.join("\n")).digest("hex");
  expect(done.digest).toBe(digest);
  const lines = await sql(`select actor, action, facts from audit where object = '${seen.id}'`);
  expect(
    lines.map(({ facts, ...line }) => ({ ...line, facts: JSON.parse(String(facts)) })),
  ).toEqual([
    {
      actor: `user:${operator.userId}`,
      action: "apply_payout_action",
      facts: { action: "assign", to: `user:${checker.userId}`, payouts: 2, left: [], digest },
    },
  ]);
});

test("repeating the request changes nothing, whatever it names", async () => {
  const code = await held();
  const { id } = await preview([code]);
  const { json: done } = await assign(id, checker.userId);
  expect((await assign(id, operator.userId)).json).toEqual(done);
  expect(await assigneeOf(code)).toBe(checker.userId);
  expect(await sql(`select from audit where object = '${id}'`)).toHaveLength(1);
});

test("notifies only about payouts that had another assignee before", async () => {
  const [mine, other] = [await held(), await held()];
  await assign((await preview([mine])).id, checker.userId);
  const titles = async (): Promise<string[]> =>
    (await checker.get("/api/inbox")).json.items
      .filter(({ event }: { event: string }) => event === "assigned")
      .map(({ title, page }: { title: string; page: string }) => `${title} ${page}`);
  const before = await titles();
  await assign((await preview([mine])).id, checker.userId);
  expect(await titles()).toEqual(before);
  const both = (await preview([mine, other])).id;
  expect((await assign(both, checker.userId)).json).toMatchObject({ changed: { count: 2 } });
  expect((await titles()).filter((title) => !before.includes(title))).toEqual([
    `Assigned to you: 1 payout /payout-actions/${both}`,
  ]);
});

test("leaves payouts that somebody else has assigned, or that were resolved, since the preview", async () => {
  const [kept, taken, given, resolved] = [await held(), await held(), await held(), await held()];
  await operator.send("PUT", `/api/payouts/${given}/assignment`, { body: { to: checker.userId } });
  const seen = await preview([kept, taken, given, resolved]);
  expect(seen.assignees).toEqual([
    { user: null, count: 3 },
    { user: expect.objectContaining({ actor: `user:${checker.userId}` }), count: 1 },
  ]);
  await operator.send("PUT", `/api/payouts/${taken}/assignment`, { body: { to: checker.userId } });
  await operator.send("PUT", `/api/payouts/${given}/assignment`, { body: { to: null } });
  await operator.post(`/api/payouts/${resolved}/resolve`, { arrived: true, evidence: "a call" });
  const { resolution } = (await checker.get(`/api/payouts/${resolved}`)).json;
  await checker.post(`/api/payouts/${resolved}/resolution`, { id: resolution.id, agree: true });
  const { json: done } = await assign(seen.id, operator.userId);
  expect(done.changed.count).toBe(1);
  expect(done.left).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ reason: "reassigned", count: 2 }),
      expect.objectContaining({ reason: "no_attention", count: 1 }),
    ]),
  );
  expect(await isAssigned([kept, taken, given])).toEqual([operator.userId, checker.userId, null]);
});

test("removes assignments, and takes over those of another user", async () => {
  const codes = [await held(), await held()];
  await assign((await preview(codes)).id, checker.userId);
  await assign((await preview(codes)).id, operator.userId);
  expect(await isAssigned(codes)).toEqual([operator.userId, operator.userId]);
  const { json: done } = await assign((await preview(codes)).id, null);
  expect(done).toMatchObject({ changed: { count: 2 }, assigned_to: null });
  expect(await isAssigned(codes)).toEqual([null, null]);
});

test("refuses users who cannot sign in, previews of others, and previews of other actions", async () => {
  const code = await held();
  const { id } = await preview([code]);
  expect((await assign(id, "US0")).json.code).toBe("not_found");
  expect((await assign(id, checker.userId, await newcomer("operator"))).json.code).toBe(
    "not_own_preview",
  );
  const apply = { reason: "the supplier called" };
  expect((await operator.post(`/api/payout-actions/${id}/apply`, apply)).status).toBe(404);
  const other = await operator.post("/api/payout-actions", { action: "query", codes: [code] });
  expect((await assign(other.json.id, checker.userId)).status).toBe(404);
  expect(await assigneeOf(code)).toBeNull();
});

test("assigns while the ledger is frozen", async () => {
  const code = await held();
  const { id } = await preview([code]);
  const { integrity } = server.deps.ledger;
  const epoch = await integrity.freeze({ reason: "a test", actor: "cli:x" });
  expect((await assign(id, checker.userId)).json).toMatchObject({ changed: { count: 1 } });
  expect(await assigneeOf(code)).toBe(checker.userId);
  const unfrozen = { reason: "a test", actor: "cli:x", holdUnqueried: true };
  await integrity.unfreeze({ epoch: epoch ?? 0, ...unfrozen });
});

test("the history of the payout and its evidence pack name the assignment", async () => {
  const code = await held();
  const { id } = await preview([code]);
  await assign(id, checker.userId);
  const { timeline } = (await operator.get(`/api/payouts/${code}`)).json;
  expect(timeline).toContainEqual(
    expect.objectContaining({ title: "Assigned to approver", kind: "person" }),
  );
  const url = `/api/payouts/${code}/evidence-pack`;
  const { headers } = server.as("auditor");
  const { rawPayload } = await server.app.inject({ method: "GET", url, headers });
  expect(filesOf(rawPayload).get("audit.jsonl")).toContain(id);
});
