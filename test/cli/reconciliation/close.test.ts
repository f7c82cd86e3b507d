import { beforeAll, expect, test } from "vitest";
import { freshLedger } from "../../support/ledger.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";
import { runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";

const { lane, day } = SETTLED_DAY;
const OF_DAY = [day, "--lane", lane];
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const url = await freshLedger();
  env = withoutGateway(url, scratch());
  await settledDayWith(url, {});
});

const run = (...args: readonly string[]) => runHere(["close", ...args], env);

test("closes, adjusts and reopens a day, and lists it", async () => {
  expect((await run("day", ...OF_DAY)).stderr).toContain("no opening balance");
  const reason = ["--reason", "bank statement"];
  const opened = await run("open", ...OF_DAY, "--balance", "10000.00", ...reason);
  expect(opened.stdout).toMatch(/^opening balance +10,000\.00 +INR/m);
  const closed = await run("day", ...OF_DAY);
  expect(closed.code).toBe(0);
  expect(closed.stdout).toMatch(/^M1\/INR, 2026-11-26 \(UTC\): closed$/m);
  expect(closed.stdout).toContain("Closed, balance not observed");
  expect(closed.stdout).toMatch(/^closing balance, observed +not observed/m);

  const adjusted = await run("adjust", ...OF_DAY, "--amount", "-5.00", ...reason);
  expect(adjusted.stdout).toMatch(/: reopened$/m);
  expect(adjusted.stdout).toContain("An adjustment was confirmed.");
  expect((await run("day", ...OF_DAY)).stdout).toMatch(/^± adjustments +-5\.00 +INR +1/m);
  const old = await run("show", ...OF_DAY, "--version-number", "1", "--json");
  expect(JSON.parse(old.stdout)).toMatchObject({ version: 1, versions: [{ version: 2 }, {}] });
  expect((await run("reopen", ...OF_DAY, "--reason", "wrong balance")).stdout).toMatch(
    /: reopened$/m,
  );
  expect((await run("show", day, "--lane", "inr")).stdout).toContain("M1/INR, 2026-11-26 (UTC)");
  expect((await run("list", "2026-11", "--lane", "INR")).stdout).toContain("reopened");
  const listed = await run("list", "2026-11");
  expect(listed.stdout).toMatch(/^2026-11-26 +M1\/INR +reopened +2 /m);
  expect(listed.stdout).toContain("M1/INR: next day to close 2026-11-26");
});

test("refuses an unknown lane, day, version and amount", async () => {
  const unknown = await run("show", day, "--lane", "THB");
  expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining("Lane THB") });
  expect((await run("show", "2026-11-25", "--lane", lane)).code).toBe(4);
  expect((await run("show", ...OF_DAY, "--version-number", "x")).code).toBe(2);
  const more = ["--amount", "1.001", "--reason", "rounding"];
  expect((await run("adjust", ...OF_DAY, ...more)).stderr).toContain("Invalid input");
});
