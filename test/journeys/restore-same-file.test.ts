import { afterEach, beforeEach, expect, test } from "vitest";
import { join } from "node:path";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { eventually } from "../support/servers/eventually.ts";
import { reportOf, startSetup, type Setup } from "../support/journey.ts";
import {
  documentOf,
  type Env,
  makeFile,
  rowsOf,
  runHere,
  startPayrun,
} from "../support/servers/payrun.ts";
import { query } from "../support/servers/postgres.ts";

/*
 * A restored ledger has no record of a paid batch, and neither has the machine. Only the query
 * before each request and the gateway protect against a second payment.
 */

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
const pay = () => payrun("pay", path, "--json", ...totals);
const unfreeze = (...more: readonly string[]) =>
  payrun("unfreeze", "--reason", "restored", "--yes", "--without-memory", ...more);
const events = async (wanted: string) =>
  (await setup.gateway.log()).filter(({ event }) => event === wanted).length;

/** Copies the ledger in its current state, as a dump does. */
async function copyLedger(): Promise<string> {
  const { DATABASE_URL = "" } = env;
  const name = `same_file_${process.pid}_${(copies += 1)}`;
  const admin = Object.assign(new URL(DATABASE_URL), { pathname: "/payrun" }).href;
  const original = new URL(DATABASE_URL).pathname.slice(1);
  await query(admin, `create database ${name} template ${original}`);
  return Object.assign(new URL(DATABASE_URL), { pathname: `/${name}` }).href;
}

/** Pays the file, then restores the copy from before on a machine without a record of files. */
async function loseTheBatch(): Promise<void> {
  expect((await payrun("batch", "list")).code).toBe(0);
  const copy = await copyLedger();
  const paid = await pay();
  expect(documentOf(paid)).toMatchObject({ state: "finished", states: { settled: ROWS } });
  expect(await events("accepted")).toBe(ROWS);
  env = { ...env, DATABASE_URL: copy, PAYRUN_DATA: join(setup.folder, "new machine") };
}

test("F26 sends no row again of a file that the lost history paid, without a file record", async () => {
  await loseTheBatch();
  expect((await payrun("doctor")).stdout).toMatch(/frozen/);
  expect((await unfreeze()).code).toBe(0);

  const again = await pay();
  const { batch_id: id, state, states } = documentOf(again);
  expect({ state, states }).toEqual({ state: "finished", states: { settled: ROWS } });
  expect(await events("accepted")).toBe(ROWS);
  expect(differences(await reportOf(id, env), await setup.gateway.log())).toEqual(NO_DIFFERENCE);
  const flagged = await query<{ n: number }>(
    env["DATABASE_URL"] ?? "",
    "select count(*)::int as n from payouts where reason = 'duplicate_matched' and state = 'settled'",
  );
  // A payout whose answer came too late is in doubt and is sent again. It needs no flag.
  expect(flagged[0]?.n).toBeGreaterThan(ROWS / 2);
});

test("F26 finds a file uploaded to the frozen ledger at the gateway before anything is sent", async () => {
  await loseTheBatch();
  const { requests } = await setup.gateway.summary();
  const { batch_id: id } = documentOf(await pay());
  const worker = startPayrun(["worker"], env);
  await eventually("every payout is asked for", async () =>
    (await reportOf(id, env)).every(({ state }) => state === "on_hold"),
  );
  await worker.end("SIGTERM");
  expect((await unfreeze("--release", id)).code).toBe(0);
  await pay();

  expect((await setup.gateway.summary()).requests).toBe(requests);
  expect(await events("accepted")).toBe(ROWS);
  const states = await query<{ state: string; reason: string; n: number }>(
    env["DATABASE_URL"] ?? "",
    "select state, reason, count(*)::int as n from payouts group by state, reason",
  );
  expect(states).toEqual([{ state: "on_hold", reason: "known_before_sent", n: ROWS }]);
});
