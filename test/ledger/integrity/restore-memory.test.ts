import { appendFileSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import {
  createRestoreMemory,
  type RememberedBatch,
  reportingMemory,
} from "#ledger/integrity/restore-memory.ts";
import { scratch } from "../../support/servers/payrun.ts";

const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-24T12:00:00Z");

const recordOf = (place: number, change: Partial<RememberedBatch> = {}): RememberedBatch => ({
  batchId: `B${place}`,
  files: [`file ${place}`],
  contentDigest: `${place}`.padStart(64, "0"),
  fileName: "a.csv",
  takenInAt: "2026-11-24T10:00:00.000Z",
  rows: 1,
  totals: { INR: "100.00" },
  ...change,
});
const rowsOf = (place: number): Buffer => Buffer.from(`${place}`.padStart(8, "0"));
const folderIn = (folder: string): string => join(folder, "restore-memory-L1");

test("F26 keeps records and payouts of batches across processes, and the newest record of each", async () => {
  const folder = scratch();
  const [one, two] = [
    createRestoreMemory(folder, systemClock),
    createRestoreMemory(folder, systemClock),
  ];
  await Promise.all(
    Array.from({ length: 40 }, (_, place) =>
      (place % 2 ? one : two).remember("L1", recordOf(place), rowsOf(place)),
    ),
  );
  await one.remember("L1", recordOf(7, { contentDigest: "f".repeat(64), rows: 2 }), rowsOf(77));
  const records = await createRestoreMemory(folder, systemClock).records("L1");
  expect(records.size).toBe(40);
  expect(records.get("B7")).toMatchObject({ rows: 2 });
  expect(await two.records("L1")).toEqual(records);
  expect(await two.rowsOf("L1", recordOf(9))).toEqual(rowsOf(9));
  expect((await two.records("L2")).size).toBe(0);
});

test("F26 skips a record truncated by a crash, and writes the next one completely", async () => {
  const folder = scratch();
  const memory = createRestoreMemory(folder, { nowMs: () => NOW });
  await memory.remember("L1", recordOf(1), rowsOf(1));
  appendFileSync(join(folderIn(folder), "2026-11.jsonl"), '\n{"batchId":"B2","fi');
  await memory.remember("L1", recordOf(3), rowsOf(3));
  expect([...(await memory.records("L1")).keys()]).toEqual(["B1", "B3"]);
});

test("remembers when its records begin", async () => {
  const folder = scratch();
  const first = await createRestoreMemory(folder, { nowMs: () => NOW }).since("L1");
  expect(first).toEqual(new Date(NOW));
  expect(await createRestoreMemory(folder, { nowMs: () => NOW + DAY_MS }).since("L1")).toEqual(
    first,
  );
});

test("forgets payouts after 100 days and records after 400, and leftovers of a killed process", async () => {
  const folder = scratch();
  let now = NOW;
  const memory = createRestoreMemory(folder, { nowMs: () => now });
  await memory.remember("L1", recordOf(1), rowsOf(1));
  const draft = join(folderIn(folder), "B9-0.rows.77.0");
  writeFileSync(draft, "half");
  utimesSync(draft, new Date(NOW), new Date(NOW));
  for (const name of readdirSync(folderIn(folder))) {
    utimesSync(join(folderIn(folder), name), new Date(NOW), new Date(NOW));
  }
  now += 101 * DAY_MS;
  await memory.remember("L1", recordOf(2), rowsOf(2));
  expect(await memory.rowsOf("L1", recordOf(1))).toBeNull();
  expect(readdirSync(folderIn(folder)).some((name) => name.includes(".77."))).toBe(false);
  expect((await memory.records("L1")).size).toBe(2);
  // A month of records is deleted as a whole.
  now += 435 * DAY_MS;
  await memory.remember("L1", recordOf(3), rowsOf(3));
  expect([...(await memory.records("L1")).keys()]).toEqual(["B3"]);
});

test("reports a memory that cannot be written, once until it can", async () => {
  const folder = scratch();
  const told: string[] = [];
  const memory = reportingMemory(createRestoreMemory(folder, systemClock), (words) =>
    told.push(words),
  );
  await memory.since("L1");
  const inTheWay = join(folderIn(folder), `${new Date().toISOString().slice(0, 7)}.jsonl`);
  mkdirSync(inTheWay);
  for (let tries = 0; tries < 2; tries += 1) {
    await expect(memory.remember("L1", recordOf(1), rowsOf(1))).rejects.toThrow("EISDIR");
  }
  expect(told).toHaveLength(1);
});
