/** Actions on many payouts through the API: the preview, the change, and the second person. */
import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { filesOf } from "../../../proof/evidence-packs/forge.ts";
import { listOnStatement } from "../../support/actions/payout-action-deeds.ts";
import { openScene } from "../../support/actions/scene.ts";
import { force, query } from "../../support/servers/postgres.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, operator, checker, newcomer, held, approved } = scene;

const sql = (text: string) => query(server.deps.databaseUrl, text);
const REASON = { reason: "the supplier called" };
const preview = (action: string, selection: object, by = operator) =>
  by.post("/api/payout-actions", { action, ...selection });
const apply = (id: string, by = operator) => by.post(`/api/payout-actions/${id}/apply`, REASON);
const confirm = (id: string, by = checker) => by.post(`/api/payout-actions/${id}/confirm`);
const stateOf = async (code: string) => (await operator.get(`/api/payouts/${code}`)).json.state;
const codesOf = async (batch: string): Promise<string[]> =>
  (await operator.get(`/api/payouts?batch=${batch}&sort=oldest`)).json.items.map(
    ({ code }: { code: string }) => code,
  );

describe("an action on the payouts of a filter", () => {
  test("holds back what it has shown, and its batch shows the part", async () => {
    const { id: batch } = await approved();
    const seen = await preview("hold_back", { filter: { batch, state: "approved" } });
    expect(seen).toMatchObject({
      status: 201,
      json: {
        state: "previewed",
        created_by: { actor: `user:${operator.userId}` },
        selected: 2,
        qualifying: { count: 2, totals: [{ currency: "INR", amount: "200.00", payouts: 2 }] },
        not_qualifying: [],
        changed: null,
      },
    });
    const done = await apply(seen.json.id);
    expect(done.json).toMatchObject({ state: "applied", changed: { count: 2 }, left: [] });
    expect((await apply(seen.json.id)).json).toEqual(done.json);
    const page = (await operator.get(`/api/batches/${batch}`)).json;
    expect(page.equation).toMatchObject([
      {
        adds_up: true,
        parts: expect.arrayContaining([{ part: "held_back", count: 2, amount: "200.00" }]),
      },
    ]);
    const [code = ""] = await codesOf(batch);
    const payout = (await operator.get(`/api/payouts/${code}`)).json;
    expect(payout).toMatchObject({ state: "held_back", outlook: { moved: "no" } });
    expect(payout.timeline.map(({ title }: { title: string }) => title)).toContain("Held back");
    expect(payout.actions).toContainEqual(
      expect.objectContaining({ action: "release", may: true }),
    );
  });

  test("lists each payout with its outcome, and the digest of the changed ones", async () => {
    const { id: batch } = await approved();
    const [first = "", second = ""] = await codesOf(batch);
    const seen = await preview("cancel", { codes: [first, second] });
    const held_back = await preview("hold_back", { codes: [second] });
    await apply(held_back.json.id);
    const { json: done } = await apply(seen.json.id);
    expect(done).toMatchObject({
      changed: { count: 1 },
      left: [{ reason: "moved", count: 1, text: "The payout has changed since the preview." }],
    });
    const line = `${first} INR 10000 approved cancelled`;
    expect(done.digest).toBe(createHash("sha256").update(line).digest("hex"));
    const [entry] = await sql(
      `select facts::jsonb ->> 'digest' as digest from audit where object = '${done.id}'`,
    );
    expect(entry?.["digest"]).toBe(done.digest);
    const list = (of = "") => operator.get(`/api/payout-actions/${done.id}/payouts${of}`);
    expect((await list()).json.items).toMatchObject([
      { code: first, state_before: "approved", state: "cancelled", outcome: "changed" },
      { code: second, state_before: "approved", state: "held_back", outcome: "moved" },
    ]);
    expect((await list("?outcome=left")).json.items).toHaveLength(1);
    const page = (await list("?limit=1")).json;
    expect((await list(`?limit=1&cursor=${page.next}`)).json.items).toMatchObject([
      { code: second },
    ]);
    const file = await operator.get(`/api/payout-actions/${done.id}/export`);
    expect(file.text.split("\n")[1]).toContain(`${first},${batch},2,INR,100.00,approved,cancelled`);
  });

  test("is refused to others, when it is late, and for unknown codes", async () => {
    const { id: batch } = await approved();
    const { json } = await preview("hold_back", { filter: { batch } });
    const other = await newcomer("operator");
    expect((await apply(json.id, other)).json.code).toBe("not_own_preview");
    expect((await preview("hold_back", { filter: { batch } }, checker)).status).toBe(403);
    await force(
      server.deps.databaseUrl,
      `update payout_actions set expires_at = now() - interval '1 second' where id = '${json.id}'`,
    );
    expect((await apply(json.id)).json.code).toBe("preview_expired");
    expect((await apply("PA0")).status).toBe(404);
    expect((await preview("cancel", { codes: ["NONE"] })).json.detail).toContain("NONE");
    expect((await preview("cancel", {})).status).toBe(400);
    expect((await preview("cancel", { codes: ["X"], filter: {} })).status).toBe(400);
    const program = await server.newKey(["read", "operate"]);
    expect((await preview("query", { filter: { reference: "X" } }, program)).status).toBe(403);
  });

  test("is refused while the ledger is frozen", async () => {
    const { id: batch } = await approved();
    const { json } = await preview("cancel", { filter: { batch } });
    const epoch = await server.deps.ledger.integrity.freeze({ reason: "a test", actor: "cli:x" });
    expect((await apply(json.id)).json.code).toBe("ledger_frozen");
    await server.deps.ledger.integrity.unfreeze({
      epoch: epoch ?? 0,
      reason: "a test",
      actor: "cli:x",
      holdUnqueried: true,
    });
    expect((await apply(json.id)).json).toMatchObject({ changed: { count: 0 } });
  });
});

describe("a resolution of many payouts", () => {
  test("uses lines of statements as evidence, and takes a second person", async () => {
    const [arrived, back, unlisted] = [await held(), await held(), await held()];
    await listOnStatement(scene, arrived, "completed");
    await listOnStatement(scene, back, "failed");
    const { json: seen } = await preview("resolve", { codes: [arrived, back, unlisted] });
    expect(seen).toMatchObject({
      qualifying: { count: 2 },
      not_qualifying: [{ reason: "not_listed", count: 1 }],
    });
    const { json: proposed } = await apply(seen.id);
    expect(proposed).toMatchObject({ state: "proposed", changed: { count: 2 }, digest: null });
    expect(await stateOf(arrived)).toBe("on_hold");
    const home = (await checker.get("/api/home")).json;
    expect(home.payout_actions).toContain(seen.id);
    expect(home.resolutions).not.toContain(arrived);
    const tasks = (await checker.get("/api/home/tasks")).json.payout_actions;
    expect(tasks).toContainEqual(
      expect.objectContaining({
        id: seen.id,
        payouts: 2,
        sums: [{ currency: "INR", amount: "200.00" }],
      }),
    );
    const own = await newcomer("approver");
    await sql(`update users set roles = '{approver,operator}' where id = '${own.userId}'`);
    expect((await confirm(seen.id, operator)).status).toBe(403);
    const { json: done } = await confirm(seen.id);
    expect(done).toMatchObject({ state: "applied", changed: { count: 2 }, left: [] });
    expect((await confirm(seen.id)).json).toEqual(done);
    const [one, two] = [arrived, back].map((code) => operator.get(`/api/payouts/${code}`));
    expect((await one)?.json).toMatchObject({ state: "resolved" });
    expect((await one)?.json.outlook.answer).toMatch(
      /the money arrived.*line 2: completed, INR 100.00/,
    );
    expect((await two)?.json.outlook.answer).toMatch(/no money left the account/);
    expect(await stateOf(unlisted)).toBe("on_hold");
    expect((await checker.get("/api/home")).json.payout_actions).not.toContain(seen.id);
  });

  test("cannot be confirmed by the person who proposed it", async () => {
    const code = await held();
    await listOnStatement(scene, code, "completed");
    const both = await newcomer("approver");
    await sql(`update users set roles = '{approver,operator}' where id = '${both.userId}'`);
    const { json: seen } = await preview("resolve", { codes: [code] }, both);
    await apply(seen.id, both);
    expect((await confirm(seen.id, both)).json.code).toBe("own_resolution");
    expect(await stateOf(code)).toBe("on_hold");
    const rejected = await checker.post(`/api/payout-actions/${seen.id}/reject`, REASON);
    expect(rejected.json).toMatchObject({ state: "rejected", rejection: REASON.reason });
    expect((await confirm(seen.id)).json.code).toBe("wrong_state");
    expect(await stateOf(code)).toBe("on_hold");
  });

  test("leaves a payout whose state or statement has changed since the proposal", async () => {
    const [moved, unlisted, stays] = [await held(), await held(), await held()];
    await listOnStatement(scene, moved, "completed");
    const statement = await listOnStatement(scene, unlisted, "completed");
    await listOnStatement(scene, stays, "completed");
    const { json: seen } = await preview("resolve", { codes: [moved, unlisted, stays] });
    await apply(seen.id);
    const single = { arrived: false, evidence: "ticket 1" };
    await operator.post(`/api/payouts/${moved}/resolve`, single);
    await sql(`update statements set state = 'replaced' where id = '${statement}'`);
    const { json: done } = await confirm(seen.id);
    expect(done).toMatchObject({ changed: { count: 1 } });
    expect(
      done.left.toSorted((a: { reason: string }, b: { reason: string }) =>
        a.reason < b.reason ? -1 : 1,
      ),
    ).toMatchObject([
      { reason: "moved", count: 1 },
      { reason: "not_listed", count: 1 },
    ]);
    expect(await Promise.all([moved, unlisted, stays].map(stateOf))).toEqual([
      "on_hold",
      "on_hold",
      "resolved",
    ]);
  });

  test("cannot be changed in the database", async () => {
    const code = await held();
    await listOnStatement(scene, code, "completed");
    const { json: seen } = await preview("resolve", { codes: [code] });
    await apply(seen.id);
    const change = (text: string) => expect(sql(text)).rejects.toThrow(/append-only|not edited/);
    await change(`update payout_action_rows set seq = 9 where action_id = '${seen.id}'`);
    await change(`update payout_actions set qualifying = '[]' where id = '${seen.id}'`);
    await change(`update payout_resolutions set action_id = null where action_id = '${seen.id}'`);
    await expect(
      sql(
        `update payout_actions set state = 'applied', digest = '', decided_by = created_by, decided_at = now() where id = '${seen.id}'`,
      ),
    ).rejects.toThrow(/another person|approver/);
  });
});

describe("the evidence of a payout", () => {
  const auditor = server.as("auditor");
  const evidenceOf = async (code: string) =>
    (await auditor.get(`/api/payouts/${code}/evidence`)).json.audit.filter(
      ({ object }: { object: string }) => object.startsWith("PA"),
    );
  const packLines = async (path: string): Promise<{ action: string; object: string }[]> => {
    const { headers } = auditor;
    const url = `${path}/evidence-pack`;
    const { rawPayload } = await server.app.inject({ method: "GET", url, headers });
    const audit = filesOf(rawPayload).get("audit.jsonl") ?? "";
    return audit.split("\n").flatMap((line) => {
      const item = line === "" ? {} : JSON.parse(line);
      return String(item.object).startsWith("PA") ? [item] : [];
    });
  };

  test("contains the action that changed it, without totals of the other payouts", async () => {
    const { id: batch } = await approved();
    const [changed = "", other = ""] = await codesOf(batch);
    const { json: action } = await preview("hold_back", { codes: [changed] });
    await apply(action.id);
    const lines = await evidenceOf(changed);
    expect(lines).toMatchObject([{ action: "apply_payout_action", object: action.id }]);
    expect(lines[0].facts).toEqual({ action: "hold_back", ...REASON });
    expect(await evidenceOf(other)).toEqual([]);

    const line = { action: "apply_payout_action", object: action.id };
    for (const path of [`/api/payouts/${changed}`, `/api/batches/${batch}`]) {
      const [item, ...more] = await packLines(path);
      expect(item).toMatchObject({ ...line, facts_digest: expect.any(String) });
      expect(more).toEqual([]);
    }
    expect(await packLines(`/api/payouts/${other}`)).toEqual([]);
  });

  test("contains the proposal and the rejection or confirmation of its result", async () => {
    const [confirmed, rejected] = [await held(), await held()];
    const actionsOn = async (code: string, decide: "confirm" | "reject") => {
      await listOnStatement(scene, code, "completed");
      const { json } = await preview("resolve", { codes: [code] });
      await apply(json.id);
      await checker.post(`/api/payout-actions/${json.id}/${decide}`, REASON);
      const actions = (await evidenceOf(code)).map(({ action }: { action: string }) => action);
      const packed = (await packLines(`/api/payouts/${code}`)).map(({ action }) => action);
      expect(packed).toEqual(actions);
      return actions;
    };
    expect(await actionsOn(confirmed, "confirm")).toEqual([
      "propose_payout_action",
      "confirm_payout_action",
    ]);
    expect(await actionsOn(rejected, "reject")).toEqual([
      "propose_payout_action",
      "refuse_payout_action",
    ]);
  });
});
