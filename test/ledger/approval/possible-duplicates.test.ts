import { afterAll, beforeAll, expect, test } from "vitest";
import { findPossibleDuplicates } from "#ledger/approval/possible-duplicates.ts";
import { findingsOfAnomalies } from "#ledger/approval/anomalies.ts";
import {
  addSingle,
  approvedBatch,
  openTestLedger,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf, type TestRow } from "../../support/servers/payrun.ts";
import { force, query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

/** A batch of an earlier day, with its payouts in this state. */
async function before(
  daysAgo: number,
  rows: readonly TestRow[],
  state = "settled",
): Promise<string> {
  const { id } = await approvedBatch(open.ledger, rows);
  await force(open.url, "update payouts set state = $2 where batch_id = $1", [id, state]);
  await query(
    open.url,
    `update batches set created_at = created_at - $2 * interval '1 day',
      approved_at = approved_at - interval '30 days' where id = $1`,
    [id, daysAgo],
  );
  return id;
}

async function nearTo(rows: readonly TestRow[]) {
  const { batch } = await ingestFile(open.ledger, fileText(rows));
  const { flags, cut, overlaps } = await findPossibleDuplicates(
    open.database,
    open.sealer,
    batch.id,
  );
  const found = await findingsOfAnomalies(open.database, open.sealer, flags);
  const told = found.flatMap(({ check, rows: shown }) =>
    shown.map(({ line, elsewhere }) => [check, line, elsewhere?.batchId]),
  );
  return { id: batch.id, cut, overlaps, found, told };
}

/** A person with their own account. */
const one = (account: number, name: string): TestRow => ({
  account: String(81_000_000_000 + account),
  name,
  amount: "10.00",
});

test("reports an account under a new name, but not under another spelling, nor one with two owners", async () => {
  const anew = await before(100, [one(1, "Asha Rao"), one(2, "Nila Sen"), one(3, "Omar Das")]);
  await before(90, [one(2, "Puja Nair")]);
  const { told, found, cut } = await nearTo([
    one(1, "Quang Tran"),
    one(2, "Nila Sen"),
    one(3, "DAS, O."),
    one(9_999, "Rina Roy"),
  ]);
  expect(told).toEqual([["other_name", 2, anew]]);
  expect(found[0]?.rows[0]?.elsewhere).toMatchObject({ name: "Asha Rao", accountLast4: "0001" });
  expect(cut).toEqual([]);
});

test("considers names that were paid, or are to be paid, in the last 180 days", async () => {
  const approved = await before(1, [one(11, "Asha Rao")], "approved");
  await before(1, [one(12, "Asha Rao")], "declined");
  await before(1, [one(13, "Asha Rao")], "awaiting_approval");
  await before(181, [one(14, "Asha Rao")]);
  const { told } = await nearTo([11, 12, 13, 14].map((account) => one(account, "Quang Tran")));
  expect(told).toEqual([["other_name", 2, approved]]);
});

test("F109 reports an account never paid before that is one digit off from one its name was paid by", async () => {
  const batch = await before(300, [
    one(5_101, "Lila Menon"),
    one(5_200, "Manu Pillai"),
    one(5_300, "Nora Iyer"),
    { ...one(5_400, "Osman Ali"), currency: "THB" },
  ]);
  await before(200, [one(5_205, "Manu Pillai")]);
  const { told, found } = await nearTo([
    one(5_901, "LILA MENON"),
    one(5_205, "Manu Pillai"), // it was paid itself
    one(5_312, "Nora Iyer"), // two digits off
    one(5_401, "Osman Ali"), // in another currency
  ]);
  expect(told).toEqual([["one_digit_off", 2, batch]]);
  expect(found[0]).toMatchObject({ count: 1, sums: [{ currency: "INR", minor: 1_000n }] });
  expect(found[0]?.rows[0]).toMatchObject({
    accountLast4: "5901",
    elsewhere: { accountLast4: "5101", oneOffAt: 9 },
  });
});

test("ignores a name that was not paid by its account", async () => {
  await before(3, [one(6_100, "Tara Bose")], "declined");
  await before(3, [one(6_100, "Tara Bose")], "approved");
  expect((await nearTo([one(6_101, "Tara Bose")])).told).toEqual([]);
});

test("reports when there is more to compare than allowed", async () => {
  const accounts = [21, 22, 23, 24, 25, 26].map((end) => one(70_000 + end, "Uma Devi"));
  await before(9, accounts);
  const { told, cut } = await nearTo([one(79_921, "Uma Devi")]);
  expect([told, cut]).toEqual([[], ["one_digit_off"]]);
});

test("limits how far back a frequently paid name is followed, and reports that", async () => {
  await before(9, [one(90_001, "Vani Joshi")]);
  await before(
    8,
    rowsOf(100, () => one(95_555, "Vani Joshi")),
  );
  const { told, cut } = await nearTo([one(90_002, "Vani Joshi")]);
  expect([told, cut]).toEqual([[], ["one_digit_off"]]);
});

const crowd = (count: number, from: number, amount = "20.00") =>
  rowsOf(count, (index) => ({ ...one(from + index * 100, `Member ${index} of ${from}`), amount }));

test("lists earlier batches with the same payments, the largest share first, with rows and sums", async () => {
  const rows = crowd(20, 200_000);
  const all = await before(40, rows);
  const some = await before(3, [...rows.slice(0, 5), ...crowd(5, 300_000)], "approved");
  await before(2, rows.slice(0, 4));
  await before(61, rows);
  await before(2, rows, "declined");
  await before(
    2,
    rows.map((row) => ({ ...row, amount: "20.01" })),
  );
  const { id, overlaps } = await nearTo([...rows, ...crowd(4, 400_000)]);
  const sum = { currency: "INR", minor_digits: 2 };
  expect(overlaps).toEqual([
    { batchId: all, rows: 20, percent: 83, sums: [{ ...sum, amount_minor: "40000" }] },
    { batchId: some, rows: 5, percent: 20, sums: [{ ...sum, amount_minor: "10000" }] },
  ]);
  const again = async () => (await findPossibleDuplicates(open.database, open.sealer, id)).overlaps;
  await ingestFile(open.ledger, fileText(rows));
  expect(await again()).toEqual(overlaps);
  const later = await before(0, rows.slice(0, 19));
  expect((await again()).map(({ batchId }) => batchId)).toEqual([all, later, some]);
});

test("compares a draft of single payouts with batches stored between its rows", async () => {
  const first = await addSingle(open.ledger, one(7_100, "Wali Shah"), "key:duplicates");
  const crowded = rowsOf(101, () => one(7_201, "Yash Rana"));
  const between = await before(0, [one(7_301, "Yash Rana"), one(7_400, "Zoya Khan")]);
  for (const row of crowded) await addSingle(open.ledger, row, "key:duplicates");
  const repeated = one(7_400, "Zoya Khan");
  expect(await addSingle(open.ledger, repeated, "key:duplicates")).toBe(first);
  const looked = await findPossibleDuplicates(open.database, open.sealer, first);
  const found = await findingsOfAnomalies(open.database, open.sealer, looked.flags);
  expect(found.map(({ check, count }) => [check, count])).toEqual([["one_digit_off", 101]]);
  expect(found[0]?.rows[0]?.elsewhere?.batchId).toBe(between);
  expect(looked.cut).toEqual([]);
});

test("lists the overlap of a draft of single payouts with a batch stored between", async () => {
  const rows = crowd(5, 600_000);
  const first = await addSingle(open.ledger, one(7_500, "Ami Jain"), "key:overlaps");
  const between = await before(0, rows);
  for (const row of rows) await addSingle(open.ledger, row, "key:overlaps");
  const { overlaps } = await findPossibleDuplicates(open.database, open.sealer, first);
  expect(overlaps).toMatchObject([{ batchId: between, rows: 5 }]);
});

test("ignores cancelled batches in an overlap, but not waiting ones", async () => {
  const rows = crowd(6, 500_000);
  const waiting = await before(1, rows, "awaiting_approval");
  const off = await before(1, rows);
  await force(open.url, "update batches set state = 'cancelled' where id = $1", [off]);
  const { overlaps } = await nearTo(rows);
  expect(overlaps.map(({ batchId }) => batchId)).toEqual([waiting]);
});
