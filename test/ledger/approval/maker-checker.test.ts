import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Batch } from "#ledger/ledger.ts";
import { findUnapprovedBatches } from "#ledger/operations/overview.ts";
import {
  approvedBatch,
  claimOf,
  openTestLedger,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
  await query(
    open.url,
    `insert into users (id, email, name, roles)
     select 'US' || n, n || '@example.test', 'Person ' || n, '{approver}' from generate_series(1, 3) n`,
  );
});
afterAll(() => open.close());

const sql = (text: string, values: unknown[] = []) => query(open.url, text, values);

async function waitingBatch(people: number): Promise<Batch> {
  const { batch } = await ingestFile(open.ledger, fileText(rowsOf(2)), "user:US1");
  await sql(
    "update batches set people_needed = $2, approval_requested_at = now(), state = 'awaiting_approval' where id = $1",
    [batch.id, people],
  );
  return batch;
}

const SET_APPROVED = `with b as (update batches set state = 'approved', approved_at = now() where id = $1)
  update payouts set state = 'approved' where batch_id = $1`;
const approveBy = (batch: Batch, userId: string) =>
  sql(
    `insert into approvals (batch_id, user_id, content_digest, totals, expires_at)
     values ($1, $2, $3, '{}', now() + interval '1 day')`,
    [batch.id, userId, batch.contentDigest],
  );
const claimed = async ({ id }: Batch) =>
  (await open.ledger.payout.openAttempts(claimOf(id))).length;

describe("I7 the maker-checker rule against statements that bypass the flows", () => {
  test("does not allow fewer approvers together with another digest", async () => {
    const { id } = await waitingBatch(3);
    for (const change of ["people_needed = 1, content_digest = 'edited'", "people_needed = 2"]) {
      const lowered = sql(`update batches set ${change} where id = $1`, [id]);
      await expect(lowered).rejects.toThrow("the number of people that a batch needs only rises");
    }
  });

  test.each([1, 2, 3])("does not set a batch for %i people to approved", async (people) => {
    const batch = await waitingBatch(people);
    await expect(sql(SET_APPROVED, [batch.id])).rejects.toThrow("of");
    await expect(sql(SET_APPROVED, [batch.id])).rejects.toMatchObject({
      constraint: "batch_has_its_approvals",
    });
  });

  test.each([
    ["nobody", 2, []],
    ["one person of two", 3, ["US2"]],
    ["the maker", 2, ["US1"]],
  ])("does not send a batch approved by %s, even with a forced state", async (_who, people, by) => {
    const batch = await waitingBatch(people);
    for (const userId of by) {
      await force(
        open.url,
        `insert into approvals (batch_id, user_id, content_digest, totals, expires_at)
         values ($1, $2, $3, '{}', now() + interval '1 day')`,
        [batch.id, userId, batch.contentDigest],
      );
    }
    await force(open.url, SET_APPROVED, [batch.id]);
    expect(await claimed(batch)).toBe(0);
    expect(await findUnapprovedBatches(open.database)).toContain(batch.id);
  });

  test("finds payouts that were sent before the approval of their batch", async () => {
    const batch = await waitingBatch(2);
    expect(await findUnapprovedBatches(open.database)).not.toContain(batch.id);
    await force(open.url, "update payouts set state = 'accepted' where batch_id = $1", [batch.id]);
    expect(await findUnapprovedBatches(open.database)).toContain(batch.id);
  });

  test("does not send a batch whose approval covers other content or was withdrawn", async () => {
    const other = await waitingBatch(2);
    await approveBy(other, "US2");
    await force(open.url, SET_APPROVED, [other.id]);
    await force(open.url, "update batches set content_digest = 'edited' where id = $1", [other.id]);
    expect(await claimed(other)).toBe(0);

    const withdrawn = await waitingBatch(2);
    await approveBy(withdrawn, "US2");
    await sql(
      "update approvals set withdrawn_at = now(), withdrawn_reason = 'test' where batch_id = $1",
      [withdrawn.id],
    );
    await force(open.url, SET_APPROVED, [withdrawn.id]);
    expect(await claimed(withdrawn)).toBe(0);
  });

  test("sends a batch with its approvals, even when they have expired and the approvers have left", async () => {
    const batch = await waitingBatch(3);
    await approveBy(batch, "US2");
    await approveBy(batch, "US3");
    await sql(SET_APPROVED, [batch.id]);
    await force(open.url, "update approvals set expires_at = now() - interval '1 day'");
    await sql("update users set disabled_at = now() where id = 'US3'");
    expect(await claimed(batch)).toBe(2);
    expect(await findUnapprovedBatches(open.database)).not.toContain(batch.id);
    await sql("update users set disabled_at = null");
  });

  test("records an approval by one person on the command line where one is enough", async () => {
    const batch = await approvedBatch(open.ledger, [{}]);
    const approval = "select actor, content_digest from sole_approvals where batch_id = $1";
    expect(await sql(approval, [batch.id])).toEqual([
      { actor: "checker", content_digest: batch.contentDigest },
    ]);
    await force(open.url, "delete from sole_approvals where batch_id = $1", [batch.id]);
    expect(await claimed(batch)).toBe(0);
  });

  test.each([
    [2, "cli:root"],
    [1, "user:US2"],
  ])("refuses one approval for %i people in the name of %s", async (people, actor) => {
    const batch = await waitingBatch(people);
    const alone = sql(
      "insert into sole_approvals (batch_id, content_digest, actor) values ($1, $2, $3)",
      [batch.id, batch.contentDigest, actor],
    );
    await expect(alone).rejects.toThrow("is approved by more than one person");
  });

  test("does not resend a payout in doubt whose batch lacks approvals", async () => {
    const batch = await approvedBatch(open.ledger, [{}]);
    const [attempt] = await open.ledger.payout.openAttempts(claimOf(batch.id, { leaseMs: 0 }));
    await open.ledger.payout.expireLeases(batch.id);
    await force(open.url, "delete from sole_approvals where batch_id = $1", [batch.id]);
    const { lane, worker, keyId, leaseMs } = claimOf(batch.id);
    const payout = { payoutId: attempt?.payoutId ?? 0, seq: (attempt?.seq ?? 0) + 1 };
    const claim = { batchId: batch.id, lane, worker, keyId, leaseMs };
    expect(await open.ledger.payout.reopenAttempt(claim, payout)).toBeNull();
  });
});
