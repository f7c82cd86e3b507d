import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startSetup, type Setup } from "../support/journey.ts";
import { documentOf, type Env, makeFile, rowsOf, runHere } from "../support/servers/payrun.ts";
import { query } from "../support/servers/postgres.ts";

/* A copy that lacks a paid batch replaces the ledger, and the same file is uploaded again. */

const ROWS = 40;

let setup: Setup;
let env: Env;
let path: string;
let totals: readonly string[];
let copies = 0;

beforeEach(async () => {
  setup = await startSetup("postgres", { settleMs: 50 });
  env = { ...setup.env, PAYRUN_DATA: join(setup.folder, "data") };
  ({ path, totals } = makeFile(setup.folder, rowsOf(ROWS)));
});
afterEach(() => setup.stop());

const payrun = (...words: readonly string[]) => runHere(words, env);
const pay = (...more: readonly string[]) => payrun("pay", path, "--json", ...totals, ...more);
const accepted = async () =>
  (await setup.gateway.log()).filter(({ event }) => event === "accepted").length;

/** Copies the ledger in its current state, as a dump does. */
async function copyLedger(): Promise<string> {
  const { DATABASE_URL = "" } = env;
  const name = `copy_${process.pid}_${(copies += 1)}`;
  const original = new URL(DATABASE_URL).pathname.slice(1);
  const admin = Object.assign(new URL(DATABASE_URL), { pathname: "/payrun" }).href;
  await query(admin, `create database ${name} template ${original}`);
  return Object.assign(new URL(DATABASE_URL), { pathname: `/${name}` }).href;
}

/**
 * Pays the file and replaces the ledger with the copy from before. Returns the id of the lost
 * batch.
 */
async function loseTheBatch(): Promise<string> {
  expect((await payrun("doctor")).stdout).toMatch(/epoch 1/);
  const copy = await copyLedger();
  const paid = await pay();
  expect(paid.code).toBe(0);
  expect(await accepted()).toBe(ROWS);
  env = { ...env, DATABASE_URL: copy };
  return documentOf(paid).batch_id;
}

const thaw = (...more: readonly string[]) =>
  payrun("unfreeze", "--reason", "the gateway's list was compared", "--yes", ...more);
const idIn = (words: string): string =>
  /Batch (B[0-9A-Z]{10}) is in quarantine/.exec(words)?.[1] ?? "";

test("F26 does not pay a file that a restored ledger has forgotten without a decision", async () => {
  const lost = await loseTheBatch();
  const again = await pay();
  expect(again.code).toBe(8);
  const id = idIn(again.stderr);
  expect(again.stderr).toMatch(/uploaded while the ledger was frozen/);
  expect(again.stderr).toContain(`batch ${lost} (${basename(path)}, uploaded `);
  expect(again.stderr).toMatch(
    /40 of its payouts are also in batch .* could pay its payouts a second time/s,
  );
  // The last lines name the danger, and no command that would cause it.
  expect(again.stderr).not.toMatch(/payrun unfreeze|payrun batch/);

  const yesAlone = await thaw();
  expect(yesAlone.code).toBe(2);
  expect(yesAlone.stderr).toContain(`--acknowledge-lost ${lost}`);
  expect(yesAlone.stderr).toContain(`--keep ${id} or --release ${id}`);
  expect(yesAlone.stderr).toMatch(/INR 4,000.00/);
  expect((await thaw("--acknowledge-lost", basename(path))).code).toBe(2);
  expect((await thaw("--acknowledge-lost", basename(path), "--release", "B0000000000")).code).toBe(
    2,
  );
  expect((await payrun("doctor")).code).toBe(8);
  expect((await thaw("--acknowledge-lost", basename(path), "--keep", id)).code).toBe(0);

  expect(await pay()).toMatchObject({ code: 8, stderr: expect.stringContaining(id) });
  const approval = await payrun("batch", "approve", id, ...totals);
  expect(approval).toMatchObject({ code: 8, stderr: expect.stringMatching(/in quarantine/) });
  expect((await payrun("batch", "show", id)).stdout).toMatch(/in quarantine/);
  expect(await accepted()).toBe(ROWS);
  expect((await payrun("audit", "verify")).code).toBe(0);

  const word = ["--reason", "the gateway does not show these payouts"];
  expect((await payrun("batch", "release-quarantine", id, ...word)).code).toBe(0);
  const { code, stderr } = await payrun("batch", "approve", id, ...totals);
  expect([code, stderr]).toEqual([5, expect.stringMatching(/may be a second payment/)]);
  const seen = (stderr.match(/--acknowledge \S+?=\d+/g) ?? []).flatMap((each) => each.split(" "));
  expect((await payrun("batch", "approve", id, ...totals, ...seen)).code).toBe(0);
});

test("F26 recognises the same file after the unfreeze, even re-ordered and in another encoding", async () => {
  const lost = await loseTheBatch();
  expect((await thaw("--acknowledge-lost", lost)).code).toBe(0);
  const again = await pay();
  expect(again).toMatchObject({
    code: 8,
    stderr: expect.stringContaining(`The same file was previously uploaded as batch ${lost}`),
  });

  const [header = "", ...rows] = readFileSync(path, "utf8").trim().split("\n");
  const text = [header, ...rows.toReversed(), ""].join("\r\n");
  path = join(setup.folder, "again.csv");
  writeFileSync(path, Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")]));
  const sorted = await pay();
  expect(sorted).toMatchObject({
    code: 8,
    stderr: expect.stringMatching(/40 of its payouts are also in/),
  });

  writeFileSync(path, [header, rows[3], rows[7], ""].join("\n"));
  const two = await payrun("pay", path, "--total", "INR=200.00", "--no-wait");
  expect(two).toMatchObject({
    code: 8,
    stderr: expect.stringMatching(/2 of its payouts are also in/),
  });
  expect(await accepted()).toBe(ROWS);
});

test("F26 requires a person's statement when the record of files is lost as well, and quarantines uploads to the frozen ledger", async () => {
  await loseTheBatch();
  rmSync(env["PAYRUN_DATA"] ?? "", { recursive: true });
  const again = await pay();
  expect(again.code).toBe(8);
  const id = idIn(again.stderr);
  const refused = await thaw("--keep", id);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(
    /file that was paid in the lost history is uploaded again, payrun cannot recognise it/,
  );
  expect(refused.stderr).toMatch(/--without-memory/);
  expect((await thaw("--keep", id, "--without-memory")).code).toBe(0);
  expect((await pay()).code).toBe(8);
  expect(await accepted()).toBe(ROWS);
});
