import { describe, expect, test } from "vitest";
import { findBreakEvents } from "#ledger/reconciliation/breaks.ts";
import type { StatementRow } from "#simulator/statements/defects.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import {
  DAY,
  LANE,
  NEXT,
  ReconciledLedger,
} from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new ReconciledLedger();
const rows = statementRowsOf(DAY);
const [first, second] = rows as [StatementRow, StatementRow];
const { csv } = csvOf(rows);
/** The statement, with another first row. */
const withFirst = (changes: Partial<StatementRow>) =>
  csvOf([{ ...first, ...changes }, ...rows.slice(1)]).csv;

describe("comparing a day", () => {
  test("finds no break if both sides agree, and writes the audit log", async () => {
    const compared = await ledger.reconcile(csv);
    expect(compared).toMatchObject({ payouts: 20, lines: 20, matched: 20, breaks: {}, closed: 0 });
    expect((await ledger.audit()).map(({ action }) => action)).toEqual([
      "map_statement",
      "load_statement",
      "reconcile",
    ]);
  });

  test("F108 stores one break for each defect", async () => {
    const defects = {
      missing: 1,
      doubled: 1,
      foreign: 1,
      plus_one: 1,
      late_return: 1,
      other_currency: 1,
      wrong_status: 1,
      wrong_fee: 1,
    };
    const { breaks } = await ledger.reconcile(csvOf(rows, defects).csv);
    expect(breaks).toEqual({
      missing_at_gateway: 1,
      missing_in_ledger: 1,
      listed_twice: 1,
      amount: 1,
      currency: 1,
      late_return: 1,
      status: 1,
      fee: 1,
    });
    expect(await ledger.unresolved()).toHaveLength(8);
  });

  test("compares no fee that the gateway has since reported in an unreadable form", async () => {
    await ledger.change("update payouts set unreadable_fee = 'about 1'");
    const wrong = csvOf(rows, { wrong_fee: 1 }).csv;
    expect(await ledger.reconcile(wrong)).toMatchObject({ breaks: {} });
  });

  test("changes nothing when the same file is reconciled again", async () => {
    const wrong = csvOf(rows, { minus_one: 2 }).csv;
    const one = await ledger.reconcile(wrong);
    const two = await ledger.reconcile(wrong);
    expect(two).toMatchObject({ isNew: false, breaks: one.breaks, closed: 0, reopened: [] });
    const { id } = await ledger.breakOf("amount");
    expect(await findBreakEvents(ledger.database, id)).toMatchObject([{ event: "found" }]);
  });

  test("opens a closed break again with its history, if it comes back", async () => {
    const wrong = withFirst({ amount: "5.00" });
    await ledger.reconcile(wrong);
    await ledger.reconcile(csv);
    await ledger.reconcile(wrong);
    const found = await ledger.breakOf("amount");
    expect(found).toMatchObject({ state: "open", version: 2 });
    const events = await findBreakEvents(ledger.database, found.id);
    expect(events.map(({ event }) => event)).toEqual(["found", "closed", "found_again"]);
    expect(events[2]?.text).toMatch(/^Before: the ledger showed .*, the statement 5\.00 INR\.$/);
  });

  test("refuses a statement that another one has replaced", async () => {
    const { statement } = await ledger.reconcile(withFirst({ amount: "5.00" }));
    await ledger.reconcile(csv);
    await expect(ledger.compare(statement)).rejects.toThrow("content_changed");
    expect(await ledger.unresolved()).toEqual([]);
  });

  test("lets uploads and comparisons of one lane wait for each other", async () => {
    await ledger.load(csv);
    const files = ["1.00", "2.00", "3.00"].map((amount) => withFirst({ amount }));
    const loaded = await Promise.all(files.map((file) => ledger.load(file)));
    const current = await ledger.open.ledger.reconciliation.findStatement(LANE, DAY.day);
    if (!current) throw new Error("no current statement");
    expect(loaded.every(({ ok }) => ok)).toBe(true);
    await Promise.all([ledger.compare(current), ledger.compare(current)]);
    expect(await ledger.unresolved()).toEqual([`${DAY.day} amount`]);
  });

  test("uses the business day of the zone", async () => {
    const file = csvOf(rows.slice(1)).csv;
    // Kiritimati is 14 hours ahead: the first minutes of the day in UTC are its afternoon.
    const changes = { zone: "Pacific/Kiritimati" };
    expect(await ledger.load(file, { changes, day: NEXT.day })).toMatchObject({
      error: { problems: [{ expected: "lines of 2026-11-27" }] },
    });
    const ofZone = await ledger.reconcile(file, { changes: { zone: "Asia/Kolkata" } });
    expect(ofZone).toMatchObject({ breaks: { missing_at_gateway: 1 } });
  });
});

describe("a line that is not a payout of the lane", () => {
  const extra = (changes: Partial<StatementRow>) =>
    csvOf([...rows, { ...first, code: "XOTHER", number: "WD999", ...changes }]).csv;

  test("is a payout of the lane if it has its gateway number and no code", async () => {
    const file = withFirst({ code: "" });
    expect(await ledger.reconcile(file)).toMatchObject({ breaks: {}, matched: 20 });
  });

  test("is no break if it is a payout in another currency of the merchant", async () => {
    const usd = { ...NEXT, lane: "M1/USD", currency: "USD" };
    await ledger.addPayouts(usd);
    const [other] = statementRowsOf(usd);
    const file = extra({ ...other, at: first.at });
    expect(await ledger.reconcile(file)).toMatchObject({ breaks: {}, others: 1 });
  });

  test("is a break that shows the lane of another merchant", async () => {
    const other = { ...NEXT, lane: "M2/INR" };
    await ledger.addPayouts(other);
    const file = extra({ ...statementRowsOf(other)[0], at: first.at });
    expect(await ledger.reconcile(file)).toMatchObject({ breaks: { missing_in_ledger: 1 } });
    expect(await ledger.breakOf("missing_in_ledger")).toMatchObject({
      hasPayout: false,
      ledgerShows: "payout of M2/INR, settled",
    });
  });

  test("is no break if it is a deposit, and does not count as a payout of the balance", async () => {
    await ledger.change(`insert into deposits
      (transaction_code, lane, currency, amount_minor, minor_digits, created_by, payload_digest, user_digest, link_digest, sealed, state)
      values ('XOTHER', '${LANE}', 'INR', 100, 2, 'test', '\\x00', '\\x00', '\\x00', '\\x00', 'requested')`);
    const minor = (text: string) => BigInt(text.replace(".", ""));
    const paid = rows.reduce((sum, { amount, fee }) => sum + minor(amount) + minor(fee), 0n);
    const balances = { opening: 10n ** 9n, closing: 10n ** 9n - paid + 5n, deposits: 5n };
    expect(await ledger.reconcile(extra({}), { balances })).toMatchObject({
      breaks: {},
      others: 1,
    });
  });

  test("is a break with its result, amount and number if payrun does not know it", async () => {
    await ledger.reconcile(extra({}));
    expect(await ledger.breakOf("missing_in_ledger")).toMatchObject({
      ledgerShows: null,
      statementShows: `completed, ${first.amount} INR, WD999`,
    });
  });
});

describe("the balance", () => {
  const minor = (text: string) => BigInt(text.replace(".", ""));
  const paid = rows.reduce((sum, { amount, fee }) => sum + minor(amount) + minor(fee), 0n);
  const balances = { opening: 10n ** 9n, closing: 10n ** 9n - paid, deposits: 0n };
  const less = { ...balances, closing: balances.closing - 1n };

  test("is compared with the lines, and the break claims nothing about the ledger", async () => {
    expect(await ledger.reconcile(csv, { balances })).toMatchObject({ breaks: {} });
    const compared = await ledger.reconcile(csv, { balances: less });
    expect(compared).toMatchObject({ isNew: true, breaks: { unexplained_movement: 1 } });
    const found = await ledger.breakOf("unexplained_movement");
    expect(found.ledgerShows).toBeNull();
    expect(found.statementShows).toMatch(/^the balance changed by -\S+ INR; deposits and lines/);
  });

  test("is kept for a later file without balances, and its break stays open", async () => {
    await ledger.reconcile(csv, { balances: less });
    const again = await ledger.reconcile(withFirst({ status: "Pending" }));
    expect(again).toMatchObject({ hasBalances: true, breaks: { unexplained_movement: 1 } });
    expect(await ledger.unresolved()).toContain(`${DAY.day} unexplained_movement`);
  });

  test("is not moved by lines of other days", async () => {
    const earlier = { ...first, at: Date.parse("2026-11-20T10:00Z") };
    const change = minor(first.amount) + minor(first.fee);
    const compared = await ledger.reconcile(csvOf([earlier, ...rows.slice(1)]).csv, {
      outsideDay: 1,
      balances: { ...balances, closing: balances.closing + change },
    });
    expect(compared).toMatchObject({ breaks: {} });
  });

  test("gets the amount of a payout that fails after it was completed", async () => {
    const failed = { ...first, status: "Failed" as const, at: first.at + 1_000 };
    const compared = await ledger.reconcile(csvOf([...rows, failed]).csv, {
      balances: { ...balances, closing: balances.closing + minor(first.amount) },
    });
    expect(compared).toMatchObject({ breaks: { late_return: 1 } });
  });
});

test("closes a fee break only if the statement has fees", async () => {
  await ledger.reconcile(withFirst({ fee: "9.00" }));
  const columns = { code: "Transaction Code", amount: "Amount", status: "Status" };
  await ledger.reconcile(withFirst({ amount: second.amount }), { changes: { columns } });
  expect(await ledger.unresolved()).toEqual([`${DAY.day} amount`, `${DAY.day} fee`]);
});
