import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { cancelBatch } from "#flows/payout/lane/control-batch.ts";
import { followDue } from "#flows/payout/follow-payouts.ts";
import { submitDue } from "#flows/payout/submit.ts";
import { makeKeyring, merchantOf } from "#gateway/wire/keyring.ts";
import { roundAt } from "#jobs/submit.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";
import { flowDeps, scriptedGateway, untilDone } from "../../support/flow.ts";
import {
  approvedBatch,
  claimOf,
  laneIn,
  openTestLedger,
  ingestFile,
  TEST_KEYRING,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const sql = (text: string) => query(open.url, text);
const jobOf = (batchId: string) => ({
  batchId,
  lane: laneIn("INR"),
  slot: 0,
  rank: 1,
  round: roundAt(systemClock.nowMs()),
});

test("F105 counts one of ten concurrent approvals, and none with different content", async () => {
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(20)));
  const approval = {
    actor: "checker",
    contentDigest: batch.contentDigest,
    totals: totalsOf(batch),
  };
  const changed = { ...approval, contentDigest: "00".repeat(32) };
  expect(await approve(batch.id, changed, { ledger: open.ledger })).toMatchObject({
    ok: false,
    error: { kind: "refused", problems: [{ code: "content_changed" }] },
  });

  const answers = await Promise.all(
    Array.from({ length: 10 }, () => approve(batch.id, approval, { ledger: open.ledger })),
  );
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  expect(await sql("select count(*)::int as n from transitions where event = 'approve'")).toEqual([
    { n: 20 },
  ]);
  expect(await sql("select count(*)::int as n from audit where action like '%approve%'")).toEqual([
    { n: 1 },
  ]);
});

test("F106 sends or cancels each payout, never both, when a batch is cancelled during sending", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(60));
  const gateway = scriptedGateway();
  const { deps } = flowDeps(open.ledger, gateway);
  const cancelled: ReturnType<typeof cancelBatch>[] = [];
  gateway.submit = async () => {
    if (cancelled.length === 0) {
      cancelled.push(cancelBatch({ batchId: id, actor: "ops", reason: null }, open.ledger));
    }
    await Promise.all(cancelled);
    return { kind: "accepted" };
  };
  await untilDone(() => submitDue(jobOf(id), deps));
  expect(await Promise.all(cancelled)).toMatchObject([{ ok: true }]);

  const rows = await sql(
    "select p.state, d.transaction_code as code, exists (select from attempts a where a.payout_id = p.id) as tried from payouts p join payout_details d on d.payout_id = p.id",
  );
  const of = (state: string) => rows.filter((row) => row["state"] === state);
  expect(of("accepted").length).toBeGreaterThan(0);
  expect(of("cancelled").length).toBeGreaterThan(0);
  expect(of("accepted").length + of("cancelled").length).toBe(60);
  expect(of("cancelled").filter(({ tried }) => tried)).toEqual([]);
  const sent = gateway.sent.map(({ transactionCode }) => transactionCode);
  expect(new Set(sent)).toEqual(new Set(of("accepted").map(({ code }) => code)));
});

test("F104 records which key each attempt used when credentials change in between", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(1));
  const gateway = scriptedGateway();
  const { deps } = flowDeps(open.ledger, gateway);
  gateway.submit = () =>
    gateway.sent.length === 1
      ? { kind: "in_doubt", code: "no_answer", text: "no answer" }
      : { kind: "accepted" };
  await submitDue(jobOf(id), deps);

  const renewed = makeKeyring(
    DEMO_MERCHANTS.map((entry) => merchantOf({ ...entry, api_secret: "renewed-secret" })),
  );
  for (let look = 0; look < 10 && gateway.sent.length < 2; look += 1) {
    await sql("update payouts set due_at = now(), last_sent_at = now() - interval '1 minute'");
    await followDue(jobOf(id), { ...deps, keyring: renewed });
  }
  const keyIds = [TEST_KEYRING, renewed].map((keyring) => keyring.forCurrency("INR")?.keyId);
  expect(new Set(keyIds).size).toBe(2);
  expect(await sql("select key_id from attempts order by number")).toEqual(
    keyIds.map((key_id) => ({ key_id })),
  );
  expect(gateway.sent[1]).toEqual(gateway.sent[0]);
});

test("F103 stops a lane whose merchant was replaced, without sending its payouts to the new merchant", async () => {
  const { id } = await approvedBatch(open.ledger, rowsOf(2));
  const gateway = scriptedGateway();
  const { deps } = flowDeps(open.ledger, gateway);
  const other = makeKeyring(
    DEMO_MERCHANTS.map((entry) =>
      merchantOf({ ...entry, merchant_code: `${entry.merchant_code}-LIVE` }),
    ),
  );
  await submitDue(jobOf(id), { ...deps, keyring: other });
  expect(gateway.sent).toEqual([]);
  expect(await open.ledger.payout.stoppedLanes()).toMatchObject([
    { lane: laneIn("INR"), needs: "person" },
  ]);
  expect(await open.ledger.payout.openAttempts(claimOf(id))).toEqual([]);
});
