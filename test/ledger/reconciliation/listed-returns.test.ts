/** Payouts that came back on a day, and the statements that list or lack that. */
import { beforeEach, describe, expect, test } from "vitest";
import type { StatementRow } from "#simulator/statements/defects.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import { DAY, NEXT, ReconciledLedger } from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new ReconciledLedger();
const rows = statementRowsOf(DAY);
const nextRows = statementRowsOf(NEXT);
const [first] = rows as [StatementRow];
const LAST = { ...NEXT, day: "2026-11-28" };
const [onNext, onLast] = [{ day: NEXT.day }, { day: LAST.day }];
const returned = (at: string, changes: Partial<StatementRow> = {}): StatementRow => ({
  ...first,
  status: "Returned",
  at: Date.parse(at),
  ...changes,
});
const withReturn = (line: StatementRow, others = rows) => csvOf([...others, line]).csv;
const csv = csvOf(rows).csv;
const nextCsv = csvOf(nextRows).csv;
const missing = [`${NEXT.day} missing_at_gateway`];

beforeEach(() => ledger.addPayouts(NEXT));

describe("a payout that came back a day later", () => {
  beforeEach(async () => {
    await ledger.move(first.code, "returned", "2026-11-27T07:00Z");
    await ledger.reconcile(csv);
  });

  test("is a break on that day if the statement does not list it", async () => {
    expect((await ledger.reconcile(nextCsv, onNext)).breaks).toEqual({ missing_at_gateway: 1 });
    expect(await ledger.unresolved()).toEqual(missing);
    expect((await ledger.breakOf("missing_at_gateway")).ledgerShows).toMatch(/^returned, /);
  });

  test.each(["Returned", "Failed"] as const)("agrees with a line %s", async (status) => {
    await ledger.reconcile(withReturn(returned("2026-11-27T07:00Z", { status }), nextRows), onNext);
    expect(await ledger.unresolved()).toEqual([]);
  });

  test("is found on the statement of the day after", async () => {
    await ledger.reconcile(nextCsv, onNext);
    await ledger.addPayouts(LAST);
    const last = withReturn(returned("2026-11-28T07:00Z"), statementRowsOf(LAST));
    expect(await ledger.reconcile(last, onLast)).toMatchObject({ breaks: {}, closed: 1 });
    expect(await ledger.unresolved()).toEqual([]);
  });

  test("is a break again if the file that listed it is replaced", async () => {
    await ledger.addPayouts(LAST);
    const lastRows = statementRowsOf(LAST);
    await ledger.reconcile(withReturn(returned("2026-11-28T07:00Z"), lastRows), onLast);
    await ledger.reconcile(nextCsv, onNext);
    expect(await ledger.unresolved()).toEqual([]);
    await ledger.reconcile(csvOf(lastRows).csv, onLast);
    expect(await ledger.unresolved()).toEqual(missing);
  });

  test("is no break if the gateway listed it before payrun knew", async () => {
    await ledger.reconcile(nextCsv, onNext);
    const listed = withReturn(returned("2026-11-26T23:00Z"));
    await ledger.reconcile(listed);
    expect(await ledger.unresolved()).toEqual([]);
    await ledger.reconcile(csv);
    expect(await ledger.unresolved()).toEqual(missing);
  });

  test("is no break if people resolved it as paid", async () => {
    await ledger.move(first.code, "resolved", "2026-11-28T07:00Z");
    await ledger.change(
      "update payouts set reason = 'resolved_arrived: x' where state = 'resolved'",
    );
    await ledger.reconcile(nextCsv, onNext);
    expect(await ledger.unresolved()).toEqual([]);
  });
});

describe("a payout that settled and came back on one day", () => {
  beforeEach(() => ledger.move(first.code, "returned", "2026-11-26T20:00Z"));

  test("is a break if the statement lists it as completed only", async () => {
    expect((await ledger.reconcile(csv)).breaks).toEqual({ status: 1 });
    const { ledgerShows, statementShows } = await ledger.breakOf("status");
    expect([ledgerShows, statementShows].map((text) => text?.split(",")[0])).toEqual([
      "returned",
      "completed",
    ]);
  });

  test("agrees as soon as a later statement lists its return", async () => {
    await ledger.reconcile(csv);
    await ledger.reconcile(withReturn(returned("2026-11-27T01:00Z"), nextRows), onNext);
    expect(await ledger.unresolved()).toEqual([]);
  });

  test("is one break if no line lists it", async () => {
    expect((await ledger.reconcile(csvOf(rows.slice(1)).csv)).breaks).toEqual({
      missing_at_gateway: 1,
    });
  });
});
