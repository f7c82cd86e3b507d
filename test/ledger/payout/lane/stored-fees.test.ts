/** Stored fees of finished days: equal to the counted ones, also after a fee has changed. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { findDailyFees } from "#ledger/payout/lane/daily-fees.ts";
import { storeReportDays } from "#ledger/payout/lane/report-totals.ts";
import { recountChangedFees, storeFeeDays } from "#ledger/payout/lane/stored-fees.ts";
import { openTestLedger, type TestLedger } from "../../../support/ledger.ts";
import { force, query } from "../../../support/servers/postgres.ts";

let open: TestLedger;
beforeAll(async () => {
  open = await openTestLedger();
  await force(open.url, BATCH);
  await force(open.url, PAYOUTS);
});
afterAll(() => open.close());

const BATCH = `
  insert into batches (id, digest, content_digest, file_name, state, rows, rejected, facts, first_id, last_id,
      created_at, approved_at)
    values ('B1', 'D1', 'C1', 'a.csv', 'finished', 4, 0, '{}', 1, 4, '2026-03-01Z', '2026-03-01 10:00Z')`;

/** Payout 2 settles at 20:00 UTC, which is the next day in India. */
const PAYOUTS = `
  insert into payouts (id, batch_id, line, lane, currency, amount_minor, minor_digits, payload_digest, state,
      first_sent_at, settled_at, fee_minor, fee_digits)
    overriding system value
    select id, 'B1', id, 'M/INR', 'INR', 100, 2, '', 'settled', now(), settled::timestamptz, fee, digits
    from (values (1, '2026-03-01 10:00:04Z', 150, 2), (2, '2026-03-01 20:00Z', 25, 1),
      (3, '2026-03-01 11:00Z', null, null), (4, '2026-03-02 12:00Z', 300, 2)) made (id, settled, fee, digits)`;

const feesIn = async (zone: string) =>
  (await findDailyFees(open.database, { from: "2026-02-27", to: "2026-03-05", zone })).map(
    ({ day, payouts, withoutFee, fee }) =>
      `${day} ${payouts}+${withoutFee} ${fee?.minor}/${fee?.minorDigits}`,
  );
const UTC = ["2026-03-01 2+1 400/2", "2026-03-02 1+0 300/2"];
const INDIA = ["2026-03-01 1+1 150/2", "2026-03-02 2+0 550/2"];
const both = async () => [await feesIn("UTC"), await feesIn("Asia/Kolkata")];
const stored = () => query(open.url, "select zone, day, fee_digits from report_fees");

test("returns the same fees before and after they are stored", async () => {
  expect(await both()).toEqual([UTC, INDIA]);
  for (const zone of ["UTC", "Asia/Kolkata"]) {
    while ((await storeReportDays(open.database, zone, 100)) === 100);
    while ((await storeFeeDays(open.database, zone, 100)) === 100);
    expect(await storeFeeDays(open.database, zone, 100)).toBe(0);
  }
  expect(await stored()).toHaveLength(8);
  expect(await both()).toEqual([UTC, INDIA]);
});

test("reads the stored fees, and not the payouts", async () => {
  await force(
    open.url,
    "update report_fees set fee_minor = 777 where day = '2026-03-02' and zone = 'UTC'",
  );
  expect(await feesIn("UTC")).toEqual([UTC[0], "2026-03-02 1+0 777/2"]);
  await force(
    open.url,
    "update report_fees set fee_minor = 300 where day = '2026-03-02' and zone = 'UTC'",
  );
});

test("counts a changed fee at once, and stores the days again", async () => {
  await query(open.url, "update payouts set fee_minor = 90 where id = 2");
  const changed = [
    ["2026-03-01 2+1 1050/2", UTC[1]],
    [INDIA[0], "2026-03-02 2+0 1200/2"],
  ];
  expect(await both()).toEqual(changed);
  await recountChangedFees(open.database);
  expect(await query(open.url, "select from changed_fees")).toEqual([]);
  expect(await both()).toEqual(changed);
  expect(await stored()).toHaveLength(8);
});
