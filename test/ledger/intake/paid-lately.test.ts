import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findRecentPayments } from "#ledger/intake/paid-lately.ts";
import { accountText } from "#payout/payout.ts";
import { openTestLedger, ingestFile, type TestLedger } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const ROWS = 4_000;
const ASKED = 100;

test("F79 finds earlier payments at the same cost, however wrong the statistics are", async () => {
  const { database, ledger, sealer } = open;
  const accountOf = (index: number) => String(60_100_000_000_000 + index);
  await ingestFile(ledger, fileText(rowsOf(ROWS, (index) => ({ account: accountOf(index) }))));
  // As bad as in the middle of a large file, when one table has been analysed and the other has
  // not.
  await query(open.url, "alter table payout_details alter account_digest set (n_distinct = 2)");
  await query(open.url, "analyze payouts, payout_details");
  const payments = Array.from({ length: ASKED }, (_, index) => ({
    account: sealer.digest(
      accountText("INR", { bank_code: "HDFC", bank_account_number: accountOf(index) }),
    ),
    // The first half is paid the same amount again.
    money: { currency: "INR", minor: index < ASKED / 2 ? 10_000n : 1n, minorDigits: 2 },
  }));
  await database.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    const found = await findRecentPayments(
      transaction,
      { batchId: "BNEW", isCorrection: false, firstId: 0 },
      payments,
    );
    expect([...found.keys()]).toEqual(Array.from({ length: ASKED / 2 }, (_, index) => index));
    const { rows } = await sql<{ read: number }>`
      select idx_tup_fetch as read from pg_stat_xact_user_tables where relname = 'payouts'`.execute(
      transaction,
    );
    expect(rows[0]?.read).toBeLessThanOrEqual(ASKED * 2);
  });
});

test("F79 compares a file that pays one account in every row with other files, not row by row", async () => {
  const { database, ledger, sealer } = open;
  const one = { account: "70100000000001" };
  const { batch } = await ingestFile(ledger, fileText(rowsOf(2_000, () => one)));
  const account = sealer.digest(
    accountText("INR", { bank_code: "HDFC", bank_account_number: one.account }),
  );
  const money = { currency: "INR", minor: 10_000n, minorDigits: 2 };
  const { rows: bounds } = await sql<{ first: number }>`
    select min(id)::int as first from payouts where batch_id = ${batch.id}`.execute(database);
  await database.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    const own = { batchId: batch.id, isCorrection: false, firstId: bounds[0]?.first ?? 0 };
    const payments = Array.from({ length: 500 }, () => ({ account, money }));
    expect((await findRecentPayments(transaction, own, payments)).size).toBe(0);
    const { rows } = await sql<{ read: number }>`
      select sum(idx_tup_fetch)::int as read from pg_stat_xact_user_tables
      where relname in ('payouts', 'payout_details')`.execute(transaction);
    expect(rows[0]?.read).toBeLessThan(10);
    const other = { batchId: "BNEW", isCorrection: false, firstId: 0 };
    expect((await findRecentPayments(transaction, other, payments)).size).toBe(500);
  });
});
