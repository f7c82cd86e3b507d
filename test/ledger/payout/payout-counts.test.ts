/** The counts of payouts by state, compared with the payouts themselves. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Move, OpenAttempt } from "#ledger/ledger.ts";
import { countProgress, findUnsent, mergeCounts, progressOf } from "#ledger/payout/progress.ts";
import { WRONG_COUNTS } from "#proof/chaos/observer-queries.ts";
import {
  approvedBatch,
  ingestFile,
  laneIn,
  openTestLedger,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

const ROWS = 12;
let open: TestLedger;
let batchId: string;
let attempts: readonly OpenAttempt[];

beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const wrongCounts = async () => Number((await query(open.url, WRONG_COUNTS))[0]?.["count"]);

/** Number of payouts by state, after a comparison with the rows. */
async function counts(id = batchId): Promise<Record<string, number>> {
  const progress = await progressOf(open.database, id);
  const counted = await countProgress(open.database, id);
  expect(progress, "the stored counts").toEqual(counted);
  expect(await wrongCounts()).toBe(0);
  return Object.fromEntries(progress.map(({ state, count }) => [state, count]));
}

const claim = () => ({
  batchId,
  lane: laneIn("INR"),
  sizeMax: ROWS - 2,
  leaseMs: 60_000,
  worker: "w",
  keyId: "k",
  inDoubtLimit: { count: 500, minor: null },
});

const moveOf = (
  { payoutId, seq }: OpenAttempt,
  move: Pick<Move, "event"> & Partial<Move>,
): Move => ({
  payoutId,
  seq,
  from: "submitting",
  reason: null,
  dueInMs: 0,
  actor: "w",
  evidence: null,
  ...move,
});

test("follow the payouts of a batch from the file to their results", async () => {
  batchId = (await ingestFile(open.ledger, fileText(rowsOf(ROWS)))).batch.id;
  expect(await counts()).toEqual({ awaiting_approval: ROWS });
  batchId = (
    await approvedBatch(
      open.ledger,
      rowsOf(ROWS, () => ({ name: "Bo Li" })),
    )
  ).id;
  expect(await counts()).toEqual({ approved: ROWS });
  expect(await findUnsent(open.database, batchId)).toMatchObject([{ count: ROWS }]);

  attempts = await open.ledger.payout.openAttempts(claim());
  expect(await counts()).toEqual({ approved: 2, submitting: ROWS - 2 });
  // Two connections write at the same time.
  await Promise.all(
    attempts.map((attempt, at) =>
      open.ledger.payout.move(
        moveOf(attempt, { event: at % 5 === 0 ? "decline" : at % 5 === 1 ? "doubt" : "accept" }),
      ),
    ),
  );
  expect(await counts()).toEqual({ approved: 2, declined: 2, in_doubt: 2, accepted: 6 });

  const queries = await open.ledger.payout.claimStatusQueries(claim());
  const found = queries.filter(({ state }) => state === "accepted");
  await Promise.all(
    found.map(({ payoutId, seq }, at) =>
      open.ledger.payout.move({
        ...moveOf({ payoutId, seq } as OpenAttempt, { event: "settle" }),
        from: "accepted",
        fee:
          at === 0
            ? null
            : {
                kind: "read",
                fee: { currency: "INR", minor: BigInt(at), minorDigits: 2 + (at % 2) },
              },
      }),
    ),
  );
  expect(await counts()).toEqual({ approved: 2, declined: 2, in_doubt: 2, settled: 6 });
  const settled = (await progressOf(open.database, batchId)).find(
    ({ state }) => state === "settled",
  );
  // 2 and 4 hundredths, 1, 3 and 5 thousandths.
  expect(settled?.fee).toEqual({ currency: "INR", minor: 69n, minorDigits: 3 });

  const cancel = { id: batchId, actor: "a", reason: "r", verify: async () => true };
  await open.ledger.payout.cancelRest(cancel);
  expect(await counts()).toEqual({ cancelled: 2, declined: 2, in_doubt: 2, settled: 6 });
});

test("follow a late change of a fee and of a state, even without the other triggers", async () => {
  await force(
    open.url,
    "update payouts set fee_minor = fee_minor + 7 where id = (select min(id) from payouts where fee_minor > 0)",
  );
  await force(
    open.url,
    "update payouts set state = 'returned' where state = 'settled' and fee_minor is null",
  );
  expect(await counts()).toMatchObject({ returned: 1, settled: 5 });
});

test("change in the transaction of the payouts, and not for others before its commit", async () => {
  const before = await counts();
  const undo = new Error("undo");
  const work = open.database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("payouts")
      .set({ state: "on_hold" })
      .where("batch_id", "=", batchId)
      .where("state", "=", "in_doubt")
      .execute();
    expect(await progressOf(transaction, batchId)).toEqual(
      await countProgress(transaction, batchId),
    );
    expect(await counts()).toEqual(before);
    throw undo;
  });
  await expect(work).rejects.toBe(undo);
  expect(await counts()).toEqual(before);
});

test("stay the same when they are merged into one row for each state", async () => {
  const before = await progressOf(open.database, batchId);
  await mergeCounts(open.database, batchId);
  await mergeCounts(open.database, batchId);
  expect(await progressOf(open.database, batchId)).toEqual(before);
  const rows = await query(
    open.url,
    `select distinct writer from payout_counts where batch_id = '${batchId}'`,
  );
  expect(rows).toEqual([{ writer: 0 }]);
  await force(open.url, "update payouts set state = 'settled' where state = 'returned'");
  expect(await counts()).toMatchObject({ settled: 6 });
});

test("follow rows that a correction takes back and reads again", async () => {
  const id = (await ingestFile(open.ledger, fileText(rowsOf(3, () => ({ name: "Cy Oh" }))))).batch
    .id;
  await force(open.url, `delete from payouts where batch_id = '${id}' and line = 2`);
  expect(await counts(id)).toEqual({ awaiting_approval: 2 });
});

test("are checked by the chaos campaign", async () => {
  await force(open.url, "update payout_counts set payouts = payouts + 1 where state = 'settled'");
  // The settled payouts, as the rows and as the counts have them.
  expect(await wrongCounts()).toBe(2);
});
