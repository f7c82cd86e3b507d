import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { migrate } from "#ledger/store/migrate.ts";
import { listPayouts } from "#ledger/payout/search/payouts.ts";
import { approvedBatch, claimOf, openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { rowsOf } from "../../support/servers/payrun.ts";
import { olderLedger } from "../../support/older-ledger.ts";
import { force, query } from "../../support/servers/postgres.ts";

const ROWS = 2_000;
const SETTLED = 3;

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
  const { ledger } = open;
  const { id } = await approvedBatch(ledger, rowsOf(ROWS));
  for (const { payoutId, seq } of await ledger.payout.openAttempts(
    claimOf(id, { sizeMax: SETTLED }),
  )) {
    const move = { payoutId, reason: null, dueInMs: 0, actor: "test", evidence: null };
    await ledger.payout.move({ ...move, seq, from: "submitting", event: "accept" });
    await ledger.payout.move({ ...move, seq: seq + 1, from: "accepted", event: "settle" });
  }
  await query(open.url, "vacuum analyze");
});
afterAll(() => open.close());

async function readSoFar(transaction: Database): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_fetch + seq_tup_read)::int as read from pg_stat_xact_user_tables
    where relname = 'payouts'`.execute(transaction);
  return rows[0]?.read ?? NaN;
}

test("reads few payouts to find those that were settled within a short period", async () => {
  const from = new Date(Date.now() - 60_000);
  const page = { sort: "newest", limit: 100, after: null } as const;
  const { answer, read } = await open.database.transaction().execute(async (transaction) => {
    await sql`set local enable_seqscan = off`.execute(transaction);
    // The reads of earlier transactions may not have been reported yet.
    const before = await readSoFar(transaction);
    const answer = await listPayouts(transaction, open.sealer, { settled: { from } }, page);
    return { answer, read: (await readSoFar(transaction)) - before };
  });
  expect(answer.items.map(({ state }) => state)).toEqual(["settled", "settled", "settled"]);
  expect(answer.items[0]?.settledAt?.getTime()).toBeGreaterThan(from.getTime());
  expect(answer.count).toBe(SETTLED);
  expect(read).toBeLessThan(100);
});

test("finds payouts that settled before the upgrade that stores their time", async () => {
  const url = await olderLedger("0076-settlement-time.sql");
  await force(
    url,
    `insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, maker)
      values ('B1', 'd1', 'c1', 'x.csv', 'finished_with_exceptions', 4, 0, '{}', 1, 4, 'cli:x');
    insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state, settled_at)
      select id, 'B1', id, 'M/INR', 'INR', 100, 2, '', state, settled_at::timestamptz
      from (values (1, 'settled', null), (2, 'on_hold', null), (3, 'declined', null), (4, 'settled', '2026-05-04Z'))
        v (id, state, settled_at);
    insert into transitions (payout_id, seq, event, from_state, to_state, actor, at) values
      (1, 3, 'settle', 'accepted', 'settled', 'w', '2026-05-01Z'), (2, 3, 'settle', 'accepted', 'settled', 'w', '2026-05-02Z'),
      (2, 4, 'hold', 'settled', 'on_hold', 'w', '2026-05-03Z'), (3, 3, 'decline', 'accepted', 'declined', 'w', '2026-05-03Z'),
      (4, 3, 'settle', 'accepted', 'settled', 'w', '2026-05-04Z')`,
  );
  const database = openDatabase(url, 1);
  await migrate(database);
  await database.destroy();
  expect(
    await query(url, "select id::int, settled_at::date::text as day from payouts order by id"),
  ).toEqual([
    { id: 1, day: "2026-05-01" },
    { id: 2, day: "2026-05-02" },
    { id: 3, day: null },
    { id: 4, day: "2026-05-04" },
  ]);
});
