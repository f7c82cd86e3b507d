/** A resolution by one person locks the audit log last, as a close and a pause do. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyPayoutAction, previewPayoutAction } from "#flows/payout/payout-actions.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { listOnStatement } from "../../support/actions/payout-action-deeds.ts";
import { approvedBatch, laneIn, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

/** Previews the resolution of two listed payouts on hold. */
async function previewed(prefix: string): Promise<{ id: string; batchId: string }> {
  const codes = [`${prefix}-0`, `${prefix}-1`];
  const rows = rowsOf(2, (index) => ({ code: codes[index] ?? "" }));
  const { id: batchId } = await approvedBatch(open.ledger, rows);
  await sql`update payouts set state = 'on_hold', reason = 'resend_window_over', attempts = 1
    where batch_id = ${batchId}`.execute(open.database);
  const server = { deps: { databaseUrl: open.url } };
  for (const code of codes) await listOnStatement({ server } as never, code, "completed");
  const order = {
    action: "resolve",
    filter: { batchId },
    selection: {},
    actor: "cli:asha",
  } as const;
  const seen = await previewPayoutAction(order, { ledger: open.ledger });
  if (!seen.ok || seen.value.qualifying.count !== 2) throw new Error("no payouts qualify");
  return { id: seen.value.id, batchId };
}

/** Applies an action while another transaction holds a lock, and then writes to the audit log. */
async function applyWhileLocked(id: string, lock: (transaction: Database) => Promise<unknown>) {
  let applying: ReturnType<typeof applyPayoutAction> | null = null;
  const line = { actor: "cli:asha", action: "pause", object: "B1", facts: {} } as const;
  await open.database.transaction().execute(async (transaction) => {
    await lock(transaction);
    const order = { id, actor: "cli:asha", reason: "listed by the gateway" };
    applying = applyPayoutAction(order, { ledger: open.ledger });
    applying.catch(() => {});
    await new Promise((done) => setTimeout(done, 500));
    await appendAudit(transaction, new Date(), line);
  });
  return applying;
}

const RESOLVED = { ok: true, value: { state: "applied", changed: { count: 2 } } };

test("F29 resolves listed payouts while a day of their lane is closed", async () => {
  const { id } = await previewed("CLOSE");
  const close = `payrun close ${laneIn("INR")}`;
  const lock = (transaction: Database) =>
    sql`select pg_advisory_xact_lock(hashtext(${close}))`.execute(transaction);
  expect(await applyWhileLocked(id, lock)).toMatchObject(RESOLVED);
});

test("F29 resolves listed payouts while their batch is paused", async () => {
  const { id, batchId } = await previewed("PAUSE");
  const lock = (transaction: Database) =>
    sql`update batches set updated_at = now() where id = ${batchId}`.execute(transaction);
  expect(await applyWhileLocked(id, lock)).toMatchObject(RESOLVED);
  const { rows } = await sql<{ action: string }>`
    select action from audit where object in (${id}, ${batchId}) and seq > (
      select max(seq) from audit where action = 'approve') order by seq`.execute(open.database);
  expect(rows.map(({ action }) => action)).toEqual([
    "propose_payout_action",
    "finish_with_exceptions",
    "confirm_payout_action",
  ]);
});
