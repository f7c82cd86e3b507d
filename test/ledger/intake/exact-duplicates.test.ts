/**
 * Exact duplicates of another batch are not approved unseen: F79, as a refusal with an override.
 */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { describeExactDuplicates } from "#intake/batch/exact-duplicates.ts";
import { systemClock } from "#base/clock.ts";
import { approve, totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import type { Batch } from "#ledger/ledger.ts";
import { allowExactDuplicates, findExactDuplicates } from "#ledger/intake/exact-duplicates.ts";
import {
  claimOf,
  declineAll,
  sendForApproval,
  openTestLedger,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf, type TestRow } from "../../support/servers/payrun.ts";
import { force } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
  const { database } = open;
  await sql`insert into users (id, email, name, roles) values
    ('US1', 'a@example.test', 'Ada', '{admin}'), ('US2', 'b@example.test', 'Bob', '{approver,uploader}'),
    ('US3', 'c@example.test', 'Cem', '{approver}')`.execute(database);
  await sql`insert into settings (name, value) values ('approval people', '1')`.execute(database);
});
afterAll(() => open.close());

let accounts = 0;
/** A payment that no other test has. */
const payment = (): TestRow => ({ account: String(60_100_000_000_000 + (accounts += 1)) });
const uploaded = async (rows: readonly TestRow[], actor = "maker"): Promise<Batch> =>
  (await ingestFile(open.ledger, fileText(rows), actor)).batch;
const approved = async (batch: Batch, actor = "checker") =>
  approve(
    batch.id,
    { actor, contentDigest: batch.contentDigest, totals: totalsOf(batch) },
    { ledger: open.ledger },
  );
const allow = ({ id: batchId, contentDigest }: Batch, actor: string) =>
  open.database.transaction().execute((transaction) =>
    allowExactDuplicates(transaction, {
      batchId,
      contentDigest,
      reason: "a second shift",
      actor,
      at: new Date(),
    }),
  );
/** Two batches that pay the same; the first is approved. */
async function twice(change: Partial<TestRow> = {}): Promise<{ first: Batch; second: Batch }> {
  const row = payment();
  const first = await uploaded([row, payment()]);
  const second = await uploaded([payment(), { ...row, ...change }]);
  expect(await approved(first)).toMatchObject({ ok: true });
  return { first, second };
}

test("refuses the same account, name and amount, with the line and the batch", async () => {
  const { first, second } = await twice();
  const refused = await approved(second);
  expect(refused).toMatchObject({
    ok: false,
    error: { kind: "exact_duplicates", duplicates: [{ batchId: first.id, rows: 1, lines: [3] }] },
  });
  const [repeat] = await findExactDuplicates(open.database, second.id, new Date());
  expect(repeat && describeExactDuplicates(repeat)).toContain(
    `1 payout (line 3) duplicates a payout in batch ${first.id}`,
  );
});

test.each<[string, Partial<TestRow>]>([
  ["another amount", { amount: "100.01" }],
  ["another name", { name: "Omar Das" }],
])("treats %s as similar, not as the same", async (_, change) => {
  expect(await approved((await twice(change)).second)).toMatchObject({ ok: true });
});

test("does not block an installation that has no second person", async () => {
  const alone = await openTestLedger();
  const row = payment();
  for (const _ of [1, 2]) {
    const { batch } = await ingestFile(alone.ledger, fileText([row]));
    const { contentDigest } = batch;
    const approval = { actor: "maker", contentDigest, totals: totalsOf(batch) };
    expect(await approve(batch.id, approval, { ledger: alone.ledger })).toMatchObject({ ok: true });
  }
  await alone.close();
});

const approvedDaysAgo = (days: number, { id }: Batch) =>
  sql`update batches set approved_at = now() - ${days} * interval '1 day' where id = ${id}`.execute(
    open.database,
  );

describe("counts although it was approved more than seven days ago", () => {
  const refused = { ok: false, error: { kind: "exact_duplicates", duplicates: [{ rows: 1 }] } };

  test("a payout that is still to be sent", async () => {
    const { first, second } = await twice();
    await approvedDaysAgo(30, first);
    expect(await approved(second)).toMatchObject(refused);
  });

  test("a batch approved for a later time that was sent lately", async () => {
    const { first, second } = await twice();
    await open.ledger.payout.openAttempts(claimOf(first.id));
    await approvedDaysAgo(30, first);
    await sql`insert into send_times (batch_id, send_at, local, zone, expires_hours, set_by, released_at)
      values (${first.id}, now() - interval '6 days', '', 'UTC', 24, 'test', now() - interval '6 days')`.execute(
      open.database,
    );
    expect(await approved(second)).toMatchObject(refused);
  });
});

test("counts a payout that was returned, except for its own retry", async () => {
  const { first, second } = await twice();
  await force(open.url, `update payouts set state = 'returned' where batch_id = '${first.id}'`);
  expect(await approved(second)).toMatchObject({ error: { kind: "exact_duplicates" } });

  // Another batch with a retry was uploaded before the last rows of this batch were corrected.
  const { batch: between } = await ingestFile(open.ledger, fileText(rowsOf(2)));
  const last = (await ingestFile(open.ledger, fileText(rowsOf(1)))).batch.id;
  await force(
    open.url,
    `update batches set last_id = (select last_id from batches where id = '${last}') where id = '${second.id}'`,
  );
  await sql`insert into descendants (payout_id, parent_id, ancestors)
    select retry.id, payout.id, array[payout.id] from payouts retry, payouts payout
    where retry.batch_id = ${between.id} and retry.line = 3 and payout.batch_id = ${first.id} and payout.line = 2`.execute(
    open.database,
  );
  expect(await approved(second)).toMatchObject({ error: { kind: "exact_duplicates" } });
  await force(open.url, "delete from descendants");
  await sql`insert into descendants (payout_id, parent_id, ancestors)
    select retry.id, payout.id, array[payout.id] from payouts retry, payouts payout
    where retry.batch_id = ${second.id} and retry.line = 3 and payout.batch_id = ${first.id} and payout.line = 2`.execute(
    open.database,
  );
  expect(await approved(second)).toMatchObject({ ok: true });
});

describe("does not count", () => {
  test("a row with its own code, which its author declares to be another payment", async () => {
    const { second } = await twice({ code: "INVOICE-2026-0042" });
    expect(await approved(second)).toMatchObject({ ok: true });
  });

  test("a payout that was conclusively declined", async () => {
    const { first, second } = await twice();
    await declineAll(open.ledger, first.id);
    expect(await approved(second)).toMatchObject({ ok: true });
  });

  test("a batch that was approved and sent more than seven days ago", async () => {
    const { first, second } = await twice();
    await open.ledger.payout.openAttempts(claimOf(first.id));
    await approvedDaysAgo(8, first);
    expect(await approved(second)).toMatchObject({ ok: true });
  });

  test("a batch of the same schedule, which repeats by its rule", async () => {
    const { first, second } = await twice();
    await sql`insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
      values ('SC1', 'weekly', '{}', '{}', 24, 4, 24, 'maker')`.execute(open.database);
    await sql`insert into occurrences (schedule_id, day, local, zone, send_at, create_at, state, batch_id) values
      ('SC1', '2026-01-05', '2026-01-05T09:00', 'UTC', now(), now(), 'created', ${first.id}),
      ('SC1', '2026-01-12', '2026-01-12T09:00', 'UTC', now(), now(), 'created', ${second.id})`.execute(
      open.database,
    );
    expect(await approved(second)).toMatchObject({ ok: true });
  });

  test("a batch that only waits: of two approved concurrently, one is first", async () => {
    const row = payment();
    const both = [await uploaded([row]), await uploaded([row])];
    const done = await Promise.all(both.map((batch) => approved(batch)));
    expect(done.filter(({ ok }) => ok)).toHaveLength(1);
  });
});

describe("a reason", () => {
  test("lets a person other than its author approve", async () => {
    const { second } = await twice();
    expect(await allow(second, "checker")).toBe("allowed");
    expect(await approved(second)).toMatchObject({ error: { kind: "exact_duplicates" } });
    expect(await approved(second, "another")).toMatchObject({ ok: true });
  });

  test("applies to the batches that were duplicated when it was given", async () => {
    const row = payment();
    const [first, second, third] = [
      await uploaded([row]),
      await uploaded([row]),
      await uploaded([row]),
    ];
    expect(await approved(first)).toMatchObject({ ok: true });
    expect(await allow(second, "checker")).toBe("allowed");
    await allow(third, "checker");
    expect(await approved(third, "another")).toMatchObject({ ok: true });
    expect(await approved(second, "another")).toMatchObject({
      error: { kind: "exact_duplicates" },
    });
  });

  test("applies only to the duplicates shown, and is refused without duplicates", async () => {
    const other = await uploaded([payment()]);
    expect(await allow(other, "checker")).toBe("no_exact_duplicates");
    expect(await allow({ ...other, contentDigest: "another" }, "checker")).toBe("content_changed");
    await approved(other);
    expect(await allow(other, "checker")).toBe("wrong_state");
  });

  test("is separate from the approval on the dashboard as well", async () => {
    const { database, ledger } = open;
    const row = payment();
    expect(await approved(await uploaded([row]))).toMatchObject({ ok: true });
    const desk = await uploaded([row], "user:US9");
    await sendForApproval(database, desk);
    const by = (userId: string) =>
      approveAs(
        { batchId: desk.id, userId, contentDigest: desk.contentDigest, totals: totalsOf(desk) },
        { ledger, clock: systemClock },
      );
    expect(await by("US3")).toMatchObject({ error: { kind: "exact_duplicates" } });
    expect(await allow(desk, "user:US2")).toBe("allowed");
    expect(await by("US2")).toMatchObject({ error: { kind: "own_batch" } });
    expect(await by("US3")).toMatchObject({ ok: true });
  });
});
