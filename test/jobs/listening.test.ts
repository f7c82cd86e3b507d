import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { backendsOver, type PostgresEngine } from "#jobs/postgres-queue.ts";
import { freshDatabase } from "../support/ledger.ts";

test("several workers subscribe on one connection, one after another", async () => {
  const warnings: string[] = [];
  const heard = ({ message }: Error) => void warnings.push(message);
  process.on("warning", heard);
  const engine: PostgresEngine = { kind: "postgres", url: await freshDatabase() };
  const create = backendsOver(engine);
  const backends = ["a", "b", "c", "d"].map((name) =>
    create(name, { connection: {} }, undefined as never),
  );
  await Promise.all(backends.map((backend) => backend.waitUntilReady()));
  const waited = await Promise.all(backends.map((backend) => backend.waitForJob(0.2)));
  expect(waited).toEqual([null, null, null, null]);
  await Promise.all(backends.map((backend) => backend.close()));
  await sleep(50);
  process.off("warning", heard);
  expect(warnings).toEqual([]);
});
