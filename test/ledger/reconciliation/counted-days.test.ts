import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { findCountedElsewhere } from "#ledger/reconciliation/counted-days.ts";
import type { StatementRow } from "#simulator/statements/defects.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import { DayLedger, movePayout } from "../../support/reconciliation/day-ledger.ts";
import { DAY, LANE } from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new DayLedger();
const [BEFORE, SECOND] = ["2026-11-25", DAY.day];
const OPENING = 100_000_000n;
const rows = statementRowsOf(DAY);
const [first] = rows as [StatementRow];
/** The row of the payout that payrun settled at the first moment of the second day. */
const early = { ...first, at: Date.parse(`${BEFORE}T23:59:58Z`) };
const MIDNIGHT = OPENING - 10_000n - 100n;
const CLOSING = OPENING - 10_000n * 20n - 7_919n * 190n - 2_000n;

const firstDay = (row: StatementRow = early, changes = {}) =>
  ledger.reconcile(csvOf([row]).csv, { day: BEFORE, ...changes });
const secondDay = (changes = {}) => ledger.reconcile(csvOf(rows.slice(1)).csv, changes);
const counts = async () => {
  const days = [await ledger.closed(BEFORE), await ledger.closed(SECOND)];
  return days.map(({ movements }) => movements.payouts.count);
};
/** Changes the time at which payrun recorded the settlement of the first payout. */
const settleAt = (at: string) =>
  ledger.change(`update payouts set settled_at = '${at}' where id = 1;
    update transitions set at = '${at}' where payout_id = 1`);

describe("a payout that settled around midnight", () => {
  test("counts on the day whose statement lists it, and both days agree", async () => {
    await ledger.openAt(BEFORE);
    const deposits = 0n;
    const one = await firstDay(early, {
      balances: { opening: OPENING, closing: MIDNIGHT, deposits },
    });
    const two = await secondDay({ balances: { opening: MIDNIGHT, closing: CLOSING, deposits } });
    expect([one.countedHere, two.countedHere]).toEqual([1, 0]);
    expect(await ledger.unresolved()).toEqual([]);
    for (const [day, count] of [
      [BEFORE, 1],
      [SECOND, 19],
    ] as const) {
      expect(await ledger.closed(day)).toMatchObject({
        difference: "0.00",
        movements: { payouts: { count }, fees: { count } },
      });
    }
  });

  test("is counted as one of the list that counts on another day, until that ends", async () => {
    const elsewhere = async () => {
      const [one, two] = await Promise.all(
        [BEFORE, SECOND].map((day) =>
          findCountedElsewhere(ledger.database, {
            lane: LANE,
            day,
            startsAt: new Date(`${day}T00:00:00Z`),
            endsAt: new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000),
          }),
        ),
      );
      return [one, two];
    };
    const none = { out: 0, in: 0 };
    await secondDay();
    expect(await elsewhere()).toEqual([none, none]);
    await firstDay();
    expect(await elsewhere()).toEqual([
      { out: 0, in: 1 },
      { out: 1, in: 0 },
    ]);
    await settleAt(`${BEFORE}T23:59:59Z`);
    expect(await elsewhere()).toEqual([none, none]);
  });

  test("counts on the next day if its statement lists it there, which reopens the closed day", async () => {
    await settleAt(`${BEFORE}T23:59:59Z`);
    await ledger.openAt(BEFORE);
    expect(await ledger.closed(BEFORE)).toMatchObject({ movements: { payouts: { count: 1 } } });
    expect(await ledger.reconcile(csvOf(rows).csv)).toMatchObject({ countedHere: 1, breaks: {} });
    expect(await ledger.cause(BEFORE)).toBe("statement");
    expect(await counts()).toEqual([0, 20]);
  });

  test("counts on its own day again if another statement no longer lists it", async () => {
    await firstDay();
    await secondDay();
    await ledger.openAt(BEFORE);
    expect(await counts()).toEqual([1, 19]);
    await firstDay({ ...early, code: "PROTHER", number: "WDOTHER" });
    expect(await ledger.unresolved()).toEqual([
      `${BEFORE} missing_in_ledger`,
      `${SECOND} missing_at_gateway`,
    ]);
    expect(await ledger.cause(SECOND)).toBe("statement");
    expect(await counts()).toEqual([0, 20]);
    await firstDay();
    expect(await counts()).toEqual([1, 19]);
  });

  test("changes nothing when the same file is reconciled again", async () => {
    await firstDay();
    await ledger.openAt(BEFORE);
    await ledger.closed(BEFORE);
    expect(await firstDay()).toMatchObject({ isNew: false, countedHere: 1 });
    expect(await ledger.cause(BEFORE)).toBeNull();
  });

  test("is found when it settles after the statement was compared", async () => {
    const id = await ledger.addAccepted(5_000, `${BEFORE}T23:59:50Z`);
    const row = { ...early, code: `PROPEN${id}`, number: "WDOPEN", amount: "50.00" };
    expect(await firstDay(row)).toMatchObject({ breaks: { status: 1 }, countedHere: 0 });
    await movePayout(ledger.database, { id, event: "settle", at: `${SECOND}T00:00:03Z` });
    await ledger.reconcile(csvOf(rows).csv);
    expect(await ledger.unresolved()).toEqual([]);
    await ledger.openAt(BEFORE);
    expect(await counts()).toEqual([1, 20]);
  });

  test("reopens the day on which it counts when its fee or its result changes", async () => {
    await firstDay();
    await secondDay();
    await ledger.openAt(BEFORE);
    await counts();
    await sql`update payouts set fee_minor = 150 where id = 1`.execute(ledger.database);
    expect([await ledger.cause(BEFORE), await ledger.cause(SECOND)]).toEqual(["fee", null]);
    const closed = await ledger.closed(BEFORE);
    expect(closed.movements.fees).toEqual({ amount: "1.50", count: 1 });
    await movePayout(ledger.database, { id: 1, event: "return", at: "2026-11-27T09:00:00Z" });
    expect(await ledger.cause(BEFORE)).toBe("return");
    expect(await ledger.closed(BEFORE)).toMatchObject({ payouts_returned_since: 1 });
  });

  test("counts on its new day if it settles again", async () => {
    await firstDay();
    await ledger.openAt(BEFORE);
    await settleAt(`${SECOND}T09:00:00Z`);
    expect(await counts()).toEqual([0, 20]);
  });
});

describe("a payout counts on the day of its settlement", () => {
  test.each([
    ["05:59:59", [1, 19]],
    ["06:00:00", [0, 20]],
  ] as const)("if it settled more than six hours after the other day: %s", async (time, found) => {
    await settleAt(`${SECOND}T${time}Z`);
    await firstDay();
    await ledger.openAt(BEFORE);
    expect(await counts()).toEqual(found);
  });

  test.each([
    ["amount", { amount: "100.01" }],
    ["gateway_number", { number: "WDOTHER" }],
    ["status", { status: "Failed" }],
  ] as const)("if the line of the other day has another %s", async (kind, changes) => {
    const { breaks, countedHere } = await firstDay({ ...early, ...changes });
    expect([breaks, countedHere]).toEqual([{ [kind]: 1 }, 0]);
    await ledger.openAt(BEFORE);
    expect(await counts()).toEqual([0, 20]);
  });

  test("if the line of the other statement has a time of this day", async () => {
    const both = csvOf([early, { ...rows[1], at: first.at } as StatementRow]).csv;
    expect(await ledger.reconcile(both, { day: BEFORE, outsideDay: 1 })).toMatchObject({
      countedHere: 1,
    });
    await ledger.openAt(BEFORE);
    expect(await counts()).toEqual([1, 19]);
  });
});

test("the database keeps one counted day for each payout, and refuses to edit it", async () => {
  await firstDay();
  const copied = sql`insert into counted_days (payout_id, lane, day, settled_at, statement_id)
    select payout_id, lane, '2026-11-27', settled_at, statement_id from counted_days`;
  await expect(copied.execute(ledger.database)).rejects.toThrow("counted_days_of_payout");
  const edited = sql`update counted_days set day = '2026-11-24', ended_at = now()`;
  await expect(edited.execute(ledger.database)).rejects.toThrow("is not edited");
  await sql`update counted_days set ended_at = now()`.execute(ledger.database);
  const again = sql`update counted_days set ended_at = null`;
  await expect(again.execute(ledger.database)).rejects.toThrow("is not edited");
});
