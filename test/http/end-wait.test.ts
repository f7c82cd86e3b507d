/** Two people end the wait before a payout in doubt is sent again, or nobody does. */
import { afterAll, describe, expect, test } from "vitest";
import { ask } from "#flows/ask.ts";
import { flowDeps, toldGateway } from "../support/flow.ts";
import { FAST, runHere, scratch } from "../support/payrun.ts";
import { openScene } from "../support/scene.ts";
import { query } from "../support/postgres.ts";

const scene = await openScene();
afterAll(() => scene.desk.close());
const { desk, operator, checker, newcomer, waitingAgain, endProposed } = scene;
await desk.desk.ledger.verify();

const viewOf = async (code: string) => (await operator.get(`/api/payouts/${code}`)).json;
const confirm = (code: string, id: number, agree = true, by = checker) =>
  by.post(`/api/payouts/${code}/wait-ending`, { id, agree });
const sql = (text: string) => query(desk.desk.databaseUrl, text);

/** Asks the gateway, which does not show the code, so many times. Returns the codes that were sent. */
async function askTimes(code: string, times: number): Promise<string[]> {
  const gateway = toldGateway();
  const { deps } = flowDeps(desk.desk.ledger, gateway);
  const pace = { ...deps.pace, resendAfterMs: 900_000 };
  for (let time = 0; time < times; time += 1) {
    const question = await desk.desk.ledger.questionAbout(code);
    if (question) await ask(question, { ...deps, pace });
  }
  return gateway.sent.map(({ transactionCode }) => transactionCode);
}

describe("F55 the wait of a payout in doubt", () => {
  test("is ended by one who proposes it and another who confirms, and the same code is sent again", async () => {
    const code = await waitingAgain();
    const id = await endProposed(code);
    expect(await viewOf(code)).toMatchObject({
      wait_ending: { id, words: "ticket 4712: the gateway has no such request" },
    });
    // The gateway does not show it, again and again: the wait goes on.
    expect(await askTimes(code, 4)).toEqual([]);
    expect((await confirm(code, id)).status).toBe(200);
    // Nothing is sent by the confirmation itself, but by the next answer that does not show the code.
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

  test("is ended by nobody alone, and by no program", async () => {
    const code = await waitingAgain();
    const both = await newcomer("approver");
    await sql(`update users set roles = '{approver,operator}' where id = '${both.userId}'`);
    const words = "I am sure";
    const { id } = (await both.post(`/api/payouts/${code}/end-wait`, { words })).json.wait_ending;
    expect((await confirm(code, id, true, both)).json.code).toBe("own_closing");
    expect((await confirm(code, id, true, operator)).status).toBe(403);
    const past = sql(
      "update wait_endings set outcome = 'agreed', decided_by = proposed_by, decided_at = now() where outcome is null",
    );
    await expect(past).rejects.toThrow("confirmed by another person");
    const inserted = sql(
      `insert into wait_endings (payout_id, seq, words, proposed_by, at, outcome, decided_by, decided_at)
       select payout_id, seq, words, proposed_by, at, 'agreed', 'user:x', now() from wait_endings limit 1`,
    );
    await expect(inserted).rejects.toThrow("proposed before it is decided");
    expect(await askTimes(code, 4)).toEqual([]);
  });

  test("goes on where the approver refuses, and where the last attempt ended after the confirmation", async () => {
    const refused = await waitingAgain();
    expect((await confirm(refused, await endProposed(refused), false)).json.wait_ending).toBe(null);
    expect(await askTimes(refused, 4)).toEqual([]);
    const late = await waitingAgain();
    await confirm(late, await endProposed(late));
    await sql(`update payouts set unanswered_at = now() + interval '1 second' where id in (
      select payout_id from payout_details where transaction_code = '${late}')`);
    expect(await askTimes(late, 4)).toEqual([]);
  });

  test("is proposed to be ended on the command line", async () => {
    const code = await waitingAgain();
    const env = { ...FAST, DATABASE_URL: desk.desk.databaseUrl, PAYRUN_DATA: scratch() };
    const args = ["payout", "end-wait", code, "--reason", "ticket 4713: no such request"];
    const { stdout } = await runHere(args, env);
    expect(stdout).toContain("proposes to end the wait: ticket 4713: no such request");
    const { id } = (await viewOf(code)).wait_ending;
    expect((await confirm(code, id)).json.wait_ending).toBe(null);
    expect(await askTimes(code, 2)).toEqual([code]);
  });

  test("is not there to be ended for a payout that is not in doubt", async () => {
    const words = "somebody told me";
    const code = await scene.payout();
    expect((await operator.post(`/api/payouts/${code}/end-wait`, { words })).json.code).toBe(
      "wrong_state",
    );
  });
});
