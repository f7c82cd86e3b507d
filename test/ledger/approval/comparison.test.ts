import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comparisonDocument } from "#views/approval/comparison.ts";
import { findPreviousBatch } from "#ledger/approval/previous-batch.ts";
import {
  addSingle,
  approvedBatch,
  openTestLedger,
  ingestFile,
  type TestLedger,
} from "../../support/ledger.ts";
import { fileText, rowsOf, type TestRow } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
});
afterAll(() => open.close());

const account = (index: number) => String(80_200_000_000 + index);
const staff = (first: number, names: readonly string[]): TestRow[] =>
  names.map((name, index) => ({ name, account: account(first + index), amount: "100.00" }));
/** A batch of last month. */
async function before(rows: readonly TestRow[]): Promise<string> {
  const { id } = await approvedBatch(open.ledger, rows);
  await query(
    open.url,
    `update batches set created_at = created_at - interval '30 days',
      approved_at = approved_at - interval '30 days' where id = $1`,
    [id],
  );
  return id;
}
const now = async (rows: readonly TestRow[], maker = "maker") =>
  (await ingestFile(open.ledger, fileText(rows), maker)).batch.id;
const alike = async (id: string) => (await findPreviousBatch(open.database, id))?.id ?? null;
async function diff(id: string, against: string | null = null) {
  const { document } = await comparisonDocument(open.database, open.sealer, id, against);
  if (!document) throw new Error("no such batch");
  return document;
}

describe("comparison with the previous batch", () => {
  test("lists new and missing people, changed accounts and amounts, and the totals", async () => {
    const people = ["Asha Rao", "Bina Das", "Chand Lal", "Devi Sen"];
    const earlier = await before(staff(0, people));
    const [asha = {}, bina = {}, , devi = {}] = staff(0, people);
    const id = await now([
      { ...asha, amount: "200.00" },
      { ...bina, account: account(90) },
      { ...devi, amount: "199.99" },
      { name: "Esha Roy", account: account(91), amount: "50.00" },
    ]);
    const { against, totals, parts } = await diff(id);
    expect(against).toMatchObject({ batch_id: earlier, payouts: 4, chosen: "most_similar" });
    expect(totals).toEqual([{ currency: "INR", amount: "549.99", before: "400.00", times: "1.3" }]);
    expect(
      parts.map(({ part, count, sums, rows }) => [
        part,
        count,
        sums[0]?.amount,
        rows.map(({ beneficiary, account_last4, before }) => [
          beneficiary,
          account_last4,
          before && [before.amount, before.account_last4],
        ]),
      ]),
    ).toEqual([
      ["changed_account", 1, "100.00", [["Bina Das", "0090", ["100.00", "0001"]]]],
      ["unusual_amount", 1, "200.00", [["Asha Rao", "0000", ["100.00", "0000"]]]],
      ["new", 1, "50.00", [["Esha Roy", "0091", null]]],
      ["missing", 1, "100.00", [["Chand Lal", "0002", null]]],
      ["other_amount", 1, "199.99", [["Devi Sen", "0003", ["100.00", "0003"]]]],
    ]);
  });

  test("compares all payouts to one account with its earlier total", async () => {
    const [only = {}] = staff(10, ["Farah Ali"]);
    await before([{ ...only, amount: "60.00" }]);
    const id = await now([
      { ...only, amount: "20.00" },
      { ...only, amount: "40.00" },
    ]);
    const { parts } = await diff(id);
    expect(parts.map(({ part, count }) => [part, count])).toEqual([["same", 1]]);
  });

  test("lists a namesake of an unchanged beneficiary as new, not as a changed account", async () => {
    const [gita = {}] = staff(20, ["Gita Shah"]);
    await before([gita]);
    const id = await now([gita, { ...gita, account: account(92) }]);
    const { parts } = await diff(id);
    expect(parts.map(({ part, count }) => [part, count])).toEqual([
      ["new", 1],
      ["same", 1],
    ]);
  });

  test("uses the most similar batch of the same maker that was not cancelled, and the newer of two", async () => {
    const rows = staff(30, ["Hari Nath", "Indu Jain", "Jaya Kaul", "Kiran Bose"]);
    await before(rows.slice(0, 2));
    const older = await before(rows);
    const newer = await now(rows.map((row) => ({ ...row, amount: "101.00" })));
    const id = await now(rows.map((row) => ({ ...row, amount: "102.00" })));
    expect(await alike(id)).toBe(newer);
    const cancel = { id: newer, event: "cancel", reason: null, actor: "test" } as const;
    await open.ledger.payout.moveBatch(cancel);
    expect(await alike(id)).toBe(older);
    expect(await alike(older)).not.toBe(id);
    const elsewhere = await now(
      rows.map((row) => ({ ...row, amount: "103.00" })),
      "somebody else",
    );
    expect((await diff(elsewhere)).against).toBeNull();
    expect((await diff(elsewhere, id)).against).toMatchObject({
      batch_id: id,
      chosen: "requested",
    });
  });

  test("compares a draft of single payouts with a batch stored between its rows", async () => {
    const between = staff(60, ["Nita Soni", "Omi Vohra"]);
    const [first = {}] = staff(70, ["Piya Wagh"]);
    const draft = await addSingle(open.ledger, first, "key:compared");
    const other = await now(between, "key:compared");
    for (const row of between) await addSingle(open.ledger, row, "key:compared");
    expect(await alike(draft)).toBe(other);
  });

  test("uses a schedule's previous batch, even where another one is more similar", async () => {
    const rows = staff(40, ["Lata Vaid", "Mira Puri"]);
    const [lata = {}] = rows;
    const lastMonth = await before([lata]);
    await now(rows.map((row) => ({ ...row, amount: "101.00" })));
    const id = await now(rows);
    await query(
      open.url,
      `insert into schedules (id, name, calendar, source, lead_hours, grace_hours, expires_hours, maker)
      values ('SC1', 'salaries', '{}', '{}', 1, 1, 1, 'maker')`,
    );
    await query(
      open.url,
      `insert into occurrences (schedule_id, day, local, zone, send_at, create_at, state, batch_id)
      select 'SC1', day, day, 'UTC', day::timestamptz, day::timestamptz, 'created', batch from
        (values ('2026-10-30', $1), ('2026-11-30', $2)) as past(day, batch)`,
      [lastMonth, id],
    );
    expect((await diff(id)).against).toMatchObject({
      batch_id: lastMonth,
      chosen: "same_schedule",
    });
  });

  test("ignores one common account in twenty as chance, and names a missing batch", async () => {
    const [known = {}, ...others] = rowsOf(20, (index) => ({ account: account(200 + index) }));
    await before([known]);
    const id = await now([known, ...others]);
    expect(await alike(id)).toBeNull();
    expect(await comparisonDocument(open.database, open.sealer, id, "B0")).toEqual({
      missing: "B0",
    });
  });
});
