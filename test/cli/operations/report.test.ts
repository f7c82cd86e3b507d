import { beforeAll, expect, test } from "vitest";
import { freshLedger } from "../../support/ledger.ts";
import { LAST_DAY, REPORTED, reportedLedger } from "../../support/reports.ts";
import { runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";

let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const url = await freshLedger();
  env = withoutGateway(url, scratch());
  await reportedLedger(url);
});

const run = (...args: readonly string[]) => runHere(["report", ...args], env);
const PERIOD = ["--from", REPORTED, "--to", LAST_DAY];

test("prints results by day with grouped digits and the total of the period", async () => {
  const { stdout, stderr, code } = await run("results", ...PERIOD);
  expect(code).toBe(0);
  expect(stdout).toMatch(/ settled {2,}settled amount .* returned {2,}returned amount /);
  expect(stdout).toMatch(
    /^2026-03-01 +INR +3 +90,07,19,92,54,74,09,921\.30 +1 +0 +0\.00 +75\.00%$/m,
  );
  expect(stdout).toMatch(/^2026-03-04 +VND +0 +0 +0 +1 +5,000 +-$/m);
  expect(stdout).toMatch(/^period +VND +2 +5,500 +0 +1 +5,000 +100\.00%$/m);
  expect(stderr).toContain("2026-03-01 to 2026-03-04, days in UTC");
  const inIndia = await run("results", ...PERIOD, "--lane", "M1/INR");
  expect(inIndia.stdout).toMatch(/^2026-03-02 +INR +1 +0\.20 /m);
  expect(inIndia.stderr).toContain("days in Asia/Kolkata");
  expect((await run("results", "--days", "1")).stdout).toBe("no payouts\n");
});

test("prints fees, times and breaks", async () => {
  expect((await run("fees", ...PERIOD)).stdout).toMatch(/^2026-03-01 +INR +1\.625 +2 +1$/m);
  expect((await run("times", ...PERIOD)).stdout).toMatch(
    /^2026-03-01 +INR +3 +≤ 60 s +≤ 57600 s$/m,
  );
  const breaks = await run("breaks");
  expect(breaks.stdout).toMatch(/^amount +1 +1 +1 +1 +4$/m);
  expect(breaks.stderr).toContain("5 unresolved breaks");
  expect((await run("breaks", "--currency", "USD")).stdout).toBe("no breaks\n");
});

test("prints JSON and CSV", async () => {
  const { stdout } = await run("fees", ...PERIOD, "--zone", "UTC", "--json");
  expect(JSON.parse(stdout)).toMatchObject({
    items: [{ amount: "1.625" }, { currency: "VND" }],
    zone: "UTC",
  });
  const csv = await run("breaks", "--csv");
  expect(csv.stdout.split("\n")[0]).toBe(
    "class,count,within_1_day,within_7_days,within_30_days,older,oldest_at",
  );
  expect(csv.stdout).toMatch(/^amount,4,1,1,1,1,\d{4}-/m);
});

test("refuses wrong options", async () => {
  expect(await run("results", "--days", "x")).toMatchObject({ code: 2 });
  expect(await run("results", "--json", "--csv")).toMatchObject({ code: 2 });
  const zone = await run("results", "--zone", "Asia/Tokyo");
  expect(zone.stderr).toContain("Use one of: Asia/Kolkata, UTC");
  expect((await run("results", "--from", REPORTED)).stderr).toContain("`from`");
});
