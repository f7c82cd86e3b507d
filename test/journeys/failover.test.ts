import { afterEach, beforeEach, expect, test } from "vitest";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { eventually } from "../support/servers/eventually.ts";
import { reportOf, startSetup, type Setup } from "../support/journey.ts";
import {
  documentOf,
  type Ended,
  type Env,
  makeFile,
  rowsOf,
  runHere,
  type Running,
  startPayrun,
} from "../support/servers/payrun.ts";
import {
  type Replica,
  type Replication,
  startReplication,
} from "../support/servers/replication.ts";

/*
 * Scenario tests: the primary fails while payouts are being sent, and its standby is promoted.
 */

const ROWS = 300;
const SLOW = [{ fault: "slow", delay_ms: 250 }];
/** Milliseconds from the promotion until payrun claims payouts again. */
const RESUMES_MS = 15_000;

let setup: Setup;
let env: Env;
let servers: Replication;
let primary: Replica;
let standby: Replica;
let workers: Running[];
let path: string;
let totals: readonly string[];
beforeEach(async () => {
  [setup, servers] = await Promise.all([
    startSetup("postgres", { faults: SLOW }),
    startReplication(),
  ]);
  primary = servers.primary;
  standby = await servers.standbyOf(primary, "b");
  env = {
    ...setup.env,
    DATABASE_URL: servers.addressOf([primary, standby]),
    PAYRUN_DATA: setup.folder,
    SUBMIT_CONCURRENCY: "4",
  };
  ({ path, totals } = makeFile(setup.folder, rowsOf(ROWS)));
  await runHere(["migrate"], env);
  workers = [startPayrun(["worker"], env), startPayrun(["worker"], env)];
  await Promise.all(workers.map((worker) => worker.says(/workers are running/)));
}, 120_000);
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.end("SIGTERM")));
  await Promise.all([setup.stop(), servers.stop()]);
}, 60_000);

const pay = (...more: readonly string[]) =>
  startPayrun(["pay", path, "--json", ...totals, ...more], env).ended;
const requests = async () => (await setup.gateway.summary()).requests;
const sent = (share: number) =>
  eventually("payouts have left", async () => (await requests()) >= ROWS * share);
const count = async (server: Replica, what: string) =>
  (await server.query<{ count: number }>(`select count(*)::int as count from payrun.${what}`))[0]
    ?.count ?? 0;

async function accountOf(ended: Ended) {
  const { batch_id: id, state, states } = documentOf(ended);
  const book = await setup.gateway.log();
  const accepted = book.filter(({ event }) => event === "accepted").length;
  return { state, states, accepted, apart: differences(await reportOf(id, env), book) };
}
const PAID_ONCE = {
  state: "finished",
  states: { settled: ROWS },
  accepted: ROWS,
  apart: NO_DIFFERENCE,
};

test.each(["killed", "silent"])(
  "F25 sending resumes on a synchronous standby without a freeze: the primary is %s",
  async (how) => {
    await primary.set("synchronous_standby_names", "b");
    await eventually(
      "the confirmed record",
      async () => (await count(primary, "epoch where replicated_at is not null")) === 1,
    );
    await pay("--no-wait");
    await sent(1 / 8);
    if (how === "killed") await primary.end("SIGKILL");
    else await primary.freeze();
    await standby.promote();
    const from = performance.now();
    const claimed = await count(standby, "attempts");
    expect(claimed).toBeLessThan(ROWS);
    await eventually("new claims", async () => (await count(standby, "attempts")) > claimed);
    const resumedMs = performance.now() - from;
    expect(resumedMs).toBeLessThan(RESUMES_MS);
    expect(await accountOf(await pay())).toEqual(PAID_ONCE);
    expect(await count(standby, "epoch where number = 1 and frozen_at is null")).toBe(1);
  },
  240_000,
);

test("F25 an asynchronous standby that lags freezes the ledger until all payouts are queried", async () => {
  await pay("--no-wait");
  await sent(1 / 8);
  await standby.end("SIGKILL");
  const known = await requests();
  await eventually("lost claims", async () => (await requests()) >= known + ROWS / 8);
  await primary.end("SIGKILL");
  await standby.start();
  await standby.promote();
  await Promise.race(workers.map((worker) => worker.says(/the ledger is frozen/)));
  const halted = await requests();
  expect(await count(standby, "attempts")).toBeLessThan(halted);
  await eventually("everything is queried", async () => {
    const open =
      "payouts p, payrun.epoch e where p.state in ('approved', 'submitting', 'in_doubt', 'accepted') and (queried_at is null or queried_at < frozen_at)";
    return (await count(standby, open)) === 0;
  });
  expect(await requests()).toBe(halted);
  const thawed = await runHere(
    ["unfreeze", "--reason", "the gateway's list was compared", "--yes"],
    env,
  );
  expect(thawed).toMatchObject({ code: 0 });
  expect(await accountOf(await pay())).toEqual(PAID_ONCE);
}, 240_000);
