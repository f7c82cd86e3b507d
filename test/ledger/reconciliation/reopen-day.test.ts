import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { closeDay } from "#flows/reconciliation/close-day.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { LaneDay } from "#ledger/reconciliation/day-figures.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import { DayLedger, movePayout } from "../../support/reconciliation/day-ledger.ts";
import { DAY, LANE } from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new DayLedger();
const FIRST = DAY.day;
const SECOND = "2026-11-27";

describe("a closed day is reopened", () => {
  test("by a payout that settles late, and the old version stays readable", async () => {
    await ledger.openAt(FIRST);
    const id = await ledger.addAccepted(5_000, `${FIRST}T10:00:00Z`);
    const one = await ledger.closed(FIRST);
    await movePayout(ledger.database, { id, event: "settle", at: `${FIRST}T23:59:59Z` });
    expect(await ledger.versions(FIRST)).toMatchObject([
      { version: 1, reopening: { cause: "settlement", object: `PROPEN${id}`, actor: "payrun" } },
    ]);
    const two = await ledger.closed(FIRST);
    expect(two.movements.payouts).toMatchObject({ count: 21 });
    const versions = await ledger.versions(FIRST);
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(JSON.parse(versions[1]?.document ?? "")).toEqual(one);
  });

  test("by a late return, which counts on the day it was recorded", async () => {
    await ledger.openAt(FIRST);
    await ledger.closed(FIRST);
    await movePayout(ledger.database, { id: 1, event: "return", at: `${SECOND}T09:00:00Z` });
    expect(await ledger.cause(FIRST)).toBe("return");
    expect(await ledger.closed(FIRST)).toMatchObject({
      payouts_returned_since: 1,
      movements: { payouts: { count: 20 }, returns: { count: 0 } },
    });
  });

  test("by a changed fee", async () => {
    await ledger.openAt(FIRST);
    await ledger.closed(FIRST);
    await sql`update payouts set fee_minor = 150 where id = 1`.execute(ledger.database);
    expect(await ledger.cause(FIRST)).toBe("fee");
    expect(await ledger.closed(FIRST)).toMatchObject({
      movements: { fees: { amount: "20.50" } },
    });
  });

  test("by a fee that becomes unreadable", async () => {
    await ledger.openAt(FIRST);
    await ledger.closed(FIRST);
    await sql`update payouts set unreadable_fee = '?' where id = 1`.execute(ledger.database);
    expect(await ledger.cause(FIRST)).toBe("fee");
  });

  test("by the fee of a payout that was resolved manually on the day", async () => {
    await ledger.openAt(FIRST);
    const id = await ledger.addAccepted(5_000, `${FIRST}T10:00:00Z`);
    await ledger.change(`update payouts set state = 'resolved' where id = ${id};
      insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor, at)
      values (${id}, 5, 'resolve', 'on_hold', 'resolved', 'resolved_arrived: bank', 'test', '${FIRST}T20:00:00Z')`);
    expect(await ledger.closed(FIRST)).toMatchObject({ payouts_without_fee: 1 });
    await sql`update payouts set fee_minor = 70, fee_digits = 2 where id = ${id}`.execute(
      ledger.database,
    );
    expect(await ledger.cause(FIRST)).toBe("fee");
    expect((await ledger.closed(FIRST)).movements.fees.amount).toBe("20.70");
  });

  test("by a statement, and by a break that a comparison finds", async () => {
    await ledger.openAt(FIRST);
    await ledger.closed(FIRST);
    const loaded = await ledger.load(csvOf(statementRowsOf(DAY), { plus_one: 1 }).csv);
    if (!loaded.ok) throw new Error("not loaded");
    expect(await ledger.cause(FIRST)).toBe("statement");
    await ledger.compare(loaded.value.statement);
    const closed = await ledger.closed(FIRST);
    expect(closed.open_breaks).toHaveLength(1);
    await ledger.change("update payouts set amount_minor = amount_minor + 7");
    await ledger.compare(loaded.value.statement);
    expect(await ledger.cause(FIRST)).toBe("break");
  });

  test("by two people", async () => {
    await ledger.openAt(FIRST);
    await ledger.closed(FIRST);
    const approver = await ledger.person("approver");
    expect(await ledger.propose(FIRST, null, "cli:asha")).toMatchObject({ ok: true });
    expect(await ledger.cause(FIRST)).toBeNull();
    expect(await ledger.decide(FIRST, false, approver)).toMatchObject({ ok: true });
    expect(await ledger.cause(FIRST)).toBeNull();
    await ledger.propose(FIRST, null, "cli:asha");
    expect(await ledger.decide(FIRST, true, approver)).toMatchObject({ ok: true });
    expect(await ledger.cause(FIRST)).toBe("person");
    expect(await ledger.propose(FIRST, null, "cli:asha")).toMatchObject({
      error: { detail: "The day is not closed." },
    });
    const actions = (await ledger.audit()).map(({ action }) => action);
    expect(actions.slice(-4)).toEqual([
      "propose_reopening",
      "refuse_reopening",
      "propose_reopening",
      "reopen_day",
    ]);
  });

  test("not by a proposal for an earlier version, which can only be refused", async () => {
    await ledger.openAt(FIRST);
    await ledger.closed(FIRST);
    const approver = await ledger.person("approver");
    await ledger.propose(FIRST, 500, "cli:asha");
    await ledger.propose(FIRST, null, "cli:asha");
    await sql`update payouts set fee_minor = 150 where id = 1`.execute(ledger.database);
    await ledger.closed(FIRST);
    expect(await ledger.decide(FIRST, true, approver)).toMatchObject({ error: "content_changed" });
    expect(await ledger.cause(FIRST)).toBeNull();
    expect(await ledger.decide(FIRST, false, approver)).toMatchObject({ ok: true });
  });

  test("once by many results of one statement, of which some are on another lane", async () => {
    await ledger.openAt(FIRST);
    await ledger.change("update payouts set lane = 'M2/INR' where id in (1, 2)");
    await ledger.closed(FIRST);
    const returnAll = (ids: readonly number[]) =>
      sql`
        with moved as (
          update payouts set state = 'returned', seq = seq + 1 where id = any(${ids}) returning id, seq
        )
        insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
        select id, seq, 'return', 'settled', 'returned', 'test', ${`${SECOND}T09:00:00Z`}::timestamptz
        from moved`.execute(ledger.database);
    await returnAll([1]);
    expect(await ledger.cause(FIRST)).toBeNull();
    await returnAll([2, 3, 4, 5]);
    expect(await ledger.versions(FIRST)).toMatchObject([
      { version: 1, reopening: { cause: "return", actor: "payrun" } },
    ]);
  });

  test("not by payouts of other lanes or days", async () => {
    await ledger.openAt(FIRST);
    const id = await ledger.addAccepted(5_000, `${SECOND}T01:00:00Z`);
    const other = await ledger.addAccepted(5_000, `${FIRST}T01:00:00Z`);
    await ledger.change(`update payouts set lane = 'M2/INR' where id = ${other}`);
    await ledger.closed(FIRST);
    await movePayout(ledger.database, { id, event: "settle", at: `${SECOND}T02:00:00Z` });
    await movePayout(ledger.database, { id: other, event: "settle", at: `${FIRST}T02:00:00Z` });
    expect(await ledger.cause(FIRST)).toBeNull();
  });
});

describe("a payout that settles while its day is closed", () => {
  test("is counted if it commits first, because the close waits", async () => {
    await ledger.openAt(FIRST);
    const id = await ledger.addAccepted(5_000, `${FIRST}T10:00:00Z`);
    let closing: Promise<unknown> = Promise.resolve();
    await ledger.database.transaction().execute(async (transaction) => {
      await movePayout(transaction, { id, event: "settle", at: `${FIRST}T23:59:59Z` });
      let isClosed = false;
      closing = ledger.closed(FIRST).then(() => (isClosed = true));
      await new Promise((done) => setTimeout(done, 300));
      expect(isClosed).toBe(false);
    });
    await closing;
    expect(await ledger.cause(FIRST)).toBeNull();
    const [version] = await ledger.versions(FIRST);
    expect(JSON.parse(version?.document ?? "").movements.payouts.count).toBe(21);
  });

  test("does not wait while the figures are computed, which are then computed again", async () => {
    await ledger.openAt(FIRST);
    const id = await ledger.addAccepted(5_000, `${FIRST}T10:00:00Z`);
    const deps = ledger.deps();
    let computed = 0;
    const slow = {
      ...deps.ledger,
      transaction: (work: (steps: LedgerSteps) => Promise<unknown>) =>
        deps.ledger.transaction((steps) => {
          const findMoneyToClose = async (day: LaneDay) => {
            const money = await steps.reconciliation.findMoneyToClose(day);
            if ((computed += 1) === 1) {
              await movePayout(ledger.database, { id, event: "settle", at: `${FIRST}T23:59:59Z` });
            }
            return money;
          };
          return work({ ...steps, reconciliation: { ...steps.reconciliation, findMoneyToClose } });
        }),
    };
    const asked = { lane: LANE, day: FIRST };
    const closed = await closeDay(asked, "cli:asha", { ...deps, ledger: slow } as never);
    expect(closed).toMatchObject({ value: { movements: { payouts: { count: 21 } } } });
    expect(computed).toBe(2);
    expect(await ledger.cause(FIRST)).toBeNull();
  });

  test("waits for the close and reopens the day if it commits later", async () => {
    await ledger.openAt(FIRST);
    const id = await ledger.addAccepted(5_000, `${FIRST}T10:00:00Z`);
    let settling: Promise<unknown> = Promise.resolve();
    await ledger.open.ledger.transaction(async (steps) => {
      // The close of this transaction, which has not committed when the payout settles.
      const deps = {
        ...ledger.deps(),
        ledger: { ...steps, transaction: (work: (given: typeof steps) => unknown) => work(steps) },
      };
      const closed = await closeDay({ lane: LANE, day: FIRST }, "cli:asha", deps as never);
      expect(closed).toMatchObject({ value: { movements: { payouts: { count: 20 } } } });
      let isSettled = false;
      settling = movePayout(ledger.database, {
        id,
        event: "settle",
        at: `${FIRST}T23:59:59Z`,
      }).then(() => (isSettled = true));
      await new Promise((done) => setTimeout(done, 300));
      expect(isSettled).toBe(false);
    });
    await settling;
    expect(await ledger.cause(FIRST)).toBe("settlement");
    expect((await ledger.closed(FIRST)).movements.payouts.count).toBe(21);
  });

  test("does not deadlock with a decision that one person takes", async () => {
    await ledger.openAt(FIRST);
    let proposing: Promise<unknown> = Promise.resolve();
    await ledger.open.ledger.transaction(async ({ reconciliation, integrity }) => {
      await reconciliation.lockDays(LANE);
      proposing = ledger.propose(FIRST, 500, "cli:asha");
      await new Promise((done) => setTimeout(done, 300));
      const line = { actor: "cli:asha", action: "close_day", object: FIRST, facts: {} } as const;
      await integrity.appendAudit(new Date(), line);
    });
    expect(await proposing).toMatchObject({ ok: true });
  });

  test("is counted or reopens the day, whatever the order of many", async () => {
    await ledger.openAt(FIRST);
    const ids: number[] = [];
    for (let n = 0; n < 12; n += 1) {
      ids.push(await ledger.addAccepted(100, `${FIRST}T10:00:00Z`));
    }
    const at = `${FIRST}T23:59:59Z`;
    const settles = ids.map((id) => movePayout(ledger.database, { id, event: "settle", at }));
    await Promise.all([ledger.close(FIRST), ...settles]);
    const [version] = await ledger.versions(FIRST);
    const counted = JSON.parse(version?.document ?? "").movements.payouts.count;
    expect(counted === 32 || version?.reopening?.cause === "settlement").toBe(true);
    const last =
      counted < 32 ? await ledger.closed(FIRST) : { movements: { payouts: { count: counted } } };
    expect(last.movements.payouts.count).toBe(32);
  });
});
