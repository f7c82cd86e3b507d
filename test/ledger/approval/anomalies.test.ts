import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compareTotal } from "#approval/anomalies.ts";
import { findingsOfAnomalies, findEarlierTotals } from "#ledger/approval/anomalies.ts";
import { findAnomalies } from "#ledger/approval/flagged-rows.ts";
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

const account = (index: number) => String(70_200_000_000 + index);
const LIMITS = new Map([["INR", 1_000_000n]]);

/** A batch of an earlier day that was paid. */
async function paid(rows: readonly TestRow[], daysAgo: number): Promise<string> {
  const { id } = await approvedBatch(open.ledger, rows);
  await force(open.url, "update payouts set state = 'settled' where batch_id = $1", [id]);
  await query(
    open.url,
    `update batches set created_at = created_at - $2 * interval '1 day',
      approved_at = approved_at - interval '30 days' where id = $1`,
    [id, daysAgo],
  );
  return id;
}

const lookThrough = async (batchId: string) =>
  findingsOfAnomalies(
    open.database,
    open.sealer,
    (await findAnomalies(open.database, batchId, LIMITS, { others: [], oneDigitOff: [] })).flags,
  );

async function foundIn(rows: readonly TestRow[]) {
  const { batch } = await ingestFile(open.ledger, fileText(rows));
  const found = await lookThrough(batch.id);
  return { id: batch.id, found, checks: found.map(({ check, count }) => [check, count]) };
}

describe("anomalies of a batch", () => {
  test("are none when everybody is paid as usual", async () => {
    const usual = rowsOf(3, (index) => ({ account: account(index), amount: `${100 + index}.00` }));
    await paid(usual, 60);
    const { checks } = await foundIn(usual.map((row) => ({ ...row, amount: "110.00" })));
    expect(checks).toEqual([]);
  });

  test("include an account never paid before, with its sum per currency, largest first", async () => {
    const { found } = await foundIn([
      { account: account(100), amount: "5.00", name: "Nila Sen" },
      { account: account(101), amount: "7.00", name: "Omar Das" },
      { account: account(102), amount: "9.00", name: "Puja Nair", currency: "THB" },
    ]);
    expect(found.map(({ check }) => check)).toEqual(["never_paid"]);
    expect(found[0]).toMatchObject({
      count: 3,
      sums: [
        { currency: "INR", minor: 1_200n },
        { currency: "THB", minor: 900n },
      ],
    });
    expect(found[0]?.rows.map(({ line }) => line)).toEqual([3, 4, 2]);
  });

  test("include a hundred times the usual amount, with the usual amount", async () => {
    const usual: TestRow = { account: account(200), amount: "50.00" };
    await paid([usual], 90);
    await paid([usual], 60);
    const { found } = await foundIn([{ ...usual, amount: "5000.00" }]);
    expect(found).toMatchObject([
      { check: "above_usual", rows: [{ name: "Asha Rao", against: { minor: 5_000n } }] },
    ]);
  });

  test("F109 include an account never paid before, under a name paid by another account", async () => {
    const other = await paid([{ account: account(700), amount: "10.00", name: "Devi Patel" }], 60);
    const { found } = await foundIn([
      { account: account(701), amount: "20.00", name: "D\u00e9vi PATEL" },
      { account: account(702), amount: "30.00", name: "Devi Patel Rao" },
      { account: account(703), amount: "40.00", name: "Devi Patel", currency: "THB" },
    ]);
    const finding = found.find(({ check }) => check === "other_account");
    expect(finding).toMatchObject({
      count: 1,
      sums: [{ currency: "INR", minor: 2_000n }],
      rows: [
        {
          line: 2,
          accountLast4: "0701",
          elsewhere: { batchId: other, line: 2, accountLast4: "0700" },
        },
      ],
    });
  });

  test("include unpaid accounts under one name of the batch, but not an account paid before", async () => {
    const known: TestRow = { account: account(710), amount: "10.00", name: "Esha Bose" };
    const moved: TestRow = { account: account(711), amount: "10.00", name: "Esha Bose" };
    await paid([known], 60);
    await paid([moved], 50);
    const { id, found, checks } = await foundIn([
      known,
      moved,
      { account: account(712), amount: "5.00", name: "Farid Khan" },
      { account: account(713), amount: "6.00", name: "Farid Khan" },
    ]);
    expect(checks).toEqual([["other_account", 2]]);
    const near = { others: [], oneDigitOff: [] as number[] };
    const all = await findAnomalies(open.database, id, LIMITS, near);
    const [first] = all.flags;
    near.oneDigitOff.push(first?.id ?? 0);
    const rest = await findAnomalies(open.database, id, LIMITS, near);
    expect(rest.flags.map(({ check, line, count }) => [check, line, count])).toEqual([
      ["other_account", 4, 1],
    ]);
    expect(found[0]?.rows).toMatchObject([
      { line: 5, elsewhere: { batchId: id, line: 4, accountLast4: "0712" } },
      { line: 4, elsewhere: { batchId: id, line: 5, accountLast4: "0713" } },
    ]);
  });

  test("do not treat the refused account of a name as its other account", async () => {
    const { id } = await approvedBatch(open.ledger, [
      { account: account(720), amount: "10.00", name: "Gita Menon" },
    ]);
    await force(open.url, "update payouts set state = 'declined' where batch_id = $1", [id]);
    const { checks } = await foundIn([
      { account: account(721), amount: "10.00", name: "Gita Menon" },
    ]);
    expect(checks).toEqual([["never_paid", 1]]);
  });

  test("include a payment of another batch of this week or this month", async () => {
    const rows = [300, 301, 302].map((index) => ({ account: account(index), amount: "60.00" }));
    const [week, month, long] = rows as [TestRow, TestRow, TestRow];
    const other = await paid([week], 3);
    await paid([month], 20);
    await paid([long], 40);
    const { found, checks } = await foundIn(rows);
    expect(checks).toEqual([
      ["paid_lately", 1],
      ["paid_this_month", 1],
    ]);
    expect(found[0]?.rows[0]).toMatchObject({ line: 2, elsewhere: { batchId: other, line: 2 } });
  });

  test("include repeated payments in the batch, amounts near the limit, and mixed scripts", async () => {
    const row: TestRow = { account: account(400), amount: "9000.00" };
    await paid([{ ...row, amount: "9999.00" }], 90);
    const { checks } = await foundIn([row, { ...row, name: "\u0410sha Rao" }]);
    expect(checks).toEqual([
      ["twice_here", 2],
      ["mixed_scripts", 1],
      ["near_limit", 2],
    ]);
  });

  test("include a row corrected since", async () => {
    const row: TestRow = { account: account(600), amount: "80.00" };
    await paid([row], 60);
    const { batch } = await ingestFile(open.ledger, fileText([row]));
    await query(
      open.url,
      `insert into corrections (digest, batch_id, file_name, actor, rows, corrected, first_id, last_id)
       select 'c', id, 'repaired.csv', 'maker', 1, 1, first_id, last_id from batches where id = $1`,
      [batch.id],
    );
    const found = await lookThrough(batch.id);
    expect(found.map(({ check }) => check)).toEqual(["corrected"]);
  });

  test("are changed by a later batch only if it was approved before", async () => {
    const row: TestRow = { account: account(500), amount: "80.00", name: "Lata Roy" };
    const { id, checks } = await foundIn([row]);
    expect(checks).toEqual([["never_paid", 1]]);
    const told = async () =>
      (await lookThrough(id)).map(({ check, rows }) => [check, rows[0]?.elsewhere?.batchId]);
    await ingestFile(open.ledger, fileText([{ ...row, name: "Later upload" }]));
    expect(await told()).toEqual([["never_paid", undefined]]);

    const later = await paid([row], 0);
    expect(await told()).toEqual([["paid_lately", later]]);
    await query(
      open.url,
      "update batches set approved_at = now() - interval '90 days' where id = $1",
      [id],
    );
    expect(await told()).toEqual([["never_paid", undefined]]);
  });

  test("include another account of a name that a later batch has paid", async () => {
    const row: TestRow = { account: account(510), amount: "80.00", name: "Mala Sur" };
    const { id } = await foundIn([row]);
    const later = await paid([{ ...row, account: account(511) }], 0);
    const [found] = await lookThrough(id);
    expect(found?.check).toBe("other_account");
    expect(found?.rows[0]?.elsewhere?.batchId).toBe(later);
  });
});

test("a draft of single payouts is compared with batches stored between its rows", async () => {
  const twice: TestRow = { account: account(800), amount: "50.00", name: "Hari Nath" };
  const more: TestRow = { account: account(801), amount: "5000.00", name: "Indu Paul" };
  const moved: TestRow = { account: account(802), amount: "70.00", name: "Jaya Rau" };
  const first = { account: account(803), amount: "1.00", name: "Kiran Vas" };
  const draft = await addSingle(open.ledger, first, "key:anomalies");
  const between = await paid([twice, { ...more, amount: "1.00" }, moved], 0);
  await addSingle(open.ledger, twice, "key:anomalies");
  await addSingle(open.ledger, more, "key:anomalies");
  const last = { ...moved, account: account(804) };
  expect(await addSingle(open.ledger, last, "key:anomalies")).toBe(draft);
  const found = await lookThrough(draft);
  const told = found.map(({ check, rows }) => [
    check,
    rows.map(({ line, elsewhere }) => [line, elsewhere?.batchId]),
  ]);
  expect(told).toEqual([
    ["paid_lately", [[3, between]]],
    ["other_account", [[5, between]]],
    ["above_usual", [[4, undefined]]],
    ["never_paid", [[2, undefined]]],
  ]);
});

describe("the total compared with earlier batches", () => {
  test("uses approved batches of its currency, latest first", async () => {
    for (const amount of ["300.00", "100.00", "200.00"]) {
      await approvedBatch(open.ledger, [{ currency: "MYR", amount }]);
    }
    await ingestFile(open.ledger, fileText([{ currency: "MYR", amount: "900.00" }]));
    const { batch } = await ingestFile(
      open.ledger,
      fileText([{ currency: "MYR", amount: "500.00" }]),
    );
    const [only] = await findEarlierTotals(open.database, batch.id);
    expect(only).toMatchObject({ total: { minor: 50_000n }, before: [20_000n, 10_000n, 30_000n] });
    expect(compareTotal(50_000n, only?.before ?? [])).toEqual({
      median: 20_000n,
      ratio: 250n,
      isUnusual: true,
    });
  });
});
