import { writeFileSync } from "node:fs";
import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { eventually } from "../support/servers/eventually.ts";
import { ENGINES, reportOf, startSetup, type Setup } from "../support/journey.ts";
import { ownPostgres } from "../support/ledger.ts";
import {
  documentOf,
  type Ended,
  makeFile,
  rowsOf,
  startPayrun,
} from "../support/servers/payrun.ts";
import { type SimulatorProcess, startSimulator } from "../support/servers/simulator.ts";

const postgres = ownPostgres();

const ROWS = 200;
/** Slow enough that something can happen in the middle. */
const SLOW = [{ fault: "slow", delay_ms: 150 }];

const accepted = async (gateway: SimulatorProcess): Promise<number> =>
  (await gateway.summary()).accepted;
const midway = (gateway: SimulatorProcess) =>
  eventually("the run is under way", async () => (await accepted(gateway)) >= ROWS / 8);

/** payrun's final report, next to the gateway's transaction log. */
async function accountOf(ended: Ended, setup: Setup, gateway = setup.gateway) {
  const { state, states, batch_id: id } = documentOf(ended);
  const book = await gateway.log();
  const accepts = book.filter(({ event }) => event === "accepted").length;
  const apart = differences(await reportOf(id, setup.env), book);
  return { code: ended.code, state, states, accepts, apart };
}

/** Every payout settled once, and the report contains nothing that the log does not. */
const PAID_ONCE = {
  code: 0,
  state: "finished",
  states: { settled: ROWS },
  accepts: ROWS,
  apart: NO_DIFFERENCE,
};

async function journey(
  engine: (typeof ENGINES)[number],
  run: (stage: Setup, pay: () => ReturnType<typeof startPayrun>) => Promise<void>,
): Promise<void> {
  const setup = await startSetup(engine, { faults: SLOW });
  const { path, totals } = makeFile(setup.folder, rowsOf(ROWS));
  const env = { ...setup.env, SUBMIT_CONCURRENCY: "8" };
  try {
    await run(setup, () => startPayrun(["pay", path, "--json", ...totals], env));
  } finally {
    await setup.stop();
  }
}

async function withRedis<T>({ redis }: Setup, ask: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(redis?.url ?? "");
  try {
    return await ask(client);
  } finally {
    client.disconnect();
  }
}

/** On both queues concurrently. */
const onBoth = (run: Parameters<typeof journey>[1]) =>
  Promise.all(ENGINES.map((engine) => journey(engine, run)));

describe("during a run, with either queue", () => {
  test("F98 drains on SIGTERM: no payout is left in doubt, and the same command finishes", () =>
    onBoth(async (setup, pay) => {
      const first = pay();
      await midway(setup.gateway);
      const stopped = await first.end("SIGTERM");
      expect(stopped.code).toBe(130);
      const { states } = documentOf(stopped);
      expect(Object.keys(states).filter((state) => /doubt|submitting/.test(state))).toEqual([]);
      expect(states.approved).toBeGreaterThan(0);
      expect(await accountOf(await pay().ended, setup)).toEqual(PAID_ONCE);
    }));

  test("F13 F99 finishes with the same command after SIGKILL of pay, and pays nothing twice", () =>
    onBoth(async (setup, pay) => {
      const first = pay();
      await midway(setup.gateway);
      expect((await first.end("SIGKILL")).signal).toBe("SIGKILL");
      expect(await accountOf(await pay().ended, setup)).toEqual(PAID_ONCE);
    }));

  test("F13 finishes on another worker after SIGKILL of one", () =>
    onBoth(async (setup, pay) => {
      const env = { ...setup.env, SUBMIT_CONCURRENCY: "4" };
      const workers = [startPayrun(["worker"], env), startPayrun(["worker"], env)];
      await Promise.all(workers.map((worker) => worker.says(/workers are running/)));
      const paying = pay();
      await midway(setup.gateway);
      await workers[0]?.end("SIGKILL");
      expect(await accountOf(await paying.ended, setup)).toEqual(PAID_ONCE);
      expect((await workers[1]?.end("SIGTERM"))?.code).toBe(0);
    }));

  test("F34 F35 survives a kill of the gateway, which returns with its transaction log", () =>
    onBoth(async (setup, pay) => {
      const paying = pay();
      await midway(setup.gateway);
      const { port } = setup.gateway;
      const before = await setup.gateway.log();
      await setup.gateway.kill();
      // `kill` removes the folder of the log, so the lines are passed on.
      const logPath = `${setup.folder}/book.jsonl`;
      writeFileSync(logPath, before.map((line) => `${JSON.stringify(line)}\n`).join(""));
      const back = await startSimulator({ port, logPath, settleMs: 300 });
      try {
        expect(await accountOf(await paying.ended, setup, back)).toEqual(PAID_ONCE);
      } finally {
        await back.stop();
      }
    }));
});

describe.each(ENGINES)("during a run, with the queue in %s", (engine) => {
  test("F24 stops sending while PostgreSQL restarts or is killed, and continues on its own", () =>
    journey(engine, async (setup, pay) => {
      const paying = pay();
      await midway(setup.gateway);
      const server = postgres();
      await server.restart();
      await eventually("it goes on", async () => (await accepted(setup.gateway)) >= ROWS / 4);
      await server.kill();
      await server.restart();
      expect(await accountOf(await paying.ended, setup)).toEqual(PAID_ONCE);
    }));
});

describe("during a run, with Redis only", () => {
  test("F17 changes only timing on FLUSHALL", () =>
    journey("redis", async (setup, pay) => {
      const paying = pay();
      await midway(setup.gateway);
      for (let times = 0; times < 3; times += 1) {
        await setup.redis?.flushall();
        await new Promise((wake) => setTimeout(wake, 300));
      }
      expect(await accountOf(await paying.ended, setup)).toEqual(PAID_ONCE);
    }));

  test("F14 F19 recovers when Redis is killed and returns empty", () =>
    journey("redis", async (setup, pay) => {
      const paying = pay();
      await midway(setup.gateway);
      await setup.redis?.kill();
      await new Promise((wake) => setTimeout(wake, 1_000));
      await setup.redis?.restart();
      expect(await accountOf(await paying.ended, setup)).toEqual(PAID_ONCE);
    }));

  test("F16 ignores old jobs when Redis returns with an old state, including completed ones", () =>
    journey("redis", async (setup, pay) => {
      const paying = pay();
      await midway(setup.gateway);
      await withRedis(setup, (redis) => redis.save());
      await eventually("it goes on", async () => (await accepted(setup.gateway)) >= ROWS / 2);
      await setup.redis?.kill();
      await setup.redis?.restart();
      const seen = await withRedis(setup, (redis) => redis.keys("*"));
      expect(seen.length).toBeGreaterThan(0);
      expect(await accountOf(await paying.ended, setup)).toEqual(PAID_ONCE);
    }));

  test("F18 continues approval and ledger while Redis takes no writes, and adds jobs afterwards", () =>
    journey("redis", async (setup, pay) => {
      const { path, totals } = makeFile(setup.folder, rowsOf(5));
      const paying = pay();
      await midway(setup.gateway);
      await withRedis(setup, (redis) => redis.config("SET", "maxmemory", "1"));
      const later = ["pay", path, "--json", "--no-wait", ...totals];
      const approved = await startPayrun(later, setup.env).ended;
      expect(documentOf(approved)).toMatchObject({ state: "approved", rows: 5 });
      await withRedis(setup, (redis) => redis.config("SET", "maxmemory", "0"));

      expect(await accountOf(await paying.ended, setup)).toMatchObject({
        states: PAID_ONCE.states,
        apart: { paidTwice: [] },
      });
      const ended = await startPayrun(["pay", path, "--json"], setup.env).ended;
      expect(documentOf(ended)).toMatchObject({ state: "finished", states: { settled: 5 } });
      expect((await setup.gateway.summary()).accepted).toBe(ROWS + 5);
    }));
});
