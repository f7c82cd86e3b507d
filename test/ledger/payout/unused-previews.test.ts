/** Previews that nobody applied are deleted; everything else about actions on payouts is kept. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyPayoutAction, previewPayoutAction } from "#flows/payout/payout-actions.ts";
import { findAction } from "#ledger/payout/action/actions.ts";
import { approvedBatch, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";

let open: TestLedger;
let batchId: string;
beforeAll(async () => {
  open = await openTestLedger();
  batchId = (await approvedBatch(open.ledger, rowsOf(3))).id;
});
afterAll(() => open.close());

const DAY_MS = 86_400_000;
/** Previews an action as if `agoMs` had passed since. */
async function previewed(agoMs: number): Promise<string> {
  const { ledger } = open;
  const at = new Date(Date.now() - agoMs);
  const made = await previewPayoutAction(
    { action: "hold_back", filter: { batchId }, selection: {}, actor: "operator" },
    { ledger: { ...ledger, payout: { ...ledger.payout, previewAction: (o) => early(o, at) } } },
  );
  if (!made.ok) throw new Error(made.error);
  return made.value.id;
}
async function early(order: Parameters<typeof open.ledger.payout.previewAction>[0], at: Date) {
  const { previewAction } = await import("#ledger/payout/action/preview.ts");
  return open.database
    .transaction()
    .execute((transaction) => previewAction(transaction, open.sealer, { ...order, at }));
}
const deleteOne = () => open.ledger.transaction(({ payout }) => payout.deleteUnusedPreview());
const rowsOfAction = async (id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from payout_action_rows where action_id = ${id}`.execute(
    open.database,
  );
  return rows[0]?.count ?? 0;
};

test("deletes a preview with its payouts a day after it has expired", async () => {
  const [old, older, fresh] = [
    await previewed(2 * DAY_MS),
    await previewed(3 * DAY_MS),
    await previewed(DAY_MS - 60_000),
  ];
  const applied = await previewed(0);
  const order = { id: applied, actor: "operator", reason: "the supplier called" };
  expect(await applyPayoutAction(order, { ledger: open.ledger })).toMatchObject({ ok: true });
  expect(await rowsOfAction(older)).toBe(3);
  expect(await deleteOne()).toBe(true);
  expect([await rowsOfAction(older), await rowsOfAction(old)]).toEqual([0, 3]);
  expect(await deleteOne()).toBe(true);
  expect(await deleteOne()).toBe(false);
  expect(await findAction(open.database, old)).toBeNull();
  expect([await rowsOfAction(fresh), await rowsOfAction(applied)]).toEqual([3, 3]);
  const { rows } = await sql`select from audit where object in (${old}, ${older})`.execute(
    open.database,
  );
  expect(rows).toEqual([]);
});

test("no other action and none of its payouts can be deleted", async () => {
  const [fresh, applied] = [await previewed(0), await previewed(0)];
  const order = { id: applied, actor: "operator", reason: "the supplier called" };
  await applyPayoutAction(order, { ledger: open.ledger });
  for (const id of [fresh, applied]) {
    await expect(
      sql`delete from payout_actions where id = ${id}`.execute(open.database),
    ).rejects.toThrow(/append-only/);
    await expect(
      sql`delete from payout_action_rows where action_id = ${id}`.execute(open.database),
    ).rejects.toThrow(/append-only/);
  }
});
