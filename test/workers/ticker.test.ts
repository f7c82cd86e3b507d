import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { createLog } from "#base/log.ts";
import { startTicker } from "#app/ticker.ts";

test("ticks while a result file is being written to a folder that does not respond", async () => {
  const stop = new AbortController();
  let ticks = 0;
  const mount = Promise.withResolvers<void>();
  const ticker = startTicker(
    {
      run: async () => {
        ticks += 1;
      },
      writeResults: () => mount.promise,
      keepScheduled: async () => {},
    },
    { clock: systemClock, log: createLog("silent"), stop: stop.signal },
  );
  await ticker.tick();
  expect(ticks).toBeGreaterThan(0);
  stop.abort();
  mount.resolve();
  await ticker.close();
});

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
