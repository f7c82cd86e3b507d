import { createHash } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { findEvents } from "#ledger/feed/find-events.ts";
import { publishEvents } from "#ledger/feed/publish-events.ts";
import { statementRow, statementRowsOf } from "../../../bench/settled-day.ts";
import { DayLedger, movePayout } from "../../support/reconciliation/day-ledger.ts";
import { DAY, LANE } from "../../support/reconciliation/reconciled-ledger.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";

const ledger = new DayLedger();
const FIRST = DAY.day;
const SECOND = "2026-11-27";
const BEFORE = "2026-11-25";
const OPENING = 100_000_000n;
const { csv } = csvOf(statementRowsOf(DAY));
/** The 20 payouts of the day, with a fee of 1.00 each. */
const PAID = Array.from({ length: 20 }, (_, n) => 10_000n + BigInt(n) * 7_919n).reduce(
  (sum, each) => sum + each,
);
const CLOSING = OPENING - PAID - 2_000n;
const balances = (closing = CLOSING) => ({ opening: OPENING, closing, deposits: 0n });
const decimal = (minor: bigint) => `${minor / 100n}.${String(minor % 100n).padStart(2, "0")}`;

describe("closing a day", () => {
  test("adds up the figures, and stores them with one line of the audit log", async () => {
    await ledger.openAt(FIRST);
    await ledger.reconcile(csv, { balances: balances() });
    const closed = await ledger.closed(FIRST);
    expect(closed).toMatchObject({
      version: 1,
      opening: decimal(OPENING),
      closing: decimal(CLOSING),
      observed: { statement: expect.any(String), amount: decimal(CLOSING) },
      difference: "0.00",
      open_breaks: [],
      open_payouts: [],
      opening_from: { kind: "person", reason: "balance of the bank" },
      reopened_by: null,
    });
    expect(closed.movements).toEqual({
      deposits: { amount: "0.00", count: 0 },
      payouts: { amount: decimal(PAID), count: 20 },
      fees: { amount: "20.00", count: 20 },
      returns: { amount: "0.00", count: 0 },
      resolutions: { amount: "0.00", count: 0 },
      adjustments: { amount: "0.00", count: 0 },
    });
    const [version] = await ledger.versions(FIRST);
    const audit = (await ledger.audit()).filter(({ action }) => action === "close_day");
    const digest = createHash("sha256")
      .update(version?.document ?? "")
      .digest("hex");
    expect(audit).toMatchObject([{ facts: { lane: LANE, day: FIRST, version: 1, digest } }]);
    expect(JSON.parse(version?.document ?? "")).toEqual(closed);
    await expect(sql`update day_closes set digest = 'x'`.execute(ledger.database)).rejects.toThrow(
      "day_closes",
    );
  });

  test("opens each day with the previous close, and closes days in order", async () => {
    await ledger.openAt(BEFORE);
    expect(await ledger.close("2026-11-24")).toBe("before_first_day");
    expect(await ledger.close(FIRST)).toBe("earlier_day_open");
    expect(await ledger.close("2999-01-01")).toBe("day_not_over");
    await ledger.closed(BEFORE);
    expect(await ledger.close(BEFORE)).toBe("already_closed");
    expect(await ledger.closed(FIRST)).toMatchObject({
      opening: decimal(OPENING),
      opening_from: { kind: "previous_close", version: 1 },
      observed: null,
      difference: null,
    });
  });

  test("refuses a lane without an opening balance, and a second opening balance", async () => {
    expect(await ledger.close(FIRST)).toBe("no_opening_balance");
    await ledger.openAt(FIRST);
    await expect(ledger.openAt(FIRST)).rejects.toThrow("already has an opening balance");
  });

  test("opens with the balance of a statement", async () => {
    const { openDays } = await import("#flows/reconciliation/open-days.ts");
    const asked = { lane: LANE, day: FIRST, entered: null, zone: null, actor: "cli:asha" };
    expect(await openDays(asked, ledger.deps())).toMatchObject({ ok: false });
    await ledger.reconcile(csv, { balances: balances() });
    expect(await openDays(asked, ledger.deps())).toMatchObject({ ok: true });
    expect(await ledger.closed(FIRST)).toMatchObject({ difference: "0.00" });
  });

  test("waits for the comparison of a statement, and refuses another time zone", async () => {
    await ledger.openAt(FIRST, 100, "Asia/Kolkata");
    const loaded = await ledger.load(csv);
    if (!loaded.ok) throw new Error("not loaded");
    expect(await ledger.close(FIRST)).toBe("unfinished_statement");
    await ledger.compare(loaded.value.statement);
    expect(await ledger.close(FIRST)).toBe("zone_differs");
  });

  test("refuses to close while a statement of the lane is being stored", async () => {
    await ledger.openAt(FIRST);
    await ledger.open.ledger.transaction(async ({ reconciliation }) => {
      await reconciliation.lockStatements(LANE);
      expect(await ledger.close(FIRST)).toBe("unfinished_statement");
    });
  });

  test("lists payouts in progress, which count on their day of settlement", async () => {
    await ledger.openAt(FIRST);
    const id = await ledger.addAccepted(5_000, `${FIRST}T10:00:00Z`);
    expect(await ledger.closed(FIRST)).toMatchObject({ open_payouts: [id] });
    await movePayout(ledger.database, { id, event: "settle", at: `${SECOND}T10:00:00Z` });
    expect(await ledger.cause(FIRST)).toBeNull();
  });

  test("compares again what has settled since the comparison", async () => {
    await ledger.openAt(FIRST);
    const [listed, unlisted] = [
      await ledger.addAccepted(5_000, `${FIRST}T10:00:00Z`),
      await ledger.addAccepted(6_000, `${FIRST}T10:00:00Z`),
    ];
    const line = {
      ...statementRow(DAY, 0),
      code: `PROPEN${listed}`,
      number: "WD1",
      amount: "50.00",
    };
    await ledger.reconcile(csvOf([...statementRowsOf(DAY), line]).csv);
    expect(await ledger.unresolved()).toEqual([`${FIRST} status`]);
    await ledger.change(`update statements set compared_at = '${FIRST}T12:00:00Z'`);
    for (const id of [listed, unlisted])
      await movePayout(ledger.database, { id, event: "settle", at: `${FIRST}T13:00:00Z` });
    const { open_breaks: open } = await ledger.closed(FIRST);
    const breaks = await ledger.unresolved();
    expect(open).toHaveLength(breaks.length);
    expect(breaks).not.toContain(`${FIRST} status`);
    expect(breaks).toContain(`${FIRST} missing_at_gateway`);
    const lines = (await ledger.audit()).filter(({ action }) => action === "reconcile");
    expect(lines.at(-1)?.facts).toEqual({ lane: LANE, day: FIRST, changed: 1, closed: 1 });
  });

  test("keeps the break of a settled payout that is on hold now", async () => {
    await ledger.openAt(FIRST);
    const id = await ledger.addAccepted(6_000, `${FIRST}T10:00:00Z`);
    await movePayout(ledger.database, { id, event: "settle", at: `${FIRST}T13:00:00Z` });
    await ledger.reconcile(csv);
    expect(await ledger.unresolved()).toEqual([`${FIRST} missing_at_gateway`]);
    await ledger.change(`update payouts set state = 'on_hold' where id = ${id}`);
    const closed = await ledger.closed(FIRST);
    expect(closed.open_breaks).toHaveLength(1);
    expect(closed.movements.payouts.count).toBe(21);
    const lines = (await ledger.audit()).filter(({ action }) => action === "reconcile");
    expect(lines.at(-1)?.facts).toEqual({ lane: LANE, day: FIRST, changed: 1, closed: 0 });
  });

  test("does not take the answer to a balance query as the closing balance", async () => {
    await ledger.openAt(FIRST);
    await ledger.change(`insert into lane_balances (lane, queried_at, reported_at, amount_minor, minor_digits)
      values ('${LANE}', now(), '${SECOND}T00:00:05Z', ${CLOSING}, 2)`);
    expect(await ledger.closed(FIRST)).toMatchObject({ observed: null });
  });
});

describe("a difference between the balances", () => {
  const short = { balances: balances(CLOSING - 500n) };

  test("has no transaction code in its event", async () => {
    await ledger.openAt(FIRST);
    await ledger.reconcile(csv, short);
    await ledger.closed(FIRST);
    await publishEvents(ledger.database);
    const wanted = { types: ["break_opened"], after: 0, limit: 50 };
    const { events } = await findEvents(ledger.database, wanted);
    const moves = events.filter((event) => event.break?.class === "unexplained_movement");
    expect(moves.map((event) => event.break?.code)).toEqual([null, null]);
  });

  test("is a break, which an adjustment by two people explains", async () => {
    await ledger.openAt(FIRST);
    await ledger.reconcile(csv, short);
    const closed = await ledger.closed(FIRST);
    const found = (await ledger.unresolved()).filter((each) => each.endsWith("movement"));
    expect(closed).toMatchObject({ difference: "-5.00" });
    expect(found).toHaveLength(2); // one of the statement's lines, and one of the ledger
    const operator = await ledger.person("operator");
    const approver = await ledger.person("approver");
    expect(await ledger.propose(FIRST, -500, operator)).toMatchObject({ ok: true });
    expect(await ledger.decide(FIRST, true, operator)).toMatchObject({ error: "own_resolution" });
    expect(await ledger.cause(FIRST)).toBeNull();
    expect(await ledger.decide(FIRST, true, approver)).toMatchObject({ ok: true });
    expect(await ledger.cause(FIRST)).toBe("adjustment");
    expect(await ledger.closed(FIRST)).toMatchObject({
      version: 2,
      difference: "0.00",
      movements: { adjustments: { amount: "-5.00", count: 1 } },
      reopened_by: { cause: "adjustment", actor: approver },
    });
    const again = await ledger.propose(FIRST, -500, operator);
    expect(again).toMatchObject({
      error: { code: "wrong_state", detail: expect.stringContaining("no difference to explain") },
    });
    const left = (await ledger.unresolved()).filter((each) => each.endsWith("movement"));
    expect(left).toHaveLength(1);
  });

  test("stays when the same statement is compared again", async () => {
    await ledger.openAt(FIRST);
    const { statement } = await ledger.reconcile(csv, short);
    await ledger.closed(FIRST);
    await ledger.compare(statement);
    expect(await ledger.cause(FIRST)).toBeNull();
    expect(await ledger.unresolved()).toHaveLength(2);
  });

  test("changes the opening balance of the next day, which is reopened", async () => {
    await ledger.openAt(BEFORE);
    await ledger.closed(BEFORE);
    await ledger.closed(FIRST);
    expect(await ledger.propose(BEFORE, 700, "cli:asha")).toMatchObject({ ok: true });
    expect(await ledger.cause(BEFORE)).toBe("adjustment");
    expect(await ledger.cause(FIRST)).toBeNull();
    expect(await ledger.close(FIRST)).toBe("already_closed");
    await ledger.closed(BEFORE);
    expect(await ledger.cause(FIRST)).toBe("opening_balance");
    expect(await ledger.closed(FIRST)).toMatchObject({ opening: decimal(OPENING + 700n) });
  });
});

test("queries the status of a settled payout that a statement lists as returned", async () => {
  await ledger.reconcile(csvOf(statementRowsOf(DAY), { late_return: 1 }).csv);
  const { rows } = await sql<{ code: string }>`
    select d.transaction_code as code from payouts p join payout_details d on d.payout_id = p.id
    where p.double_payment_check_at <= now()`.execute(ledger.database);
  expect(rows).toEqual([{ code: (await ledger.breakOf("late_return")).code }]);
});
