import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { loadStatement } from "#flows/reconciliation/load-statement.ts";
import { statementFile } from "#simulator/statements/statement-file.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import {
  DAY,
  LANE,
  NEXT,
  ReconciledLedger,
} from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf, uploadOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new ReconciledLedger();
const rows = statementRowsOf(DAY);
const { csv } = csvOf(rows);

const countOf = async (table: string) => {
  const { rows: found } = await sql`select from ${sql.table(table)}`.execute(ledger.database);
  return found.length;
};

describe("the mapping", () => {
  test("is asked for, and not stored until it is confirmed", async () => {
    const asked = await loadStatement(uploadOf(csv, { isConfirmed: false }), ledger.deps());
    expect(asked).toMatchObject({
      ok: false,
      error: { kind: "mapping_unconfirmed", missing: [], mapping: { zone: "UTC" } },
    });
    expect(await ledger.open.ledger.reconciliation.findStatement(LANE, DAY.day)).toBeNull();
    expect(await ledger.audit()).toEqual([]);
  });

  test("gets a new version only if it changes", async () => {
    expect((await ledger.reconcile(csv)).mapping.version).toBe(1);
    const same = await ledger.load(csv, { changes: { zone: "UTC", amountStyle: "plain" } });
    expect(same).toMatchObject({ value: { isNew: false, mapping: { version: 1 } } });
    const words = { erledigt: "completed" } as const;
    const again = await ledger.load(csv, { changes: { words } });
    expect(again).toMatchObject({ value: { isNew: true, mapping: { version: 2, words } } });
    // The same file, but read with another mapping.
    expect(await ledger.load(csv, { changes: { words: {} } })).toMatchObject({
      value: { isNew: true, mapping: { version: 3, words: {} } },
    });
  });

  test("is stored exactly as the person has confirmed it", async () => {
    await ledger.reconcile(csv);
    const columns = { code: "Transaction Code", amount: "Amount", status: "Status" };
    const loaded = await ledger.load(csv, { changes: { columns } });
    expect(loaded).toMatchObject({ ok: true });
    const stored = await ledger.open.ledger.reconciliation.findStatementMapping(LANE);
    expect(stored?.columns).toEqual(columns);
  });

  test("is not stored by an API key", async () => {
    const asked = await ledger.load(csv, { actor: "key:K1" });
    expect(asked).toMatchObject({ error: { kind: "mapping_unconfirmed", isByPerson: false } });
    await ledger.load(csv);
    await expect(
      sql`insert into statement_mappings select merchant_code, currency, 9, columns, words,
        amount_style, payout_sign, zone, 'key:K1' from statement_mappings`.execute(ledger.database),
    ).rejects.toThrow("statement_mappings_actor_check");
  });

  test("is shown again on request, and if it does not fit the header", async () => {
    await ledger.reconcile(csv);
    expect(await ledger.load(csv, { isReview: true })).toMatchObject({
      error: { kind: "mapping_unconfirmed", mapping: { columns: { code: "Transaction Code" } } },
    });
    const renamed = csv.replace("Transaction Code", "Order ID").replace(",Fee,", ",Charges,");
    const asked = await ledger.load(renamed);
    expect(asked).toMatchObject({
      error: {
        missing: [],
        mapping: { columns: { code: "Order ID", fee: "Charges", amount: "Amount" } },
      },
    });
  });
});

describe("the lines", () => {
  test("are loaded completely or not at all", async () => {
    const cut = statementFile(rows, { seed: 7, rows: {}, file: ["cut_row"] });
    expect(await ledger.load(cut.csv)).toMatchObject({ error: { kind: "unreadable" } });
    expect(await countOf("statement_lines")).toBe(0);
  });

  test("are refused if none is from the day", async () => {
    const refused = await ledger.load(csv, { day: NEXT.day });
    expect(refused).toMatchObject({ error: { problems: [{ expected: "lines of 2026-11-27" }] } });
  });

  test("of other days need a confirmation with their number, but not pending ones", async () => {
    const late = statementRowsOf(NEXT)[0];
    if (!late) throw new Error("no row");
    const file = csvOf([...rows, late]).csv;
    expect(await ledger.load(file)).toEqual({
      ok: false,
      error: { kind: "outside_day", count: 1 },
    });
    expect(await ledger.load(file, { outsideDay: 2 })).toMatchObject({ error: { count: 1 } });
    expect(await ledger.load(file, { outsideDay: 1 })).toMatchObject({ ok: true });
    const earlier = { ...late, status: "Pending" as const, at: Date.parse("2026-11-20T00:00Z") };
    expect(await ledger.load(csvOf([...rows, earlier]).csv)).toMatchObject({ ok: true });
  });

  test("must have the number and the sum of the back office", async () => {
    const shorter = csvOf(rows.slice(1)).csv;
    const minor = rows.reduce((sum, { amount }) => sum + BigInt(amount.replace(".", "")), 0n);
    const total = { minor, minorDigits: 2 };
    const control = { lines: 20, total };
    expect(await ledger.load(shorter, { control })).toMatchObject({
      error: {
        kind: "unreadable",
        problems: [{ expected: "20 lines", found: "19 lines" }, { line: null }],
      },
    });
    const usd = csv.replaceAll("INR", "USD");
    expect(await ledger.load(usd, { control })).toMatchObject({
      error: { problems: [{ message: expect.stringMatching(/currencies are not added: 20\.$/) }] },
    });
    expect(await ledger.load(csv, { control })).toMatchObject({ ok: true });
  });

  test("of a known file are not stored again", async () => {
    const first = await ledger.reconcile(csv);
    let opened = 0;
    const open = () => {
      opened += 1;
      return uploadOf(csv).open();
    };
    const again = await ledger.load(csv, { open });
    expect(again).toMatchObject({ ok: true, value: { isNew: false } });
    expect(again.ok && again.value.statement.id).toBe(first.statement.id);
    expect([opened, await countOf("statement_lines")]).toEqual([1, 20]);
  });

  test("cannot be added to a stored statement", async () => {
    await ledger.reconcile(csv);
    await expect(
      sql`insert into statement_lines select * from statement_lines limit 1`.execute(
        ledger.database,
      ),
    ).rejects.toThrow("no further lines");
  });
});

test("records the balances on the audit log", async () => {
  const balances = { opening: 500n, closing: 400n, deposits: 1n };
  await ledger.load(csv, { balances });
  const loaded = (await ledger.audit()).find(({ action }) => action === "load_statement");
  expect(loaded?.facts).toMatchObject({
    balances_minor: { opening: "500", closing: "400", deposits: "1" },
    digits: 2,
  });
});
