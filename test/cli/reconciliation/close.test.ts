import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freshLedger, openTestLedger } from "../../support/ledger.ts";
import { movePayout } from "../../support/reconciliation/day-ledger.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";
import { runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

const { lane, day } = SETTLED_DAY;
const OF_DAY = [day, "--lane", lane];
let url: string;
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  url = await freshLedger();
  env = withoutGateway(url, scratch());
  await settledDayWith(url, {});
});

const run = (...args: readonly string[]) => runHere(["close", ...args], env);

test("closes, adjusts and reopens a day, and lists it", async () => {
  expect((await run("day", ...OF_DAY)).stderr).toContain("no opening balance");
  const listed = await run("open", ...OF_DAY);
  expect(listed.stderr).toContain("The day has no statement with balances. Enter the balance.");
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
  expect(adjusted.stdout).toMatch(/An adjustment was confirmed: \d+$/m);
  expect((await run("day", ...OF_DAY)).stdout).toMatch(/^± adjustments +-5\.00 +INR +1/m);
  const old = await run("show", ...OF_DAY, "--version-number", "1", "--json");
  expect(JSON.parse(old.stdout)).toMatchObject({ version: 1, versions: [{ version: 2 }, {}] });
  expect((await run("reopen", ...OF_DAY, "--reason", "wrong balance")).stdout).toMatch(
    /: reopened$/m,
  );
  expect((await run("show", day, "--lane", "inr")).stdout).toContain("M1/INR, 2026-11-26 (UTC)");
  expect((await run("list", "2026-11", "--lane", "INR")).stdout).toContain("reopened");
  const all = await run("list", "2026-11");
  expect(all.stdout).toMatch(/^2026-11-26 +M1\/INR +reopened +2 /m);
  expect(all.stdout).toContain("M1/INR: next day to close 2026-11-26");
});

test("takes the opening balance of a lane from its statement", async () => {
  const folder = scratch();
  const ledger = await freshLedger();
  const file = join(folder, "statement.csv");
  writeFileSync(file, await settledDayWith(ledger, {}));
  const here = withoutGateway(ledger, folder);
  const balances = ["--opening", "10000.00", "--closing", "9000.00", "--confirm-mapping"];
  await runHere(["reconcile", file, "--lane", lane, "--day", day, ...balances], here);
  const { code, stdout } = await runHere(["close", "open", ...OF_DAY], here);
  expect(stdout).toMatch(/^opening balance +10,000\.00 +INR/m);
  expect(code).toBe(0);
});

test("names the late return that reopened a day", async () => {
  const closed = await run("day", ...OF_DAY);
  expect(closed.stdout).toMatch(/: closed$/m);
  const open = await openTestLedger(url);
  await movePayout(open.database, { id: 1, event: "return", at: "2026-11-27T09:00:00Z" });
  await open.close();
  const [{ code } = { code: "" }] = await query<{ code: string }>(
    url,
    "select transaction_code as code from payrun.payout_details where payout_id = 1",
  );
  const named = `A payout that had settled on or before this day was returned: ${code}`;
  expect((await run("show", ...OF_DAY)).stdout).toMatch(
    new RegExp(`^  reopened at [\\d: -]+ UTC: ${named}$`, "m"),
  );
  expect((await run("list", "2026-11")).stdout).toContain(named);
  expect((await run("day", ...OF_DAY)).stdout).toMatch(/: closed$/m);
});

test("refuses an unknown lane, day, version and amount", async () => {
  const unknown = await run("show", day, "--lane", "THB");
  expect(unknown).toMatchObject({ code: 4, stderr: expect.stringContaining("Lane THB") });
  expect((await run("show", "2026-11-25", "--lane", lane)).code).toBe(4);
  expect((await run("show", ...OF_DAY, "--version-number", "x")).code).toBe(2);
  const more = ["--amount", "1.001", "--reason", "rounding"];
  expect((await run("adjust", ...OF_DAY, ...more)).stderr).toContain("Invalid input");
});
