import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { queryByHand, queryForPerson } from "#flows/payout/query-by-hand.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { roundAt } from "#jobs/submit.ts";
import { flowDeps, scriptedGateway, type ScriptedGateway } from "../../support/flow.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
let gateway: ScriptedGateway;
let world: ReturnType<typeof flowDeps>;
beforeEach(async () => {
  open = await openTestLedger();
  gateway = scriptedGateway();
  world = flowDeps(open.ledger, gateway);
});
afterEach(() => open.close());

const sql = (text: string) => query(open.url, text);
const state = async () => (await sql("select state from payouts"))[0]?.["state"];
const record = (state: "manual" | "completed" | "unclear") => (code: string) => ({
  kind: "found" as const,
  record: {
    transactionCode: code,
    state,
    amount: "100.00",
    currency: "INR",
    gatewayNumber: "WD1",
    fee: null,
  },
});

test("queries a payout on hold and keeps the answer for a person, without deciding anything", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const round = roundAt(systemClock.nowMs());
  await submitDue({ batchId: id, lane: laneIn("INR"), slot: 0, rank: 1, round }, world.deps);
  gateway.answer = record("manual");
  await queryByHand(gateway.sent[0]?.transactionCode ?? "", world.deps);
  expect(await state()).toBe("on_hold");

  gateway.answer = record("completed");
  const wish = {
    code: gateway.sent[0]?.transactionCode ?? "",
    actor: "cli:asha",
    at: new Date(),
  };
  const [since] = await sql("select updated_at from payouts");
  expect(await queryForPerson(wish, world.deps, open.ledger)).toEqual({ ok: true, value: true });
  expect(await state()).toBe("on_hold");
  expect(await sql("select updated_at from payouts"), "it waits for a person as before").toEqual([
    since,
  ]);
  const [last] = await sql(
    "select facts->>'state' as state from evidence order by id desc limit 1",
  );
  expect(last).toEqual({ state: "completed" });
  const asked = await sql("select actor from audit where action = 'query_status'");
  expect(asked).toEqual([{ actor: "cli:asha" }]);
});

test("does not send a code again after an answer if a concurrent query was answered differently", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const round = roundAt(systemClock.nowMs());
  gateway.submit = () => ({ kind: "in_doubt", code: "no_answer", text: "" });
  await submitDue({ batchId: id, lane: laneIn("INR"), slot: 0, rank: 1, round }, world.deps);
  await sql("update payouts set last_sent_at = now() - interval '1 minute'");
  const code = gateway.sent[0]?.transactionCode ?? "";
  await queryByHand(code, world.deps);

  const { status, answer } = gateway;
  gateway.status = async (...question) => {
    Object.assign(gateway, { status, answer: record("unclear") });
    await queryByHand(code, world.deps);
    gateway.answer = answer;
    return status(...question);
  };
  await queryByHand(code, world.deps);
  expect(gateway.queried).toHaveLength(3);
  expect(gateway.sent).toHaveLength(1);
  expect(await sql("select state, status_answer from payouts")).toEqual([
    { state: "in_doubt", status_answer: "unclear" },
  ]);

  // Two consecutive answers with nothing in between do send it. The minute for which the gateway
  // seems to have worked is simulated.
  await sql("delete from lane_processing");
  gateway.submit = () => ({ kind: "accepted" });
  await queryByHand(code, world.deps);
  await queryByHand(code, world.deps);
  expect(gateway.sent).toHaveLength(2);
});

test("does not query a payout that no answer can change, and records no request", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  await sql("update payouts set state = 'submitting'");
  const [row] = await sql("select transaction_code as code from payout_details");
  const wish = { code: String(row?.["code"]), actor: "cli:asha", at: new Date() };
  const asked = await queryForPerson(wish, world.deps, open.ledger);
  expect(asked).toEqual({ ok: false, error: expect.stringContaining("A request is in progress") });
  expect(gateway.queried).toEqual([]);
  expect(await sql("select from audit where action = 'query_status'")).toEqual([]);
  expect(await queryForPerson({ ...wish, code: id }, world.deps, open.ledger)).toEqual({
    ok: false,
    error: null,
  });
});
