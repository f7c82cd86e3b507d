import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { eventually } from "../support/servers/eventually.ts";
import { reportOf, startSetup, type Setup } from "../support/journey.ts";
import { approvedBatch, claimOf, openTestLedger, ownPostgres } from "../support/ledger.ts";
import {
  documentOf,
  type Ended,
  type Env,
  makeFile,
  rowsOf,
  runHere,
  startPayrun,
} from "../support/servers/payrun.ts";
import { query } from "../support/servers/postgres.ts";

/*
 * Scenario tests: the ledger's files are restored to an earlier moment, after payouts that they do
 * not contain were sent.
 */

const postgres = ownPostgres();

const ROWS = 200;
/** Slow enough that something can happen in the middle. */
const SLOW = [{ fault: "slow", delay_ms: 250 }];

let setup: Setup;
let env: Env;
let path: string;
let totals: readonly string[];
beforeEach(async () => {
  setup = await startSetup("postgres", { faults: SLOW });
  env = { ...setup.env, PAYRUN_DATA: setup.folder, SUBMIT_CONCURRENCY: "8" };
  ({ path, totals } = makeFile(setup.folder, rowsOf(ROWS)));
});
afterEach(() => setup.stop());

const pay = (...more: readonly string[]) =>
  startPayrun(["pay", path, "--json", ...totals, ...more], env);
const payrun = (...words: readonly string[]) => runHere(words, env);
const unfreeze = () => payrun("unfreeze", "--reason", "the gateway's list was compared", "--yes");
const requests = async () => (await setup.gateway.summary()).requests;
const sent = (share: number) =>
  eventually("payouts have left", async () => (await requests()) >= ROWS * share);
const sql = (text: string) => query(env["DATABASE_URL"] ?? "", text);

/** payrun's final report, next to the gateway's own transaction log. */
async function accountOf(ended: Ended) {
  const { batch_id: id, state, states } = documentOf(ended);
  const book = await setup.gateway.log();
  const apart = differences(await reportOf(id, env), book);
  const accepted = book.filter(({ event }) => event === "accepted").length;
  return { code: ended.code, state, states, accepted, requests: await requests(), apart };
}

/** Every payout settled once. Each submission followed a status query. */
const PAID_ONCE = {
  code: 0,
  state: "finished",
  states: { settled: ROWS },
  accepted: ROWS,
  requests: ROWS,
  apart: NO_DIFFERENCE,
};

test("F26 freezes after a restore during pay, queries, finds the payouts, unfreezes and pays once", async () => {
  const first = pay();
  await sent(1 / 8);
  const server = postgres();
  await server.snapshot();
  await sent(1 / 2);
  await first.end("SIGTERM");
  const before = await requests();
  expect(before).toBeLessThan(ROWS);
  await server.putBack("as it was");

  const second = await pay().ended;
  expect(second.code).toBe(8);
  expect(second.stderr).toMatch(/frozen since .*an older copy was restored/);
  expect(second.stderr).toMatch(/\d+ of \d+ payouts in progress have been queried/);
  expect(second.stderr).toMatch(/Paying the same files again would pay the beneficiaries twice/);
  expect(second.stderr).not.toMatch(/payrun unfreeze/);
  expect(await requests()).toBe(before);

  const doctor = await payrun("doctor");
  expect(doctor).toMatchObject({
    code: 8,
    stdout: expect.stringMatching(/broken +ledger: .*frozen/),
  });
  const { batch_id: id } = documentOf(second);
  expect((await payrun("batch", "show", id)).stdout).toMatch(/frozen/);
  expect(await payrun("batch", "cancel", id)).toMatchObject({ code: 6 });
  expect(await payrun("unfreeze", "--reason", "hurry")).toMatchObject({ code: 2 });
  const thawed = await unfreeze();
  expect(thawed).toMatchObject({ code: 0, stdout: expect.stringMatching(/LEDGER_EPOCH.* 2/) });
  expect(thawed.stderr).toMatch(/has a record of every batch it has handled since/);

  const third = await pay().ended;
  expect(await accountOf(third)).toEqual(PAID_ONCE);
  const restored = await sql(
    "select count(*)::int as n from payouts where reason = 'sent_before_restore'",
  );
  expect(restored[0]?.["n"]).toBeGreaterThan(0);
  expect((await payrun("audit", "verify")).code).toBe(0);
  expect((await payrun("doctor")).stdout).toMatch(/ok +ledger: epoch 2,/);
});

describe.each(["as it was", "promoted"] as const)("under running workers, files %s", (how) => {
  test("F25 F26 stop on their own, query, and continue after the unfreeze", async () => {
    const slower = { ...env, SUBMIT_CONCURRENCY: "4" };
    const workers = [startPayrun(["worker"], slower), startPayrun(["worker"], slower)];
    await Promise.all(workers.map((worker) => worker.says(/workers are running/)));
    const approving = pay("--no-wait");
    await sent(1 / 8);
    const server = postgres();
    await server.snapshot();
    await sent(1 / 2);
    expect(await requests()).toBeLessThan(ROWS);
    await server.putBack(how);
    await Promise.race(workers.map((worker) => worker.says(/the ledger is frozen/)));
    await approving.ended;

    const halted = await requests();
    const { ledger, close } = await openTestLedger(env["DATABASE_URL"]);
    await eventually("everything is asked for", async () =>
      (await ledger.integrity.laneProgress()).every(({ unqueried }) => unqueried === 0),
    );
    await close();
    expect(await requests()).toBe(halted);
    expect((await pay("--no-wait").ended).code).toBe(8);
    expect(await unfreeze()).toMatchObject({ code: 0 });
    const last = await pay().ended;
    await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
    expect(await accountOf(last)).toEqual(PAID_ONCE);
  });
});

test("F24 does not freeze after a crash of PostgreSQL, but claims nothing before a new check", async () => {
  const { ledger, close } = await openTestLedger();
  const { id } = await approvedBatch(ledger, rowsOf(2));
  expect(await ledger.payout.openAttempts(claimOf(id, { sizeMax: 1 }))).toHaveLength(1);
  const server = postgres();
  await server.kill();
  await server.restart();
  expect(await ledger.payout.openAttempts(claimOf(id))).toEqual([]);
  expect(await ledger.integrity.verify()).toBeNull();
  expect(await ledger.payout.openAttempts(claimOf(id))).toHaveLength(1);
  await close();
});
