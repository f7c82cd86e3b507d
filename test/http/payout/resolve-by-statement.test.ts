/** Results on statements that are, or are not, enough to resolve a payout. */
import { afterAll, expect, test } from "vitest";
import { listOnStatement } from "../../support/actions/payout-action-deeds.ts";
import { openScene } from "../../support/actions/scene.ts";
import { query } from "../../support/servers/postgres.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, operator, checker, held } = scene;

const sql = (text: string) => query(server.deps.databaseUrl, text);
const preview = (action: string, selection: object) =>
  operator.post("/api/payout-actions", { action, ...selection });

interface Left {
  readonly reason: string;
  readonly count: number;
}

test("refuses contradictory, other and repeated lines", async () => {
  const [amount, twice, both] = [await held(), await held(), await held()];
  await listOnStatement(scene, amount, "completed", { amountMinor: 9_999 });
  await listOnStatement(scene, twice, "completed");
  await listOnStatement(scene, twice, "completed");
  await listOnStatement(scene, both, "failed");
  await listOnStatement(scene, both, "completed");
  const { json: seen } = await preview("resolve", { codes: [amount, twice, both] });
  expect(seen.qualifying.count).toBe(0);
  expect(seen.not_qualifying.map(({ reason }: { reason: string }) => reason).toSorted()).toEqual([
    "amount_differs",
    "contradictory",
    "listed_twice",
  ]);
});

test("leaves what a statement cannot settle to a person", async () => {
  const [changed, again, other, numbered] = [
    await held(),
    await held(),
    await held(),
    await held(),
  ];
  const set = (code: string, values: string) =>
    sql(`update payouts set ${values} where id =
      (select payout_id from payout_details where transaction_code = '${code}')`);
  // The gateway contradicted itself after the day of the statement.
  await set(changed, "reason = 'contradiction: settled, then failed; not confirmed'");
  await listOnStatement(scene, changed, "completed");
  // The failed line may be about the other request.
  await set(again, "resent = true");
  await listOnStatement(scene, again, "failed");
  await listOnStatement(scene, other, "failed", { number: "GW-1" });
  await listOnStatement(scene, other, "pending", { number: "GW-2" });
  // A line without the code, for example of a return.
  await set(numbered, "gateway_number = 'GW-3'");
  await listOnStatement(scene, numbered, "completed", { number: "GW-3" });
  await listOnStatement(scene, numbered, "returned", { lineCode: "#GW-3", number: "GW-3" });
  const { json: seen } = await preview("resolve", { codes: [changed, again, other, numbered] });
  expect(seen.not_qualifying.map(({ reason, count }: Left) => `${reason} ${count}`)).toEqual(
    expect.arrayContaining(["report_changed 1", "statement_not_enough 1", "listed_twice 1"]),
  );
  expect(seen.qualifying.count).toBe(1);
  await operator.post(`/api/payout-actions/${seen.id}/apply`, { reason: "the supplier called" });
  await checker.post(`/api/payout-actions/${seen.id}/confirm`);
  expect((await operator.get(`/api/payouts/${numbered}`)).json.outlook.answer).toMatch(
    /no money left the account or the money came back.*completed.*returned/,
  );
});

test("settles the reasons with one unclear request, and says why it does not settle others", async () => {
  const reasons = {
    "no_answer: timeout": "qualifies",
    "deferred: the gateway is busy": "qualifies",
    status_unanswered: "qualifies",
    manual_process: "qualifies",
    not_queried: "qualifies",
    "refused_since_restore: invalid IFSC": "qualifies",
    "amount_mismatch: the gateway reports INR 1": "other_amount_reported",
    "contradiction: settled, then failed": "report_changed",
    code_not_ours: "statement_not_enough",
    known_before_sent: "statement_not_enough",
  };
  const outcomes = new Map<string, string>();
  for (const [reason, expected] of Object.entries(reasons)) {
    const code = await held();
    await sql(`update payouts set reason = '${reason}' where id =
      (select payout_id from payout_details where transaction_code = '${code}')`);
    await listOnStatement(scene, code, "completed");
    outcomes.set(code, expected);
  }
  const failed = await held();
  await sql(`update payouts set reason = 'not_queried' where id =
    (select payout_id from payout_details where transaction_code = '${failed}')`);
  await listOnStatement(scene, failed, "failed");
  outcomes.set(failed, "statement_not_enough");
  const { json: seen } = await preview("resolve", { codes: [...outcomes.keys()] });
  const { json } = await operator.get(`/api/payout-actions/${seen.id}/payouts?limit=50`);
  const found = (json.items as { code: string; outcome: string }[]).map(
    ({ code, outcome }) => [code, outcome] as const,
  );
  expect(new Map(found)).toEqual(outcomes);
});
