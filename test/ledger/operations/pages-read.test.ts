/** Rows that dashboard pages and sweeps read from a ledger: no more than they show or process. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DEFAULT_ROW_SETTINGS } from "#intake/row-settings.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { createRetryBatch } from "#flows/payout/retry-batch.ts";
import { findWaitingBatches } from "#ledger/approval/waiting-batches.ts";
import { findLaneAccounts } from "#ledger/payout/lane/balances.ts";
import { findListedBatches } from "#ledger/operations/batch-list.ts";
import { findProgressCourse } from "#ledger/operations/batch-progress.ts";
import { reportRows } from "#ledger/intake/batch-rows.ts";
import { cancelDeferred, countAwaitingCorrection } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { countOpenDeposits } from "#ledger/deposit/counts.ts";
import { compareBatches } from "#ledger/approval/comparison.ts";
import { findFailureGroups } from "#ledger/operations/failure-groups.ts";
import { createBatchNotices } from "#ledger/notification/notices.ts";
import { claimAuditLines } from "#ledger/notification/people-notices.ts";
import { findSilentLanes } from "#ledger/operations/overview.ts";
import { listPayouts } from "#ledger/payout/search/payouts.ts";
import { listUsers } from "#ledger/people/users.ts";
import { holdInvalidRetries } from "#ledger/payout/retry-batches.ts";
import { findExactDuplicates } from "#ledger/intake/exact-duplicates.ts";
import {
  approvedBatch,
  declineAll,
  laneIn,
  openTestLedger,
  ingestFile,
  TEST_KEYRING,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

const ROWS = 3_000;
const DECLINED = 200;

let open: TestLedger;
/** Is being sent, in two lanes. */
let working: string;
/** Pays the same accounts different amounts, and awaits approval. */
let waiting: string;
/** Has finished: every payout was declined. */
let declined: string;

const rows = (amount: string) =>
  rowsOf(ROWS, (index) => ({
    // A unique first name and a common family name.
    name: `Own${index} Nguyen`,
    account: String(60_300_000_000_000 + index),
    currency: index % 2 === 0 ? "INR" : "THB",
    amount,
  }));

beforeAll(async () => {
  open = await openTestLedger();
  working = (await approvedBatch(open.ledger, rows("100.00"))).id;
  waiting = (await ingestFile(open.ledger, fileText(rows("200.00")))).batch.id;
  const { id } = await approvedBatch(
    open.ledger,
    rowsOf(DECLINED, () => ({ name: "An Nguyen" })),
  );
  declined = id;
  for (let done = 0; done < DECLINED; done += 100) await declineAll(open.ledger, id);
  await query(open.url, "vacuum analyze");
});
afterAll(() => open.close());

interface Read {
  /** Rows fetched by an index. */
  readonly payouts: number;
  /** Rows of the immutable data of payouts. */
  readonly details: number;
  /** Number of index lookups. */
  readonly looks: number;
  /** Rows of all other tables. */
  readonly others: number;
}

async function readSoFar(transaction: Database): Promise<Read> {
  const { rows: read } = await sql<Read>`
    select coalesce(sum(idx_tup_fetch) filter (where relname = 'payouts'), 0)::int as payouts,
      coalesce(sum(idx_tup_fetch) filter (where relname = 'payout_details'), 0)::int as details,
      coalesce(sum(idx_scan) filter (where relname in ('payouts', 'payout_details')), 0)::int as looks,
      coalesce(sum(idx_tup_fetch + seq_tup_read) filter (where relname not in ('payouts', 'payout_details')), 0)::int as others
    from pg_stat_xact_user_tables`.execute(transaction);
  return read[0] ?? { payouts: NaN, details: NaN, looks: NaN, others: NaN };
}

/** Rows of payouts and of their immutable data that one query reads. */
const reading = <T>(
  question: (transaction: Database) => Promise<T>,
  { freely = false } = {},
): Promise<Read & { answer: T }> =>
  open.database.transaction().execute(async (transaction) => {
    if (!freely) await sql`set local enable_seqscan = off`.execute(transaction);
    // The reads of earlier transactions may not have been reported yet.
    const before = await readSoFar(transaction);
    const answer = await question(transaction);
    const after = await readSoFar(transaction);
    return {
      answer,
      payouts: after.payouts - before.payouts,
      details: after.details - before.details,
      looks: after.looks - before.looks,
      others: after.others - before.others,
    };
  });

test("finds the few declined payouts of a common name by their state, not by the name", async () => {
  const page = { sort: "newest", limit: 5, after: null } as const;
  const filter = { name: "nguyen", states: ["declined"] } as const;
  const { answer, payouts } = await reading((transaction) =>
    listPayouts(transaction, open.sealer, filter, page),
  );
  expect(answer).toMatchObject({ count: DECLINED });
  expect(payouts).toBeLessThan(DECLINED * 4);
});

test("counts reservations in one pass through a batch, however many lanes it has", async () => {
  const lanes = ["INR", "THB"].map((currency) => ({
    lane: laneIn(currency),
    currency,
    minorDigits: 2,
  }));
  const { answer, payouts } = await reading((transaction) => findLaneAccounts(transaction, lanes));
  const reserved = answer.map(([, account]) => account.reserved.minor);
  expect(reserved).toEqual([15_000_000n, 15_000_000n]);
  expect(payouts).toBeLessThan(ROWS * 1.5);
});

test("compares two batches in one pass through each", async () => {
  const { answer, payouts, looks } = await reading((transaction) =>
    compareBatches(transaction, open.sealer, waiting, working),
  );
  expect(answer).toMatchObject([{ part: "unusual_amount", count: ROWS }]);
  expect(payouts).toBeLessThan(ROWS * 3);
  expect(looks).toBeLessThan(ROWS);
});

test("reads the history of no other payouts for the course of a batch", async () => {
  const course = (transaction: Database) => findProgressCourse(transaction, declined);
  const { answer, others } = await reading(course, { freely: true });
  expect(answer?.sampled).toBe(DECLINED);
  expect(others).toBeLessThan(DECLINED * 6);
});

test("reads each payout of a batch once for its report, and no other batch", async () => {
  const report = await reading((transaction) =>
    Array.fromAsync(reportRows(transaction, open.sealer, waiting)),
  );
  expect(report.answer).toHaveLength(ROWS);
  expect(report.details).toBe(ROWS);
  // The planner may look up the ends of an index.
  expect([0, 1, 2, 3, 4]).toContain(report.payouts - ROWS);
});

test("finds exact duplicates with one lookup per payment, and none in its own rows", async () => {
  const { answer, payouts, looks } = await reading((transaction) =>
    findExactDuplicates(transaction, waiting, new Date()),
  );
  expect(answer).toEqual([]);
  expect(payouts).toBeLessThan(ROWS * 1.5);
  expect(looks).toBeLessThan(ROWS * 1.5);
});

test("F57 finds the few payouts without gateway answers among all accepted ones, reading no more than it counts", async () => {
  const SILENT = 20;
  await sql`update payouts set state = 'accepted' where batch_id = ${working}`.execute(
    open.database,
  );
  await sql`update payouts set silent_since = now() - interval '1 hour'
    where batch_id = ${working} and line between 2 and ${SILENT + 1}`.execute(open.database);
  await query(open.url, "vacuum analyze payouts");
  const silent = (countedMax: number) =>
    reading((transaction) => findSilentLanes(transaction, 1_000, countedMax));

  const all = await silent(ROWS);
  expect(all.answer).toMatchObject([
    { count: SILENT / 2, isMore: false },
    { count: SILENT / 2, isMore: false },
  ]);
  expect(all.payouts).toBeLessThanOrEqual(SILENT);
  const few = await silent(3);
  expect(few.answer).toMatchObject([
    { count: 3, isMore: true },
    { count: 3, isMore: true },
  ]);
  expect(few.payouts).toBeLessThanOrEqual(6);
});

test("finds the few overtaken payouts of a retry batch in a sweep without reading the whole batch", async () => {
  const { ledger, database } = open;
  const deps = { ledger, keyring: TEST_KEYRING, rows: DEFAULT_ROW_SETTINGS };
  const order = { batchId: declined, actor: "maker", reason: "the account was confirmed" };
  const made = await createRetryBatch(order, deps);
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  const { batch } = made.value;
  const { id, contentDigest } = batch;
  await approve(id, { actor: "checker", contentDigest, totals: totalsOf(batch) }, { ledger });
  const { rows: first } = await sql<{ id: number; seq: number }>`
    select id, seq from payouts where batch_id = ${declined} order by id limit 1`.execute(database);
  const [{ id: payoutId, seq } = { id: 0, seq: 0 }] = first;
  const takenBack = {
    from: "declined",
    event: "hold",
    reason: "contradiction",
    evidence: null,
  } as const;
  await ledger.payout.move({ payoutId, seq, dueInMs: 0, actor: "test", ...takenBack });
  await query(open.url, "vacuum analyze");

  const held = await reading((transaction) => holdInvalidRetries(transaction, id));
  expect(held.answer).toBe(1);
  expect(held.payouts).toBeLessThan(10);
  await ledger.payout.cancelRest({ id, reason: null, actor: "test" });
  const cancelled = await reading((transaction) => cancelDeferred(transaction, id));
  expect(cancelled).toMatchObject({ answer: 0, payouts: 0 });
});

test("finds rescheduled batches among many just approved, before statistics know them", async () => {
  const { ledger, database, sealer } = open;
  const batch = await ledger.payout.findBatch({ id: waiting });
  if (!batch) throw new Error("no batch");
  const { contentDigest } = batch;
  await query(open.url, "vacuum analyze");
  await approve(waiting, { actor: "checker", contentDigest, totals: totalsOf(batch) }, { ledger });
  await sql`update payouts set reason = 'deferred' where batch_id = ${waiting} and line < 5`.execute(
    database,
  );
  const { answer, payouts } = await reading((transaction) =>
    findFailureGroups(transaction, sealer, ["approved"], {}),
  );
  expect(answer.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(payouts).toBeLessThan(10);
});

test("finds lists, pending work and notices among thousands of finished batches", async () => {
  await force(
    open.url,
    `insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id, maker,
      created_at, updated_at, outcome)
    select 'OLD' || n, 'old' || n, '', 'old.csv', 'finished', 1, 0, '{}', 0, 0, 'user:x', now() - interval '9 days',
      now() - interval '9 days', '[]' from generate_series(1, 5000) n`,
  );
  await query(open.url, "vacuum analyze batches");
  const at = new Date(Date.now() - 8 * 86_400_000);
  const pages: Record<string, (transaction: Database) => Promise<unknown>> = {
    list: (transaction) => findListedBatches(transaction, { limit: 3, until: at }),
    "the page after": (transaction) =>
      findListedBatches(transaction, { limit: 3, after: { value: `${at.getTime()}`, id: "" } }),
    "what waits": (transaction) => findWaitingBatches(transaction, null),
    "to correct": (transaction) => countAwaitingCorrection(transaction, "user:x"),
    notices: (transaction) => createBatchNotices(transaction, { canMail: true }),
  };
  const read: Record<string, number> = {};
  for (const [name, page] of Object.entries(pages)) read[name] = (await reading(page)).others;
  for (const [name, others] of Object.entries(read)) expect(others, name).toBeLessThan(500);
});

test("finds the new lines of a long audit log without reading the others", async () => {
  await force(
    open.url,
    `insert into audit (seq, at, actor, action, object, facts, key, hash)
    select n, '2026-01-01T00:00:00.000Z', 'user:x', 'invite', 'x', '{}', 1, '' from generate_series(1000001, 1005000) n`,
  );
  await force(open.url, "update audit_notified set seq = 1004998");
  await sql`vacuum analyze audit`.execute(open.database);
  const order = { actions: ["invite"], sizeMax: 500 };
  const { answer, others } = await reading((transaction) => claimAuditLines(transaction, order));
  expect(answer?.map(({ seq }) => seq)).toEqual([1_004_999, 1_005_000]);
  expect(others).toBeLessThan(50);
});

test("finds the few deposits that need a person by their state, and the last visits of users in one pass", async () => {
  const { database } = open;
  await force(
    open.url,
    `insert into deposits (transaction_code, lane, currency, amount_minor, minor_digits, state, created_by, payload_digest,
      user_digest, link_digest, sealed)
    select 'D' || n, 'x', 'INR', 1, 2, case when n <= 3 then 'manual' else 'completed' end, 'x', '', '',
      sha256(n::text::bytea), '' from generate_series(1, 2000) n`,
  );
  await sql`
    insert into users (id, email, name, roles) select 'U' || n, n::text, 'x', '{}' from generate_series(1, 50) n`.execute(
    database,
  );
  await sql`
    insert into sessions (id, digest, user_id, secure, address, agent, seen_at, expires_at, ended_at, created_at)
    select n::text, sha256(n::text::bytea), 'U' || 1 + n % 50, true, '', '', now(), now(), now(), now()
    from generate_series(1, 1000) n`.execute(database);
  await query(open.url, "vacuum analyze");
  const deposits = await reading(countOpenDeposits, { freely: true });
  expect(deposits.answer.manual.count).toBe(3);
  expect(deposits.others).toBeLessThan(10);
  const users = await reading(listUsers);
  expect(users.answer).toHaveLength(50);
  expect(users.others).toBeLessThan(2_000);
});
