import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import {
  recordHeartbeat,
  removeProcess,
  type Process,
  findLaneSamples,
  findThroughputSamples,
  findWorkers,
} from "#ledger/operations/throughput-samples.ts";
import { LATENCY_MS, TRAFFIC_COUNTERS } from "#operations/traffic-counters.ts";
import { openTestLedger, type TestLedger } from "../../support/ledger.ts";
import { query } from "../../support/servers/postgres.ts";

let open: TestLedger;
beforeEach(async () => {
  open = await openTestLedger();
});
afterEach(() => open.close());

const processOf = (id: string): Process => ({
  id,
  host: "one",
  pid: 7,
  version: "1.2.3",
  startedAt: new Date(systemClock.nowMs()),
  slots: 32,
});
const counting = (accepted: number, lane = "ACME/INR") => ({
  works: true,
  inFlight: 3,
  sweptAgoMs: 400,
  gatewayOffsetMs: -2_000,
  jobs: [],
  samples: [
    {
      lane,
      counts: TRAFFIC_COUNTERS.map((name) => (name === "accepted" ? accepted : 0)),
      latency: LATENCY_MS.map((end) => (end === 50 ? accepted : 0)),
    },
  ],
});
const beats = (id: string, accepted: number, lane?: string) =>
  recordHeartbeat(open.database, processOf(id), counting(accepted, lane));
const sql = (text: string) => query(open.url, text);
const accepted = async (seconds: number, step: number) =>
  (await findThroughputSamples(open.database, { seconds, step })).map(({ counts }) => counts[0]);

test("keeps a process listed while it reports, until it leaves", async () => {
  await beats("w1", 0);
  await beats("w2", 5);
  const lines = await findWorkers(open.database);
  expect(lines.map(({ id }) => id).toSorted()).toEqual(["w1", "w2"]);
  expect(lines[0]).toMatchObject({
    host: "one",
    pid: 7,
    version: "1.2.3",
    works: true,
    inFlight: 3,
  });
  expect(lines[0]).toMatchObject({ slots: 32, gatewayOffsetMs: -2_000 });
  expect(lines[0]?.seenAgoMs).toBeGreaterThanOrEqual(0);
  expect(lines[0]?.sweptAgoMs).toBeGreaterThanOrEqual(400);
  await removeProcess(open.database, processOf("w1"));
  expect((await findWorkers(open.database)).map(({ id }) => id)).toEqual(["w2"]);
});

test("adds up the counts of all processes, position by position", async () => {
  await Promise.all(Array.from({ length: 20 }, (_, at) => beats(`w${at % 4}`, 2)));
  const summed = (await findThroughputSamples(open.database, { seconds: 60, step: 60 })).flatMap(
    ({ counts, latency }) => [...counts, ...latency],
  );
  expect(summed.filter((count) => count !== 0).reduce((sum, count) => sum + count)).toBe(80);
  const now = (await accepted(60, 10)).reduce<number>((sum, count) => sum + (count ?? 0), 0);
  expect(now).toBe(40);
});

test("keeps the counts of each lane apart", async () => {
  await beats("w1", 2, "ACME/THB");
  await beats("w1", 3);
  const span = { seconds: 60, step: 3_600 };
  const lanes = await findLaneSamples(open.database, span);
  expect(lanes.map(({ lane, counts }) => [lane, counts[0]])).toEqual([
    ["ACME/INR", 3],
    ["ACME/THB", 2],
  ]);
  const [thb] = await findThroughputSamples(open.database, { ...span, lane: "ACME/THB" });
  expect(thb?.counts[0]).toBe(2);
});

test("writes only that the process is alive while idle", async () => {
  await beats("w1", 0);
  expect(await sql("select at from throughput_samples")).toEqual([]);
});

test("adds a longer list to one of an older version", async () => {
  await sql(
    `insert into throughput_samples values (to_timestamp(floor(extract(epoch from now()) / 10) * 10), '{4}', '{}', 'ACME/INR')`,
  );
  await beats("w1", 3);
  const [step] = await findThroughputSamples(open.database, { seconds: 60, step: 3_600 });
  expect(step?.counts).toHaveLength(TRAFFIC_COUNTERS.length);
  expect([3, 7]).toContain(step?.counts[0]); // 3: the ten seconds ended in between
});

test("deletes old data: counts after seven days, dead processes after one", async () => {
  await beats("died", 1);
  await sql("update workers set seen_at = now() - interval '25 hours'");
  await sql("update throughput_samples set at = at - interval '8 days'");
  await beats("w1", 0);
  expect((await findWorkers(open.database)).map(({ id }) => id)).toEqual(["w1"]);
  expect(await sql("select at from throughput_samples")).toEqual([]);
});
