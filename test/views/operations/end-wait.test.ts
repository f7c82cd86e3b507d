/** Two people end the wait before a payout in doubt is sent again. One person cannot. */
import { afterAll, describe, expect, test } from "vitest";
import { queryStatus } from "#flows/payout/status-query.ts";
import { decideWaitEnding } from "#flows/payout/end-wait.ts";
import { homeView } from "#views/operations/home.ts";
import { flowDeps, scriptedGateway } from "../../support/flow.ts";
import { FAST, runHere, scratch } from "../../support/servers/payrun.ts";
import { openScene } from "../../support/actions/scene.ts";
import { query } from "../../support/servers/postgres.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, operator, checker, newcomer, waitingAgain, endProposed } = scene;
await server.deps.ledger.integrity.verify();

const viewOf = async (code: string) => (await operator.get(`/api/payouts/${code}`)).json;
const confirm = (code: string, id: number, agree = true, by = checker) =>
  by.post(`/api/payouts/${code}/wait-ending`, { id, agree });
const sql = (text: string) => query(server.deps.databaseUrl, text);

/**
 * Queries the gateway, which does not show the code, this many times. Returns the codes that were
 * sent.
 */
async function askTimes(code: string, times: number): Promise<string[]> {
  const gateway = scriptedGateway();
  const { deps } = flowDeps(server.deps.ledger, gateway);
  const timings = { ...deps.timings, resendAfterMs: 900_000 };
  for (let time = 0; time < times; time += 1) {
    const question = await server.deps.ledger.payout.findStatusQuery(code);
    if (question) await queryStatus(question, { ...deps, timings });
  }
  return gateway.sent.map(({ transactionCode }) => transactionCode);
}

describe("F55 the wait of a payout in doubt", () => {
  test("ends when one person proposes it and another confirms, and the same code is sent again", async () => {
    const code = await waitingAgain();
    const id = await endProposed(code);
    expect(await viewOf(code)).toMatchObject({
      wait_ending: { id, reason: "ticket 4712: the gateway has no such request" },
    });
    // The gateway repeatedly does not show it: the wait continues.
    expect(await askTimes(code, 4)).toEqual([]);
    expect((await confirm(code, id)).status).toBe(200);
    // The confirmation itself sends nothing. The next answer that does not show the code does.
    expect((await viewOf(code)).state).toBe("in_doubt");
    expect(await askTimes(code, 1)).toEqual([code]);
    const lines = await sql(
      `select action from audit where object = '${code}' and action like '%end_wait' order by seq`,
    );
    expect(lines.map(({ action }) => action)).toEqual(["propose_end_wait", "end_wait"]);
  });

  test("needs consistent answers that the gateway does not show it, also after the confirmation", async () => {
    const code = await waitingAgain();
    await confirm(code, await endProposed(code));
    expect(await askTimes(code, 1)).toEqual([]);
    expect(await askTimes(code, 1)).toEqual([code]);
  });

  test("cannot be ended by one person alone or by a program", async () => {
    const code = await waitingAgain();
    const both = await newcomer("approver");
    await sql(`update users set roles = '{approver,operator}' where id = '${both.userId}'`);
    const reason = "I am sure";
    const { id } = (await both.post(`/api/payouts/${code}/end-wait`, { reason })).json.wait_ending;
    expect((await confirm(code, id, true, both)).json.code).toBe("own_resolution");
    expect((await confirm(code, id, true, operator)).status).toBe(403);
    const past = sql(
      "update wait_endings set outcome = 'agreed', decided_by = proposed_by, decided_at = now() where outcome is null",
    );
    await expect(past).rejects.toThrow("confirmed by another person");
    const inserted = sql(
      `insert into wait_endings (payout_id, seq, reason, proposed_by, at, outcome, decided_by, decided_at)
       select payout_id, seq, reason, proposed_by, at, 'agreed', 'user:x', now() from wait_endings limit 1`,
    );
    await expect(inserted).rejects.toThrow("proposed before it is decided");
    expect(await askTimes(code, 4)).toEqual([]);
  });

  test("continues when the approver refuses, or when the last attempt ended after the confirmation", async () => {
    const refused = await waitingAgain();
    expect((await confirm(refused, await endProposed(refused), false)).json.wait_ending).toBe(null);
    expect(await askTimes(refused, 4)).toEqual([]);
    const late = await waitingAgain();
    await confirm(late, await endProposed(late));
    await sql(`update payouts set unanswered_at = now() + interval '1 second' where id in (
      select payout_id from payout_details where transaction_code = '${late}')`);
    expect(await askTimes(late, 4)).toEqual([]);
  });

  test("ends by the database's clock: a fast server clock does not end the wait of a later attempt", async () => {
    const code = await waitingAgain();
    const id = await endProposed(code);
    const fast = { nowMs: () => Date.now() + 3_600_000 };
    const by = { code, actor: `user:${checker.userId}`, id, agree: true };
    const clock = { ...server.deps.clock, ...fast };
    expect(await decideWaitEnding(by, { ...server.deps, clock })).toEqual({
      ok: true,
      value: true,
    });
    // The late answer of the attempt arrives now, and its wait starts again.
    await sql(`update payouts set unanswered_at = now() where id in (
      select payout_id from payout_details where transaction_code = '${code}')`);
    expect(await askTimes(code, 4)).toEqual([]);
  });

  test("is listed on the home page with its code until a decision", async () => {
    const listed = async () => (await homeView("", server.deps)).wait_endings;
    const code = await waitingAgain();
    expect(await listed()).not.toContain(code);
    const id = await endProposed(code);
    expect(await listed()).toContain(code);
    await confirm(code, id);
    expect(await listed()).not.toContain(code);
  });

  test("can be proposed to end on the command line", async () => {
    const code = await waitingAgain();
    const env = { ...FAST, DATABASE_URL: server.deps.databaseUrl, PAYRUN_DATA: scratch() };
    const args = ["payout", "end-wait", code, "--reason", "ticket 4713: no such request"];
    const { stdout } = await runHere(args, env);
    expect(stdout).toContain(
      "has proposed ending the wait before the payout is resent: ticket 4713: no such request",
    );
    const { id } = (await viewOf(code)).wait_ending;
    expect((await confirm(code, id)).json.wait_ending).toBe(null);
    expect(await askTimes(code, 2)).toEqual([code]);
  });

  test("cannot be ended for a payout that is not in doubt", async () => {
    const reason = "somebody told me";
    const code = await scene.payout();
    expect((await operator.post(`/api/payouts/${code}/end-wait`, { reason })).json.code).toBe(
      "wrong_state",
    );
  });
});
