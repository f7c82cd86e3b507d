import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { createLog } from "#base/log.ts";
import { startTicker } from "#app/ticker.ts";

test("F24 does not fail the job of a failing tick: another tick follows shortly", async () => {
  const stop = new AbortController();
  const log = createLog("silent");
  const run = async () => {
    throw new Error("the database is away");
  };
  const ticker = startTicker(
    { run, keepScheduled: async () => {} },
    { clock: systemClock, log, stop: stop.signal },
  );
  await expect(ticker.tick()).resolves.toBeUndefined();
  stop.abort();
  await ticker.close();
});
