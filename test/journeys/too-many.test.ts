/** The gateway asks for fewer requests: real processes, the simulated gateway, both queues. */
import { expect, test } from "vitest";
import { differences, NO_DIFFERENCE } from "../support/servers/transaction-log.ts";
import { eventually } from "../support/servers/eventually.ts";
import { ENGINES, reportOf, startSetup } from "../support/journey.ts";
import { laneIn } from "../support/ledger.ts";
import { documentOf, makeFile, rowsOf, runPayrun, startPayrun } from "../support/servers/payrun.ts";
import { query } from "../support/servers/postgres.ts";

const INR = laneIn("INR");
const RATE = 10;
const ROWS = 70;
const PATIENCE_MS = 90_000;
/** From the simulator's answer. */
const RETRY_AFTER_MS = 1_000;

test.concurrent.each(ENGINES)(
  "F40 slows a lane down on HTTP 429 with Retry-After, and recovers on its own, with the queue in %s",
  async (engine) => {
    const stage = await startSetup(engine);
    const { env, folder, gateway } = stage;
    const slowRate = async () => {
      const found = `select slow_rate from payrun.lane_rate_limits where lane = '${INR}'`;
      return Number((await query(env["DATABASE_URL"] ?? "", found))[0]?.["slow_rate"] ?? Infinity);
    };
    try {
      const first = makeFile(folder, rowsOf(1));
      const before = documentOf(
        await runPayrun(["pay", first.path, "--json", ...first.totals], env),
      );
      const limit = ["lane", "set", INR, "--rate", `${RATE}/s`, "--reason", "a contract"];
      expect((await runPayrun(limit, env)).code).toBe(0);
      await gateway.setFaults([{ fault: "http_429", times: 1, code: "ASKED-TOO-MUCH" }]);

      const rows = rowsOf(ROWS, (place) => (place === 0 ? { code: "ASKED-TOO-MUCH" } : {}));
      const { path, totals } = makeFile(folder, rows);
      const paying = startPayrun(["pay", path, "--json", ...totals], env);
      await eventually("it is slowed", async () => (await slowRate()) <= RATE / 2, PATIENCE_MS);
      await eventually(
        "it is as fast as before",
        async () => (await slowRate()) === Infinity,
        PATIENCE_MS,
      );
      const ended = documentOf(await paying.ended);
      expect(ended).toMatchObject({ state: "finished", states: { settled: ROWS } });

      const book = await gateway.log();
      const reports = [before, ended].map(({ batch_id }) => reportOf(batch_id, env));
      expect(differences((await Promise.all(reports)).flat(), book)).toEqual(NO_DIFFERENCE);
      const asked = book.find(({ fault }) => fault === "http_429")?.at ?? Infinity;
      const later = book.filter(({ event, at }) => event === "accepted" && at > asked);
      // Requests in flight with it arrived a little later. Then the gateway was left alone for
      // longer than one interval of the slowest rate.
      const gaps = later.slice(1).map(({ at }, place) => at - (later[place]?.at ?? 0));
      expect(Math.max(...gaps)).toBeGreaterThan(RETRY_AFTER_MS * 0.6);
      // Forty take three seconds at the limit. After a pause and at half the rate they take longer.
      const fortieth = later[39];
      expect((fortieth?.at ?? 0) - asked).toBeGreaterThan(RETRY_AFTER_MS + 3_000);
    } finally {
      await stage.stop();
    }
  },
);
