import { expect, test } from "vitest";
import type { PayDeps } from "#flows/deps.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { QueueConsumer } from "#workers/serve.ts";
import { startWorkers } from "#workers/workers.ts";
import { flowDeps, scriptedGateway } from "../support/flow.ts";

const never = new Promise<never>(() => {});
const engine = { kind: "redis", url: "redis://127.0.0.1:1" } as const;

/** A clock whose pauses end immediately, with a count of the requested ones. */
function fastClock(deps: PayDeps) {
  const pauses: number[] = [];
  const sleep = async (delayMs: number) => {
    pauses.push(delayMs);
    await new Promise(setImmediate);
  };
  return { pauses, clock: { ...deps.clock, sleep } };
}

test.each<{ name: string; verify: () => Promise<null>; close: () => Promise<void> }>([
  { name: "a database", verify: () => never, close: async () => {} },
  { name: "a queue", verify: async () => null, close: () => never },
])("$name that does not answer does not delay the shutdown", async ({ verify, close }) => {
  const ledger = {
    integrity: { verify },
    alone: async () => null,
  } as unknown as Ledger;
  const { deps, stop } = flowDeps(ledger, scriptedGateway());
  const { clock } = fastClock(deps);
  const workers = startWorkers({ deps: { ...deps, clock }, engine, stop }, () => ({ close }));
  expect(await workers.close()).toBeUndefined();
});

test("records requests in flight before the shutdown, however long it takes", async () => {
  const ledger = {
    integrity: { verify: async () => null },
    alone: async () => null,
  } as unknown as Ledger;
  const { deps, stop } = flowDeps(ledger, scriptedGateway());
  const { clock, pauses } = fastClock(deps);
  const hung: QueueConsumer = { close: () => never };
  const workers = startWorkers({ deps: { ...deps, clock }, engine, stop }, () => hung);
  const recorded = Promise.withResolvers<void>();
  let isRecorded = false;
  void deps.slots.trackInFlight(() => recorded.promise.then(() => (isRecorded = true)));

  const closed = workers.close().then(() => isRecorded);
  await expect.poll(() => pauses.length).toBeGreaterThan(20);
  recorded.resolve();
  expect(await closed).toBe(true);
});
