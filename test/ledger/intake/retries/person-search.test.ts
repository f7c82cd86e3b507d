/** Payouts to the same person in unfinished retry batches. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, type MockInstance, test, vi } from "vitest";
import { searchOpenRetries } from "#ledger/intake/retries/open-retries.ts";
import { userKeyOf } from "#ledger/intake/retries/user-key.ts";
import { createTermKeys } from "#ledger/intake/search-terms.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import {
  addSingle,
  ingestFile,
  openTestLedger,
  TEST_SEALER,
  type TestLedger,
} from "../../../support/ledger.ts";
import { fileText, rowsOf } from "../../../support/servers/payrun.ts";
import { force, query } from "../../../support/servers/postgres.ts";

/** More than one page, and more than the earlier maximum of 10,000. */
const ROWS = 10_500;

let lone: TestLedger;
let batchId: string;
let firstId: number;
/** Counts the sealed texts that are decrypted. */
let opening: MockInstance<Sealer["open"]>;
beforeAll(async () => {
  lone = await openTestLedger();
  opening = vi.spyOn(lone.sealer, "open");
  const rows = rowsOf(ROWS, (index) => ({ name: "Asha Rao", amount: `${index + 100}.00` }));
  const { batch } = await ingestFile(lone.ledger, fileText(rows));
  batchId = batch.id;
  await sql`insert into retry_batches (batch_id, parent_id) values (${batchId}, ${batchId})`.execute(
    lone.database,
  );
  const [found] = await query(lone.url, `select first_id from batches where id = '${batchId}'`);
  firstId = Number(found?.["first_id"]);
});
afterAll(() => lone.close());

const rowOf = (user: string | null, name: string | null, amount: bigint) => ({
  userKey: userKeyOf(TEST_SEALER, user === null ? {} : { user_id: user }),
  nameKey: name === null ? null : createTermKeys(TEST_SEALER).nameOf({ account_name: name }),
  money: { currency: "INR", minor: amount, minorDigits: 2 },
});
const search = async (rows: readonly ReturnType<typeof rowOf>[], into = "another batch") => {
  opening.mockClear();
  const found = await searchOpenRetries(lone.database, lone.sealer, into);
  const retries = (await found?.(rows)) ?? new Map();
  return rows.map((_row, at) => retries.get(at)?.line ?? null);
};
const ROWS_SEARCHED = [
  rowOf("U-0", null, 1n), // the first of more than 10,000
  rowOf(null, "Asha Rao", 10_000n), // the same row by name and amount
  rowOf(`U-${ROWS - 1}`, "Asha Rao", 10_100n), // the user ID counts before the name
  rowOf("U-0 ", "Bala Iyer", 10_000n),
  rowOf(null, "Asha Rao", 9_999n),
];
const FOUND = [2, 2, ROWS + 1, null, null];

test("finds the person of a row among all open retries, without decrypting them", async () => {
  expect(await search(ROWS_SEARCHED)).toEqual(FOUND);
  expect(opening).toHaveBeenCalledTimes(0);
  expect(await search(ROWS_SEARCHED, batchId)).toEqual(FOUND.map(() => null));
});

test("warns about a single payout without decrypting the open retries", async () => {
  opening.mockClear();
  const id = await addSingle(lone.ledger, { amount: "101.00" });
  const [warning] = await query(
    lone.url,
    `select code from batch_findings where batch_id = '${id}'`,
  );
  expect(warning).toEqual({ code: "being_retried" });
  expect(opening).toHaveBeenCalledTimes(0);
});

test("leaves out cancelled payouts and finished batches", async () => {
  const set = (state: string) =>
    force(lone.url, "update payouts set state = $1 where id = $2", [state, firstId]);
  await set("cancelled");
  expect(await search(ROWS_SEARCHED)).toEqual([null, null, ROWS + 1, null, null]);
  await set("awaiting_approval");
  const finish = (at: Date | null) =>
    force(lone.url, "update batches set finished_at = $1 where id = $2", [at, batchId]);
  await finish(new Date());
  expect(await search(ROWS_SEARCHED)).toEqual(FOUND.map(() => null));
  await finish(null);
});

test("decrypts only payouts from before keys of user IDs were stored", async () => {
  await force(lone.url, "update payout_details set user_key = null where payout_id < $1", [
    firstId + 1_200,
  ]);
  expect(await search(ROWS_SEARCHED)).toEqual(FOUND);
  expect(opening).toHaveBeenCalledTimes(1_200);
});
