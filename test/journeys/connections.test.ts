import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { eventually } from "../support/servers/eventually.ts";
import { reportOf } from "../support/journey.ts";
import { freshDatabase, ownPostgres } from "../support/ledger.ts";
import {
  type Env,
  FAST,
  makeFile,
  merchantsFile,
  rowsOf,
  runPayrun,
  scratch,
  startPayrun,
} from "../support/servers/payrun.ts";
import { query } from "../support/servers/postgres.ts";
import { type SimulatorProcess, startSimulator } from "../support/servers/simulator.ts";

const postgres = ownPostgres();

let gateway: SimulatorProcess;
beforeEach(async () => {
  gateway = await startSimulator({ settleMs: 100 });
});
afterEach(() => gateway.stop());

/** A ledger whose database role may have this many connections. */
async function limitedTo(connections: number): Promise<{ env: Env; address: string }> {
  const address = await freshDatabase();
  const { pathname } = new URL(address);
  const role = `few_${pathname.slice(1)}`;
  await query(address, `create role ${role} login password 'few' connection limit ${connections}`);
  await query(address, `alter database ${pathname.slice(1)} owner to ${role}`);
  const folder = scratch();
  const env = {
    ...FAST,
    DATABASE_URL: Object.assign(new URL(address), { username: role, password: "few" }).href,
    PAYRUN_DATA: folder,
    GATEWAY_URL: gateway.url,
    MERCHANTS_FILE: merchantsFile(folder),
  };
  return { env, address };
}

const ROWS = 200;

describe("F30 workers without Redis and with a role of few connections", () => {
  test.each([
    { workers: 1, connections: 12 },
    { workers: 2, connections: 30 },
    { workers: 1, connections: 6 },
    { workers: 2, connections: 12 },
  ])(
    "send with $workers workers and $connections connections, and nothing twice",
    async (limit) => {
      const { env, address } = await limitedTo(limit.connections);
      const { path, totals } = makeFile(scratch(), rowsOf(ROWS));
      const taken = await runPayrun(["pay", path, "--json", "--no-wait", ...totals], env);
      expect(taken.code, taken.stderr).toBe(0);
      const { batch_id: batchId } = JSON.parse(taken.stdout) as { batch_id: string };
      const workers = Array.from({ length: limit.workers }, () => startPayrun(["worker"], env));
      await Promise.all(workers.map((worker) => worker.says(/workers are running/)));
      await eventually("every payout is settled", async () => {
        const [{ left } = { left: -1 }] = await query<{ left: number }>(
          address,
          "select count(*)::int as left from payrun.payouts where state <> 'settled'",
        );
        return left === 0;
      });
      const [{ most } = { most: 0 }] = await query<{ most: number }>(
        address,
        "select count(*)::int as most from pg_stat_activity where usename like 'few%'",
      );
      expect(most).toBeLessThanOrEqual(limit.connections);
      for (const worker of workers) expect((await worker.end("SIGTERM")).code).toBe(0);
      const report = await reportOf(batchId, env);
      expect(differences(report, await gateway.log())).toEqual(NO_DIFFERENCE);
    },
  );
});

test("compares the running processes' connections with the limits in doctor", async () => {
  const { env } = await limitedTo(30);
  const found = async (connections: string) => {
    const worker = startPayrun(["worker"], { ...env, DATABASE_CONNECTIONS: connections });
    await worker.says(/workers are running/);
    const { stdout } = await runPayrun(["doctor", "--json"], env);
    await worker.end("SIGTERM");
    const findings = JSON.parse(stdout) as { name: string; state: string; found: string }[];
    return findings.find(({ name }) => name === "connections");
  };
  const few = await found("10");
  expect(few).toMatchObject({
    state: "ok",
    found: expect.stringContaining("may open 10 connections: "),
  });
  expect(few?.found).toMatch(
    /process \d+ has opened \d+ of 10; limits: .*role 30, 0 used by other programs/,
  );
  expect(await found("31")).toMatchObject({
    state: "warning",
    advice: expect.stringMatching(
      /^raise the role's connection limit .* or lower DATABASE_CONNECTIONS/,
    ),
  });
}, 120_000);

test("makes a worker wait at startup for a database that is not available yet", async () => {
  const { env } = await limitedTo(12);
  await postgres().kill();
  const worker = startPayrun(["worker"], env);
  const [words] = await worker.says(/The database cannot be reached.*\n/);
  expect(words).toMatch(
    /payrun is not sending payouts in the meantime. Retrying for up to \d+ s; press Ctrl-C to stop./,
  );
  await postgres().restart();
  await worker.says(/The database is available now\.\s*\n[^]*workers are running/);
  expect((await worker.end("SIGTERM")).code).toBe(0);
}, 120_000);
