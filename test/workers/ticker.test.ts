import { expect, test } from "vitest";
import { systemClock } from "#clock.ts";
import { createLog } from "#log.ts";
import { startTicker } from "#workers/ticker.ts";

test("F24 a tick that breaks is no broken job: another one follows in a moment", async () => {
  const stop = new AbortController();
  const log = createLog("silent");
  const run = async () => {
    throw new Error("the database is away");
  };
  const ticker = startTicker(
    { run, keep: async () => {} },
    { clock: systemClock, log, stop: stop.signal },
  );
  await expect(ticker.tick()).resolves.toBeUndefined();
  stop.abort();
  await ticker.close();
});
