import { describe, expect, test } from "vitest";
import { allItems } from "#views/reconciliation/day-items.ts";
import { DayLedger, movePayout } from "../../support/reconciliation/day-ledger.ts";
import { DAY, LANE } from "../../support/reconciliation/reconciled-ledger.ts";

const ledger = new DayLedger();
const FIRST = DAY.day;
const BEFORE = "2026-11-25";

/** Adds a transition of a payout, without triggers. */
const resolve = (id: number, seq: number, reason: string, at: string) =>
  ledger.change(`insert into transitions (payout_id, seq, event, from_state, to_state, reason, actor, at)
    values (${id}, ${seq}, 'resolve', 'on_hold', 'resolved', '${reason}', 'test', '${at}')`);

describe("a manual resolution", () => {
  test("counts if it changes whether the payout is paid", async () => {
    await ledger.openAt(FIRST);
    // Payouts 1 and 2 settled on the day; the third one has never settled.
    await resolve(1, 5, "resolved_arrived: statement", `${FIRST}T20:00:00Z`);
    await resolve(2, 5, "resolved_not_arrived: statement", `${FIRST}T20:00:00Z`);
    const id = await ledger.addAccepted(5_000, `${FIRST}T10:00:00Z`);
    await resolve(id, 5, "resolved_arrived: statement", `${FIRST}T21:00:00Z`);
    await resolve(id, 6, "resolved_arrived: again", `${FIRST}T22:00:00Z`);
    const { movements } = await ledger.closed(FIRST);
    expect(movements.payouts.count).toBe(20);
    // 179.19 came back, and 50.00 was paid.
    expect(movements.resolutions).toEqual({ amount: "129.19", count: 2 });
  });
});

describe("the fee of a payout", () => {
  test("does not count while the last reported one is unreadable", async () => {
    await ledger.openAt(FIRST);
    await ledger.change("update payouts set unreadable_fee = '?' where id in (1, 2)");
    const closed = await ledger.closed(FIRST);
    expect(closed.movements.fees).toEqual({ amount: "18.00", count: 18 });
    expect(closed.payouts_without_fee).toBe(2);
  });

  test("counts once for a resolved payout, and not while the resolution is taken back", async () => {
    await ledger.openAt(BEFORE);
    const id = await ledger.addAccepted(5_000, `${BEFORE}T10:00:00Z`);
    await ledger.change(`update payouts set fee_minor = 70, fee_digits = 2 where id = ${id}`);
    await resolve(id, 5, "resolved_arrived: statement", `${BEFORE}T20:00:00Z`);
    await resolve(id, 6, "resolved_not_arrived: bank", `${BEFORE}T21:00:00Z`);
    await resolve(id, 7, "resolved_arrived: bank", `${BEFORE}T22:00:00Z`);
    await resolve(id, 8, "resolved_not_arrived: bank", `${FIRST}T20:00:00Z`);
    expect((await ledger.closed(BEFORE)).movements.fees.amount).toBe("0.70");
    expect((await ledger.closed(FIRST)).movements.fees.amount).toBe("19.30");
  });
});

test("the report reads all items of a day, page by page", async () => {
  await ledger.openAt(FIRST);
  const all = Array.from({ length: 5 }, (_, n) => n + 1);
  for (const id of all) {
    await movePayout(ledger.database, { id, event: "return", at: `${FIRST}T09:00:00.000001Z` });
  }
  const day = { lane: LANE, day: FIRST, startsAt: new Date(FIRST), endsAt: new Date("2026-11-27") };
  const codes = new Set<string>();
  let read = 0;
  for await (const { code } of allItems(day, ledger, 2)) {
    codes.add(code);
    read += 1;
  }
  expect([read, codes.size]).toEqual([5, 5]);
});

test("a payout that came back counts as returned while it is on hold", async () => {
  await ledger.openAt(FIRST);
  await movePayout(ledger.database, { id: 1, event: "return", at: "2026-11-27T09:00:00Z" });
  await ledger.change("update payouts set state = 'on_hold' where id in (1, 2)");
  expect(await ledger.closed(FIRST)).toMatchObject({ payouts_returned_since: 1 });
});

describe("a deposit", () => {
  const add = (paid: number | null) =>
    ledger.change(`insert into deposits (id, transaction_code, lane, currency, amount_minor, minor_digits,
        paid_minor, state, created_by, payload_digest, user_digest, link_digest, sealed)
      overriding system value values (1, 'PD1', '${LANE}', 'INR', 7000, 2, ${paid}, 'completed', 'test', '', '', '', '')`);
  const event = (seq: number, name: string, reason: string, at: string) =>
    ledger.change(`insert into deposit_transitions (deposit_id, seq, event, from_state, to_state, reason, actor, at)
      values (1, ${seq}, '${name}', '-', '-', '${reason}', 'test', '${at}')`);

  test("counts with the paid amount when it is completed", async () => {
    await ledger.openAt(FIRST);
    await add(6_500);
    await event(2, "complete", "", `${FIRST}T10:00:00Z`);
    const { movements } = await ledger.closed(FIRST);
    expect(movements.deposits).toEqual({ amount: "65.00", count: 1 });
  });

  test("counts with the difference when two people resolve it with another amount", async () => {
    await ledger.openAt(BEFORE);
    await add(6_500);
    await event(2, "complete", "", `${BEFORE}T10:00:00Z`);
    await ledger.change(`insert into deposit_resolutions (deposit_id, seq, finding, amount_minor, evidence, proposed_by,
        at, outcome, decided_by, decided_at)
      values (1, 3, 'received', 6000, 'bank', 'a', now(), 'agreed', 'b', now())`);
    await event(4, "resolve", "resolved_received: bank", `${FIRST}T10:00:00Z`);
    expect((await ledger.closed(BEFORE)).movements.deposits.amount).toBe("65.00");
    expect((await ledger.closed(FIRST)).movements.deposits.amount).toBe("-5.00");
  });
});
