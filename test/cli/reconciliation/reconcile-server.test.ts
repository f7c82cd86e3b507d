/** `payrun reconcile`, `breaks` and `close` with a server instead of the local ledger. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { KEY_SCOPES } from "#people/roles.ts";
import { workingKey } from "../../support/dashboard/server.ts";
import { startSetup, type Setup } from "../../support/journey.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { SETTLED_DAY, settledDayWith } from "../../support/reconciliation/statement-of-day.ts";
import { runHere, type Running, startPayrun } from "../../support/servers/payrun.ts";

const { lane, day } = SETTLED_DAY;
let setup: Setup;
let ledger: TestLedger;
let server: Running;
let flags: readonly string[];
let file: string;

beforeAll(async () => {
  setup = await startSetup("postgres");
  const url = setup.env["DATABASE_URL"] ?? "";
  file = join(setup.folder, "statement.csv");
  writeFileSync(file, await settledDayWith(url, { missing: 1, plus_one: 1 }));
  server = startPayrun(["serve", "--no-workers"], { ...setup.env, PORT: "0" });
  const [, address = ""] = await server.says(/listening at (http:[^\s,;]+)/);
  ledger = await openTestLedger(url);
  const world = { database: ledger.database, clock: systemClock };
  const { token } = await workingKey(world, KEY_SCOPES);
  const keyFile = join(setup.folder, "key");
  writeFileSync(keyFile, `${token.reveal()}\n`, { mode: 0o600 });
  flags = ["--server", address, "--api-key-file", keyFile];
});
afterAll(async () => {
  await server.end("SIGTERM");
  await ledger.close();
  await setup.stop();
});

const here = (...args: readonly string[]) => runHere(args, setup.env);
const there = (...args: readonly string[]) => runHere([...args, ...flags]);
const reconcile = ["reconcile", "", "--lane", "INR", "--day", day];
const withFile = (...more: readonly string[]) => reconcile.with(1, file).concat(more);

test("shows the mapping that a signed-in person must store", async () => {
  const { code, stdout, stderr } = await there(...withFile("--confirm-mapping"));
  expect(code).toBe(3);
  expect(stdout).toMatch(/^code +Transaction Code +transaction code of payrun$/m);
  expect(stderr).toContain("API keys cannot store a mapping.");
  expect(stderr).toContain("/reconciliation/upload");
  const { stdout: json } = await there(...withFile("--json"));
  expect(JSON.parse(json)).toMatchObject({
    kind: "mapping_unconfirmed",
    mapping: { amountStyle: "plain", payoutSign: "none", zone: "UTC" },
    missing: [],
  });
});

test("compares a statement with the same result as on the ledger's machine", async () => {
  const local = await here(...withFile("--confirm-mapping", "--json"));
  const { code, stdout } = await there(...withFile("--json"));
  expect([local.code, code]).toEqual([3, 3]);
  const { statement, comparison } = JSON.parse(stdout);
  const first = JSON.parse(local.stdout);
  expect(statement).toEqual({ ...first.statement, is_new: false });
  expect(comparison).toEqual(first.comparison);
  expect(comparison.breaks).toEqual({ missing_at_gateway: 1, amount: 1 });
  expect((await there(...withFile())).stdout).toContain(`${lane}, ${day}: 9 lines, mapping 1`);
});

test("reports unreadable rows and options as on the ledger's machine", async () => {
  const bad = join(setup.folder, "bad.csv");
  const header = "Transaction No,Transaction Code,Currency,Amount,Fee,Status,Completed At";
  writeFileSync(bad, `${header}\nWD1,PR1,INR,x,1,Completed,2026-11-26\n`);
  const args = ["reconcile", bad, "--lane", lane, "--day", day];
  const [local, remote] = [await here(...args), await there(...args)];
  expect(remote.stdout).toBe(local.stdout);
  expect([remote.code, remote.stdout]).toEqual([3, expect.stringContaining("Amount")]);
  expect((await there(...withFile("--zone", "Mars"))).stderr).toContain("is not a time zone");
  expect((await there(...withFile("--opening", "1.001"))).code).toBe(2);
  expect((await there("reconcile", file, "--lane", "M9/INR", "--day", day)).code).toBe(4);
});

test("lists breaks and days of the server", async () => {
  const [breaks, ownBreaks] = [await there("breaks", "list"), await here("breaks", "list")];
  expect(breaks.stdout).toBe(ownBreaks.stdout);
  expect(breaks.stdout.trim().split("\n")).toHaveLength(3);
  const [id = ""] = breaks.stdout.trim().split("\n")[1]?.split(" ") ?? [];
  expect((await there("breaks", "show", id)).stdout).toMatch(/^state +open$/m);
  expect((await there("close", "list", "2026-11")).stdout).toContain("no closed days");
});
