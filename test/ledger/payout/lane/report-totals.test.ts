/** Totals of reports: equal before and after they are stored, and in the zone of the lane. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dailyTotals } from "#app/daily-totals.ts";
import {
  findLaneZones,
  findReportTotals,
  type ReportTotal,
  storeReportDays,
} from "#ledger/payout/lane/report-totals.ts";
import { openTestLedger, type TestLedger } from "../../../support/ledger.ts";
import { force, query } from "../../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
  await force(open.url, BATCH);
  await force(open.url, PAYOUTS);
  await force(open.url, TRANSITIONS);
});
afterAll(() => open.close());

const BATCH = `
  insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id,
      created_at, approved_at)
    values ('B1', 'D1', 'C1', 'a.csv', 'finished', 6, 0, '{}', 1, 6, '2026-03-01Z', '2026-03-01 10:00Z');
  insert into batch_lanes (batch_id, lane, currency, minor_digits, rows, total_minor)
    values ('B1', 'M/INR', 'INR', 2, 4, 1), ('B1', 'M/VND', 'VND', 0, 2, 1)`;

/** Payout 2 settles at 20:00 UTC, which is the next day in India. Payout 5 is returned later. */
const PAYOUTS = `
  insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state,
      first_sent_at, settled_at)
    select id, 'B1', id, lane, split_part(lane, '/', 2), amount, digits, '', state, now(), settled::timestamptz
    from (values (1, 'M/INR', 10, 2, 'settled', '2026-03-01 10:00:04Z'), (2, 'M/INR', 20, 2, 'settled', '2026-03-01 20:00Z'),
      (3, 'M/INR', 70, 2, 'declined', null), (4, 'M/INR', 30, 2, 'on_hold', '2026-03-02 12:00Z'),
      (5, 'M/VND', 5000, 0, 'returned', '2026-03-01 10:59Z'), (6, 'M/VND', 900, 0, 'accepted', null))
      made (id, lane, amount, digits, state, settled)`;

const TRANSITIONS = `
  insert into transitions (payout_id, seq, event, from_state, to_state, actor, at)
    values (3, 4, 'decline', 'accepted', 'declined', 'x', '2026-03-01 18:29:59Z'),
      (4, 5, 'hold', 'settled', 'on_hold', 'x', '2026-03-02 13:00Z'),
      (5, 5, 'return', 'settled', 'returned', 'x', '2026-03-04 00:00Z')`;

const MARCH = { from: "2026-03-01", to: "2026-03-31" };
const shortly = ({ day, lane, state, payouts, seconds, sum }: ReportTotal) =>
  `${day} ${lane} ${state} ${payouts} ${sum.minor}/${sum.minorDigits} ${seconds}s`;
const totals = async (zone: string, rest = {}) =>
  (await findReportTotals(open.database, { ...MARCH, zone, ...rest })).map(shortly);

const IN_INDIA = [
  "2026-03-01 M/INR declined 1 70/2 0s",
  "2026-03-01 M/INR settled 1 10/2 5s",
  "2026-03-01 M/VND settled 1 5000/0 3600s",
  "2026-03-02 M/INR settled 1 20/2 57600s",
  "2026-03-02 M/INR settled 1 30/2 172800s",
  "2026-03-04 M/VND returned 1 5000/0 0s",
];

describe("report totals", () => {
  test("count each result on its day in the zone, whatever happened later", async () => {
    expect(await totals("Asia/Kolkata")).toEqual(IN_INDIA);
    const inUtc = await totals("UTC");
    expect(inUtc).toContain("2026-03-01 M/INR settled 1 20/2 57600s");
    expect(inUtc).toHaveLength(IN_INDIA.length);
    expect(await totals("UTC", { lane: "M/VND" })).toHaveLength(2);
    expect(await totals("UTC", { currency: "INR" })).toHaveLength(4);
    expect(await totals("UTC", { from: "2026-03-03" })).toEqual([
      "2026-03-04 M/VND returned 1 5000/0 0s",
    ]);
  });

  test("are the same after they are stored, by several processes at once", async () => {
    while ((await storeReportDays(open.database, "Asia/Kolkata", 200)) === 200);
    await Promise.all([1, 2, 3].map(() => storeReportDays(open.database, "UTC", 400)));
    const stored = await query(open.url, "select count(*)::int as rows from report_totals");
    expect(stored[0]?.["rows"]).toBe(2 * IN_INDIA.length);
    expect(await totals("Asia/Kolkata")).toEqual(IN_INDIA);
  });

  test("are read from the stored days", async () => {
    await force(open.url, "update report_totals set payouts = 7 where lane = 'M/VND'");
    expect(await totals("Asia/Kolkata", { lane: "M/VND" })).toEqual([
      "2026-03-01 M/VND settled 7 5000/0 3600s",
      "2026-03-04 M/VND returned 7 5000/0 0s",
    ]);
  });

  test("store no day that ended within the last 24 hours", async () => {
    const days = await query(
      open.url,
      "select max(day)::text as last from report_days where zone = 'UTC'",
    );
    const limit = new Date(Date.now() - 48 * 3_600_000).toISOString().slice(0, 10);
    expect(days).toEqual([{ last: limit }]);
  });

  test("cannot be changed", async () => {
    const edit = query(open.url, "update report_totals set payouts = 1");
    await expect(edit).rejects.toThrow("report_totals");
  });
});

test("a lane's zone is that of its daily close, then of its statements, then UTC", async () => {
  const zones = async () =>
    (await findLaneZones(open.database)).map(({ lane, zone }) => `${lane} ${zone}`);
  expect(await zones()).toEqual(["M/INR UTC", "M/VND UTC"]);
  const mapping = (version: number, zone: string) =>
    force(
      open.url,
      `insert into statement_mappings (merchant_code, currency, version, columns, words, amount_style, payout_sign, zone, actor)
       values ('M', 'INR', ${version}, '{}', '{}', 'plain', 'none', '${zone}', 'cli:x')`,
    );
  await mapping(1, "Asia/Tokyo");
  await mapping(2, "Asia/Kolkata");
  expect(await zones()).toEqual(["M/INR Asia/Kolkata", "M/VND UTC"]);
  await force(
    open.url,
    `insert into opening_balances (lane, day, zone, amount_minor, minor_digits, reason, actor)
     values ('M/INR', '2026-03-01', 'Asia/Dubai', 0, 2, 'start', 'cli:x')`,
  );
  expect(await zones()).toEqual(["M/INR Asia/Dubai", "M/VND UTC"]);
});

test("the maintenance stores the days of every zone in small steps", async () => {
  const problems: unknown[] = [];
  const keep = dailyTotals(open.database, { error: (problem: unknown) => problems.push(problem) });
  const count = async () => {
    const [row] = await query(
      open.url,
      "select count(*)::int as days from report_days where zone = 'Asia/Dubai'",
    );
    return row?.["days"];
  };
  const nowMs = Date.now();
  await keep(nowMs);
  expect(await count()).toBe(3);
  await keep(nowMs);
  expect(await count()).toBe(6);
  expect(problems).toEqual([]);
});
