import { expect, test } from "vitest";
import { demoStatement, endedDay } from "#cli/app/demo-day.ts";
import { environmentText } from "#cli/app/demo-environment.ts";
import { businessDay } from "#reconciliation/statement-time.ts";

const HOUR_MS = 3_600_000;

test("finds a business day that ended less than an hour ago, at every hour", () => {
  for (let hour = 0; hour < 24; hour += 1) {
    const nowMs = Date.parse("2026-03-01T00:59:59Z") + hour * HOUR_MS;
    const { day, zone, startsMs } = endedDay(nowMs);
    const { from, to } = businessDay(day, zone);
    expect([zone, startsMs]).toEqual([zone, from.getTime()]);
    expect([zone, nowMs - to.getTime()]).toEqual([zone, HOUR_MS - 1_000]);
  }
  expect(endedDay(Date.parse("2026-03-01T07:10:00Z"))).toMatchObject({
    day: "2026-02-28",
    zone: "America/Phoenix",
  });
});

test("writes a statement without times that contains one payout of the back office", () => {
  const row = { currency: "INR", code: "PR1", number: "WD19", amount: "52000", fee: "520.05" };
  const { csv, total } = demoStatement([row, { ...row, code: "PR2", number: "WD20" }]);
  expect(csv.split("\n")).toEqual([
    "Transaction No,Transaction Code,Currency,Amount,Fee,Status",
    "WD19,PR1,INR,52000,520.05,Completed",
    "WD20,PR2,INR,52000,520.05,Completed",
    "WD1000000000001,MANUAL-0001,INR,1500.00,0.00,Failed",
    "",
  ]);
  expect(total).toBe(10_504_010n);
});

test("writes settings as commands of a shell, and empties those that the demo ignores", () => {
  const text = environmentText({ REDIS_URL: "", PAYRUN_DATA: "/tmp/it's here" });
  expect(text).toBe(String.raw`export PAYRUN_DATA='/tmp/it'\''s here'` + "\nexport REDIS_URL=''\n");
});
