/**
 * A payout whose code was sent again is checked for a second payment, whatever people have decided
 * meanwhile.
 */
import { afterAll, beforeEach, expect, test } from "vitest";
import { checkRepeatedCodes } from "#flows/payout/check-repeated.ts";
import { operationsOverview } from "#views/operations/overview.ts";
import type { StatusRecord } from "#payout/outcome.ts";
import { flowDeps, scriptedGateway } from "../../support/flow.ts";
import { force } from "../../support/servers/postgres.ts";
import { openScene } from "../../support/actions/scene.ts";

const scene = await openScene();
afterAll(() => scene.server.close());
const { server, checker } = scene;
await server.deps.ledger.integrity.verify();

let code: string;
beforeEach(async () => {
  code = await scene.held();
  await force(
    server.deps.databaseUrl,
    `update payouts set resent = true, double_payment_check_at = now(), gateway_number = 'WD1', last_sent_at = now()
     where id in (select payout_id from payout_details where transaction_code = $1)`,
    [code],
  );
});

const known = () => server.deps.ledger.payout.findStatusQuery(code);
const record = (numbers: readonly string[]): StatusRecord => ({
  transactionCode: code,
  state: "completed",
  amount: "100.00",
  currency: "INR",
  gatewayNumber: numbers[0] ?? null,
  fee: null,
  ...(numbers.length > 1 && { numbers }),
});

/** A worker runs the due checks, and the gateway shows these numbers. */
async function check(...numbers: readonly string[]): Promise<void> {
  const gateway = scriptedGateway();
  gateway.answer = () => ({ kind: "found", record: record(numbers) });
  await checkRepeatedCodes(flowDeps(server.deps.ledger, gateway).deps);
  expect(gateway.queried).toContain(code);
}

const alarms = async () =>
  (await operationsOverview(server.deps)).alarms.map(({ code: alarm }) => alarm);

async function closeByTwo(): Promise<void> {
  const id = await scene.foundOut(code);
  expect((await checker.post(`/api/payouts/${code}/resolution`, { id, agree: true })).status).toBe(
    200,
  );
}

test("F55 keeps a payout on hold for its own reason with one record, and raises the alarm with two", async () => {
  await check("WD1");
  expect(await known()).toMatchObject({
    state: "on_hold",
    reason: expect.stringMatching(/^resend_window_over/),
  });
  expect(await alarms()).not.toContain("possible_double_payment");
  await force(
    server.deps.databaseUrl,
    "update payouts set double_payment_check_at = now() where double_payment_check_at is not null",
  );
  await check("WD1", "WD2");
  expect(await known()).toMatchObject({
    state: "on_hold",
    reason: expect.stringMatching(/^two_records/),
  });
  expect(await alarms()).toContain("possible_double_payment");
});

test("F55 puts a payout that two people have closed on hold once because of a second record", async () => {
  await closeByTwo();
  await check("WD1", "WD2");
  expect(await known()).toMatchObject({
    state: "on_hold",
    reason: expect.stringMatching(/^two_records/),
  });
  await closeByTwo();
  await check("WD2", "WD1");
  expect((await known())?.state).toBe("resolved");
});
