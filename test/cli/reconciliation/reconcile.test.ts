import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { freshLedger } from "../../support/ledger.ts";
import { runHere, scratch, withoutGateway } from "../../support/servers/payrun.ts";
import { settledDayWith } from "../../support/reconciliation/statement-of-day.ts";

const folder = scratch();
const file = join(folder, "statement.csv");
const DAY = ["--lane", "INR", "--day", "2026-11-26"];
let env: Readonly<Record<string, string>>;
beforeAll(async () => {
  const url = await freshLedger();
  env = withoutGateway(url, folder);
  writeFileSync(file, await settledDayWith(url, { missing: 1, plus_one: 1 }));
});

const run = (...args: readonly string[]) => runHere(args, env);

test("shows the mapping, and loads nothing before it is confirmed", async () => {
  const { code, stdout, stderr } = await run("reconcile", file, ...DAY);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^code +Transaction Code +transaction code of payrun$/m);
  expect(stderr).toContain("--confirm-mapping");
  expect(stderr).toContain("The statement was not loaded.");
});

test("refuses a word, zone, style or day that it does not know", async () => {
  const refused = async (...more: readonly string[]) =>
    (await run("reconcile", file, "--lane", "INR", ...more)).stderr;
  expect(await refused("--day", "2026-02-30")).toContain("is not a date");
  expect(await refused("--day", "2026-11-26", "--column", "A=b")).toContain(
    '"A=b" is not a column',
  );
  expect(await refused("--day", "2026-11-26", "--zone", "Mars")).toContain("is not a time zone");
  expect(await refused("--day", "2026-11-26", "--amounts", "x")).toContain("is not a known style");
  expect(await refused("--day", "2026-11-26", "--opening", "1.001")).toContain(
    "must be an amount in INR with at most 2 decimals",
  );
});

test("compares a statement, and reports each class of break", async () => {
  const { code, stdout } = await run("reconcile", file, ...DAY, "--confirm-mapping");
  expect(stdout).toContain("M1/INR, 2026-11-26: 9 lines, mapping 1");
  expect(stdout).toMatch(/^1 +missing_at_gateway +The ledger shows/m);
  expect(stdout).toMatch(/^1 +amount +/m);
  expect(code).toBe(3);
});

test("lists, shows, comments on and resolves breaks", async () => {
  const listed = await run("breaks", "list", "--class", "amount", "--json");
  const [{ id }] = JSON.parse(listed.stdout);
  expect((await run("breaks", "list")).stdout.trim().split("\n")).toHaveLength(3);
  expect((await run("breaks", "comment", String(id), "Asked support")).stdout).toMatch(
    /commented .*Asked support/,
  );
  const resolved = await run("breaks", "propose", String(id), "--reason", "Rounded by the bank");
  expect(resolved.stdout).toMatch(/^state +resolved$/m);
  expect((await run("breaks", "show", String(id))).stdout).toMatch(/resolved .*Rounded/);
  expect((await run("breaks", "show", "9999")).code).toBe(4);
});

test("reads a mapping from the command line, and reports unreadable rows", async () => {
  const foreign = join(folder, "foreign.csv");
  writeFileSync(foreign, "Ref;Betrag;Zustand\nX1;1.234,50;erledigt\nX2;1.00;?\n");
  const given = ["--column", "Ref=code", "--column", "Betrag=amount", "--column", "Zustand=status"];
  const more = ["--word", "erledigt=completed", "--amounts", "1.234,56", "--confirm-mapping"];
  const { code, stdout } = await run("reconcile", foreign, ...DAY, ...given, ...more);
  expect(code).toBe(3);
  expect(stdout).toMatch(/^3 +Betrag +an amount such as 1\.234,56 +1\.00$/m);
  expect(stdout).toMatch(/^3 +Zustand +one of erledigt, .* +\?$/m);
});
