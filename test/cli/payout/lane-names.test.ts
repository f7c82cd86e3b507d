import { beforeAll, expect, test } from "vitest";
import { freshLedger } from "../../support/ledger.ts";
import { reportedLedger } from "../../support/reports.ts";
import { query } from "../../support/servers/postgres.ts";
import { runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";

const NAMED = "INR · Mumbai office (M1/INR)";

let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const url = await freshLedger();
  env = withoutGateway(url, scratch());
  await reportedLedger(url);
  await query(
    url,
    `insert into payrun.merchant_accounts (merchant_code, name, set_by)
     values ('M1', 'Mumbai office', 'cli:asha')`,
  );
});

const run = (...args: readonly string[]) => runHere(args, env);
const WHY = ["--reason", "new contract"] as const;

test("prints the name of a lane as the dashboard does, with its code", async () => {
  const printed = async (...args: readonly string[]) => (await run(...args)).stdout;
  expect(await printed("lane", "pause", "M1/INR", ...WHY)).toContain(`${NAMED}: paused.`);
  expect(await printed("lane", "list")).toMatch(/^M1\/INR +INR · Mumbai office +paused /m);
  expect(await printed("lane", "resume", "M1/INR", ...WHY)).toBe(`${NAMED}: resumed\n`);
  expect(await printed("lane", "show", "M1/INR")).toContain(`${NAMED} is open`);
  expect(await printed("breaks", "list")).toMatch(/ M1\/INR +INR · Mumbai office +amount /);
  expect(await printed("breaks", "show", "1")).toMatch(/^lane +INR · Mumbai office \(M1\/INR\)$/m);
});

test("prints only the code of a lane whose merchant account has no name", async () => {
  const { stdout } = await run("lane", "pause", "all", ...WHY);
  expect(stdout).toMatch(/^all: paused\./);
  expect((await run("lane", "resume", "all", ...WHY)).stdout).toBe("all: resumed\n");
});

test.each(["limit", "set"])("limits a lane with lane %s", async (name) => {
  const { stdout } = await run("lane", name, "M1/INR", "--rate", "20/s", ...WHY);
  expect(stdout).toBe(`${NAMED}: at most 20 payouts per second\n`);
});
