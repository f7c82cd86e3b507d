import { Redis } from "ioredis";
import { describe, expect, test } from "vitest";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { eventually } from "../support/servers/eventually.ts";
import { ENGINES, reportOf, startSetup, type Setup } from "../support/journey.ts";
import {
  documentOf,
  type Env,
  makeFile,
  merchantsFile,
  rowsOf,
  runHere,
  runPayrun,
  startPayrun,
  startServe,
} from "../support/servers/payrun.ts";
import { query } from "../support/servers/postgres.ts";
import type { SimulatorSettings } from "../support/servers/simulator.ts";

/** Runs one test on both queues concurrently. */
const onBoth = (settings: SimulatorSettings, run: (stage: Setup) => Promise<unknown>) =>
  Promise.all(
    ENGINES.map(async (engine) => {
      const setup = await startSetup(engine, settings);
      try {
        return await run(setup);
      } finally {
        await setup.stop();
      }
    }),
  );

/** The same steps on each queue. */
const twice = <T>(one: T): T[] => ENGINES.map(() => one);
const pay = (path: string, env: Env, ...more: readonly string[]) =>
  runPayrun(["pay", path, "--json", ...more], env);

describe("a batch", () => {
  test("is paid whole, or without its wrong rows with --partial", async () => {
    const seen = await onBoth({}, async ({ folder, env, gateway }) => {
      const rows = rowsOf(10, (index) => (index < 3 ? { ifsc: "WRONG" } : {}));
      const { path } = makeFile(folder, rows);
      const whole = await pay(path, env, "--total", "INR=1000");
      const untouched = (await gateway.summary()).requests;
      const partial = await pay(path, env, "--partial", "--total", "INR=700");
      const told = documentOf(partial);
      const report = await reportOf(told.batch_id, env);
      return [
        whole.code,
        documentOf(whole).state,
        untouched,
        partial.code,
        told.rejected,
        told.states,
        report.filter(({ state }) => state === "rejected").length,
        (await gateway.summary()).accepted,
      ];
    });
    expect(seen).toEqual(twice([3, "needs_correction", 0, 0, 3, { settled: 7 }, 3, 7]));
  });

  test("I7 is not sent until the correct totals are given", async () => {
    const seen = await onBoth({}, async ({ folder, env, gateway }) => {
      const { path, totals } = makeFile(folder, [{ amount: "100.00" }, { amount: "0.50" }]);
      const codes = [
        (await pay(path, env)).code,
        (await pay(path, env, "--total", "INR=100")).code,
        (await pay(path, env, "--total", "INR=100.50", "--total", "THB=1")).code,
        (await gateway.summary()).requests,
        (await pay(path, env, ...totals)).code,
      ];
      return codes;
    });
    expect(seen).toEqual(twice([2, 5, 5, 0, 0]));
  });

  test("F41 stays approved with wrong credentials, and finishes with the right ones", async () => {
    const seen = await onBoth({}, async ({ folder, env, gateway }) => {
      const { path, totals } = makeFile(folder, rowsOf(12));
      const wrong = merchantsFile(folder, (entry) => ({
        ...entry,
        api_secret: "bm90IHRoZSBzZWNyZXQ=",
      }));
      const first = await pay(path, { ...env, MERCHANTS_FILE: wrong }, ...totals);
      const before = documentOf(first).states;
      const accepted = (await gateway.summary()).accepted;
      const again = await pay(path, env, ...totals);
      return [first.code, before, accepted, again.code, documentOf(again).states];
    });
    expect(seen).toEqual(twice([8, { approved: 12 }, 0, 0, { settled: 12 }]));
  });

  test("F59 waits for balance and continues on its own when it arrives", async () => {
    const seen = await onBoth({ balance: "INR=250" }, async ({ folder, env, gateway }) => {
      const { path, totals } = makeFile(folder, rowsOf(6));
      const paying = startPayrun(["pay", path, "--json", ...totals], {
        ...env,
        SUBMIT_CONCURRENCY: "1",
      });
      await eventually("the balance is gone", async () => (await gateway.summary()).refused["119"]);
      const { accepted } = await gateway.summary();
      await gateway.setBalance({ INR: "100000" });
      const ended = await paying.ended;
      return [accepted, ended.code, documentOf(ended).states];
    });
    expect(seen).toEqual(twice([2, 0, { settled: 6 }]));
  });

  test("F22 F13 pays the other rows after parking one that crashes three workers", async () => {
    const seen = await onBoth(
      { faults: [{ fault: "hang_before", code: "POISON*" }] },
      async ({ folder, env, gateway }) => {
        const { path, totals } = makeFile(folder, [{ code: "POISON-1" }, ...rowsOf(4)]);
        // A row that kills its process each time its request is in flight.
        for (let crash = 1; crash <= 3; crash += 1) {
          const paying = startPayrun(["pay", path, ...totals], env);
          await eventually("it is sent", async () => {
            const book = await gateway.log();
            const sent = book.filter(
              ({ transaction_code: code, event }) => code === "POISON-1" && event === "request",
            );
            return sent.length >= crash;
          });
          await paying.end("SIGKILL");
        }
        const ended = await pay(path, env, ...totals);
        const told = documentOf(ended);
        const report = await reportOf(told.batch_id, env);
        const poison = report.find(({ transaction_code }) => transaction_code === "POISON-1");
        return [ended.code, told.states, poison?.state, poison?.reason];
      },
    );
    expect(seen).toEqual(twice([8, { settled: 4, on_hold: 1 }, "on_hold", "poison"]));
  });

  test("F23 gets its turn as a small batch alongside a large one", async () => {
    const seen = await onBoth({ faults: [{ fault: "slow", delay_ms: 40 }] }, async (setup) => {
      const { folder } = setup;
      const env = { ...setup.env, SUBMIT_CONCURRENCY: "4" };
      // Large enough to last, however slow the machine is while it runs other tests.
      const large = makeFile(folder, rowsOf(12_000));
      const small = makeFile(folder, rowsOf(5));
      const worker = startPayrun(["worker"], env);
      await worker.says(/workers are running/);
      const { batch_id: largeId } = documentOf(
        await pay(large.path, env, "--no-wait", ...large.totals),
      );
      await eventually(
        "the large one runs",
        async () => (await setup.gateway.summary()).accepted > 50,
      );
      const { batch_id: smallId } = documentOf(
        await pay(small.path, env, "--no-wait", ...small.totals),
      );
      // Not by the command line, because each look would start a process.
      const standing = (id: string) =>
        query<{ state: string; unsent: number }>(
          setup.env["DATABASE_URL"] ?? "",
          `select b.state, (select count(*)::int from payouts p where p.batch_id = b.id and p.state = 'approved') as unsent
          from batches b where b.id = $1`,
          [id],
        );
      await eventually(
        "the small one ends",
        async () => (await standing(smallId))[0]?.state === "finished",
        120_000,
      );
      const [seen] = await standing(largeId);
      await worker.end("SIGTERM");
      return [seen?.state, (seen?.unsent ?? 0) > 0];
    });
    expect(seen).toEqual(twice(["approved", true]));
  });

  test("I14 F17 uses a few Redis jobs for twenty thousand rows, without account numbers", async () => {
    const setup = await startSetup("redis", { faults: [{ fault: "slow", delay_ms: 200 }] });
    const redis = new Redis(setup.redis?.url ?? "");
    try {
      const { path, totals } = makeFile(setup.folder, rowsOf(20_000));
      const paying = startPayrun(["pay", path, ...totals], { ...setup.env, LOG_LEVEL: "debug" });
      await eventually("it runs", async () => (await setup.gateway.summary()).accepted > 200);
      const sizes: number[] = [];
      const texts: string[] = [];
      for (let look = 0; look < 10; look += 1) {
        const keys = await redis.keys("*");
        sizes.push(keys.length);
        for (const key of keys) {
          if ((await redis.type(key)) === "hash")
            texts.push(JSON.stringify(await redis.hgetall(key)));
        }
        await new Promise((wake) => setTimeout(wake, 200));
      }
      const { stderr } = await paying.end("SIGTERM");
      expect(Math.max(...sizes)).toBeLessThan(100);
      expect(texts.length).toBeGreaterThan(5);
      expect(texts.join("") + stderr).not.toMatch(/50100000\d{6}|Asha/);
    } finally {
      redis.disconnect();
      await setup.stop();
    }
  });

  test("sends no further payout when paused and none when cancelled, and reports both", async () => {
    const seen = await onBoth({}, async ({ folder, env, gateway }) => {
      const { path, totals } = makeFile(folder, rowsOf(20));
      const { batch_id: id } = documentOf(await pay(path, env, "--no-wait", ...totals));
      const codes = [
        (await runHere(["batch", "pause", id, "--reason", "look"], env)).code,
        (await pay(path, env, ...totals)).code,
        (await runHere(["batch", "pause", id], env)).code,
        (await runHere(["batch", "cancel", id], env)).code,
        (await pay(path, env, ...totals)).code,
      ];
      const [audit] = await query<{ n: number }>(
        env["DATABASE_URL"] ?? "",
        "select count(*)::int as n from audit",
      );
      return [codes, audit?.n, (await gateway.summary()).requests];
    });
    expect(seen).toEqual(twice([[0, 6, 6, 0, 6], 5, 0]));
  });
});

test("F70 F75 settles each payout once with callbacks of every kind, and only after the gateway's status confirms it", async () => {
  const kinds = [
    "late",
    "repeated",
    "reordered",
    "forged",
    "mismatched",
    "lost",
    "garbage",
    "wrong_amount",
    "name_value",
  ];
  const faults = kinds.map((kind) => ({
    fault: `callback_${kind}`,
    code: `${kind.replace("_", "-")}.*`,
    delay_ms: 300,
  }));
  const seen = await onBoth({ faults, settleMs: 800 }, async ({ folder, env, gateway }) => {
    const { server, url } = await startServe({ ...env, RESOLVE_AFTER_MS: "3000" });
    await eventually("it serves", async () => (await fetch(`${url}/readyz`)).ok);
    const rows = [...kinds, "plain"].map((kind) => ({ code: `${kind.replace("_", "-")}.1` }));
    const { path, totals } = makeFile(folder, rows);
    const withUrl = { ...env, PUBLIC_URL: url };
    const { batch_id: id } = documentOf(await pay(path, withUrl, "--no-wait", ...totals));
    const report = await eventually("all end", async () => {
      const lines = await reportOf(id, env);
      return lines.every(({ state }) => state === "settled") && lines;
    });
    await server.end("SIGTERM");
    const heard = await query<{ code: string }>(
      env["DATABASE_URL"] ?? "",
      `select distinct d.transaction_code as code from evidence e join payout_details d on d.payout_id = e.payout_id
       where e.kind = 'callback' order by 1`,
    );
    const withoutStatus = await query(
      env["DATABASE_URL"] ?? "",
      `select p.id from payouts p where not exists (select from evidence e where e.payout_id = p.id
       and e.kind = 'status' and e.facts ->> 'state' = 'completed')`,
    );
    return {
      apart: differences(report, await gateway.log()),
      heard: heard.map(({ code }) => code.split(".")[0]),
      withoutStatus,
    };
  });
  expect(seen).toEqual(
    twice({
      apart: NO_DIFFERENCE,
      // Forged, mismatched, lost and invalid callbacks are no evidence.
      heard: ["late", "name-value", "plain", "reordered", "repeated", "wrong-amount"],
      withoutStatus: [],
    }),
  );
});
