/**
 * A payout that the gateway does not explain. Two people resolve it by what they found elsewhere;
 * one person cannot.
 */
import { afterAll, describe, expect, test } from "vitest";
import { insertResolution, findProposedResolution } from "#ledger/payout/manual-resolution.ts";
import { findStatusQuery } from "#ledger/payout/status-queries.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { openScene } from "../../support/actions/scene.ts";
import { query } from "../../support/servers/postgres.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, operator, checker, newcomer, held, foundOut, payout } = scene;

const viewOf = async (code: string) => (await operator.get(`/api/payouts/${code}`)).json;
const answer = (code: string, id: number, agree = true) =>
  checker.post(`/api/payouts/${code}/resolution`, { id, agree });
const sql = (text: string) => query(server.deps.databaseUrl, text);

describe("F107 a payout on hold", () => {
  test("is resolved by one person who states the result and another who agrees", async () => {
    const code = await held();
    const id = await foundOut(code);
    expect(await viewOf(code)).toMatchObject({
      state: "on_hold",
      resolution: { id, arrived: false },
    });
    expect((await checker.get("/api/home")).json.resolutions).toContain(code);
    expect((await answer(code, id)).status).toBe(200);
    const closed = await viewOf(code);
    expect(closed).toMatchObject({ state: "resolved", resolution: null });
    expect(closed.outlook.answer).toContain("ticket 4711: never received");
    const page = (await operator.get(`/api/batches/${closed.batch_id}`)).json;
    expect(page.equation).toMatchObject([{ adds_up: true }]);
    expect((await checker.get("/api/home")).json.resolutions).not.toContain(code);
  });

  test("is not resolved by one person alone, nor by a program", async () => {
    const code = await held();
    const id = await foundOut(code);
    const both = await newcomer("approver");
    await sql(`update users set roles = '{approver,operator}' where id = '${both.userId}'`);
    const own = { arrived: true, evidence: "I saw the statement" };
    const { id: mine } = (await both.post(`/api/payouts/${code}/resolve`, own)).json.resolution;
    const closing = (wanted: number) =>
      both.post(`/api/payouts/${code}/resolution`, { id: wanted, agree: true });
    expect((await closing(mine)).json.code).toBe("own_resolution");
    // A replaced proposal no longer counts.
    expect((await closing(id)).json.code).toBe("content_changed");
    const key = await server.newKey(["operate"]);
    expect(
      (await key.post(`/api/payouts/${code}/resolution`, { id: mine, agree: true })).status,
    ).toBe(403);
    expect((await viewOf(code)).state).toBe("on_hold");
  });

  test("is confirmed while another proposal is being written: the later proposal stays, and nobody gets an error", async () => {
    const code = await held();
    const id = await foundOut(code);
    const { database } = server.deps;
    const question = await findStatusQuery(database, code);
    if (!question) throw new Error("the payout is gone");
    const { payoutId } = question;
    const word = { arrived: true, evidence: "line 17", proposedBy: `user:${operator.userId}` };
    const { answered } = await database.transaction().execute(async (transaction) => {
      await transaction.selectFrom("payouts").where("id", "=", payoutId).forUpdate().execute();
      const answering = answer(code, id);
      const waiting =
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await eventually("the answer waits", async () => (await sql(waiting)).length === 1);
      await insertResolution(transaction, { ...question, ...word, at: new Date() });
      return { answered: answering };
    });
    expect((await answered).json.code).toBe("content_changed");
    expect(await findProposedResolution(database, question)).toMatchObject({ evidence: "line 17" });
  });

  test("stays on hold when the approver disagrees", async () => {
    const code = await held();
    expect((await answer(code, await foundOut(code), false)).json).toMatchObject({
      state: "on_hold",
      resolution: null,
    });
  });

  test("is not resolved by a proposal about its earlier state", async () => {
    const code = await held();
    const id = await foundOut(code);
    await sql(`update payouts set seq = seq + 1 where id in (
      select payout_id from payout_details where transaction_code = '${code}')`);
    expect((await answer(code, id)).json.code).toBe("content_changed");
  });

  test("is not resolved by any SQL statement that bypasses the two people", async () => {
    const code = await held();
    const close = (changes: string) =>
      sql(`update payouts set ${changes} where id in (
        select payout_id from payout_details where transaction_code = '${code}')`);
    const refusal = "resolved without a confirmed resolution";
    await expect(close("state = 'resolved'")).rejects.toThrow(refusal);
    await foundOut(code);
    await expect(close("state = 'resolved', seq = seq + 1")).rejects.toThrow(refusal);
    const agree = sql(
      "update payout_resolutions set outcome = 'agreed', decided_by = proposed_by, decided_at = now() where outcome is null",
    );
    await expect(agree).rejects.toThrow("confirmed by another person");
  });

  test("is not resolved by a statement that decides a decider's own proposal among others", async () => {
    const [first, second] = [await held(), await held()];
    await foundOut(first);
    const { database } = server.deps;
    const question = await findStatusQuery(database, second);
    if (!question) throw new Error("the payout is gone");
    const word = { arrived: true, evidence: "line 18", proposedBy: `user:${checker.userId}` };
    await insertResolution(database, { ...question, ...word, at: new Date() });
    const open = "select from payout_resolutions where outcome is null";
    const before = (await sql(open)).length;
    const agree = sql(
      `update payout_resolutions set outcome = 'agreed', decided_by = 'user:${checker.userId}', decided_at = now() where outcome is null`,
    );
    await expect(agree).rejects.toThrow("confirmed by another person");
    expect((await sql(open)).length).toBe(before);
  });
});

test("refuses the manual resolution of a payout that is not on hold", async () => {
  const words = { arrived: true, evidence: "somebody told me" };
  const refused = await operator.post(`/api/payouts/${await payout()}/resolve`, words);
  expect(refused.json.code).toBe("wrong_state");
});
