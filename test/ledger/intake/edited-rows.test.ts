/** Valid rows with warnings that are edited before their batch is sent for approval. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { repairRows } from "#flows/intake/repair.ts";
import { changeSinceUpload } from "#ledger/intake/change-since-upload.ts";
import { freeze } from "#ledger/integrity/freeze.ts";
import type { Batch } from "#ledger/ledger.ts";
import { ingestFile, openTestLedger, TEST_KEYRING, type TestLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const HEADER =
  "user_id,currency_code,transaction_amount,account_name,bank_account_number,bank_code,bank_name,branch_code";
let files = 0;

/** Line 2 has a warning: an account with fewer than seven digits. */
async function warnedBatch(maker = "user:US1"): Promise<Batch> {
  files += 1;
  const rows = ["12345", "7654321"].map(
    (account, place) =>
      `J-${files}-${place},JPY,${1000 * files + place},Tanaka Ken,${account},0001,Mizuho,015`,
  );
  return (await ingestFile(open.ledger, [HEADER, ...rows, ""].join("\n"), maker)).batch;
}
async function edit({ id }: Batch, account: string, line = 2) {
  const batch = await open.ledger.payout.findBatch({ id });
  if (!batch) throw new Error("no batch");
  const deps = { ledger: open.ledger, keyring: TEST_KEYRING, rows: DEFAULT_ROW_SETTINGS };
  const repairs = [{ line, values: { bank_account_number: account } }];
  return repairRows(batch, repairs, "user:US2", { ...deps, at: new Date() });
}
const payoutsOf = ({ id }: Batch) =>
  query(
    open.url,
    `select p.id, p.line, d.transaction_code as code, p.amount_minor as amount
     from payouts p join payout_details d on d.payout_id = p.id where batch_id = $1 order by line`,
    [id],
  );
const REFUSED = { ok: false, error: [{ code: "line_not_rejected" }] };

test("gives the edited row a new payout with the same code, and the batch new contents", async () => {
  const batch = await warnedBatch();
  const before = await payoutsOf(batch);
  expect(await edit(batch, "0012345")).toMatchObject({ ok: true, value: { corrected: 1 } });
  const after = await payoutsOf(batch);
  expect(after.map(({ code }) => code)).toEqual(before.map(({ code }) => code));
  expect(after[0]?.["id"]).not.toBe(before[0]?.["id"]);
  const now = await open.ledger.payout.findBatch({ id: batch.id });
  expect(now?.contentDigest).not.toBe(batch.contentDigest);
  const [line] = await query(
    open.url,
    "select actor, facts from audit where object = $1 and action = 'correct'",
    [batch.id],
  );
  expect(line?.["actor"]).toBe("user:US2");
  const totals = Object.fromEntries(batch.lanes.map(({ lane }) => [lane, "2001"]));
  expect(JSON.parse(String(line?.["facts"]))).toMatchObject({ edited_lines: [2], totals });
  expect(await changeSinceUpload(open.database, batch.id)).toBe("edited");
});

test("stores nothing if the new value is an error", async () => {
  const batch = await warnedBatch();
  const before = await payoutsOf(batch);
  expect(await edit(batch, "12")).toMatchObject({ ok: false });
  expect(await payoutsOf(batch)).toEqual(before);
  const now = await open.ledger.payout.findBatch({ id: batch.id });
  expect(now).toMatchObject({ state: "draft", rejected: 0, contentDigest: batch.contentDigest });
});

test("refuses rows that have no warning, and rows of a batch that awaits approval", async () => {
  const draft = await warnedBatch();
  expect(await edit(draft, "7654322", 3)).toMatchObject(REFUSED);
  const waiting = await warnedBatch("cli:root");
  expect(waiting.state).toBe("awaiting_approval");
  expect(await edit(waiting, "0012345")).toMatchObject(REFUSED);
});

test("F26 refuses rows whose codes the gateway was asked about, and rows of a frozen ledger", async () => {
  const queried = await warnedBatch();
  await query(open.url, "update payouts set queried_at = now() where batch_id = $1", [queried.id]);
  expect(await edit(queried, "0012345")).toMatchObject(REFUSED);

  const batch = await warnedBatch();
  const before = await payoutsOf(batch);
  await open.ledger.integrity.verify();
  await open.database
    .transaction()
    .execute((transaction) => freeze(transaction, { reason: "a test", actor: "user:US1" }));
  expect(await edit(batch, "0012345")).toMatchObject(REFUSED);
  expect(await payoutsOf(batch)).toEqual(before);
});
