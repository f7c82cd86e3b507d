import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { recordHeartbeat } from "#ledger/operations/throughput-samples.ts";
import { LATENCY_MS, TRAFFIC_COUNTERS } from "#operations/traffic-counters.ts";
import { laneParts } from "#payout/payout.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { ingestFile, laneIn } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";

let server: TestServer;
const INR = laneIn("INR");
const { merchantCode } = laneParts(INR);
beforeAll(async () => {
  server = await startTestServer();
  await ingestFile(server.deps.ledger, fileText(rowsOf(2)));
});
afterAll(() => server.close());

const get = async (path: string) => (await server.as("viewer").get(path)).json;
const laneShown = async () =>
  (await get("/api/operations")).lanes.find((each: { lane: string }) => each.lane === INR);

describe("the name of a merchant account", () => {
  const setName = (name: string | null, role: "admin" | "operator" = "admin") =>
    server.as(role).send("PUT", `/api/merchant-accounts/${merchantCode}`, { body: { name } });

  test("is the merchant code until an admin sets another", async () => {
    expect((await laneShown()).name).toBe(`INR · ${merchantCode}`);
    expect((await setName("Main account")).status).toBe(204);
    await expect.poll(async () => (await laneShown()).name).toBe("INR · Main account");
    const { items } = await get("/api/merchant-accounts");
    expect(items).toMatchObject([{ merchant_code: merchantCode, name: "Main account" }]);
    expect(items[0].lanes).toContain(INR);
    expect((await setName(null)).status).toBe(204);
    await expect.poll(async () => (await laneShown()).name).toBe(`INR · ${merchantCode}`);
  });

  test("is set by admins only, and only for known accounts", async () => {
    expect((await setName("Main account", "operator")).status).toBe(403);
    const unknown = await server
      .as("admin")
      .send("PUT", "/api/merchant-accounts/NOBODY", { body: { name: "Main account" } });
    expect(unknown.status).toBe(404);
  });
});

test("returns the recent traffic of each lane", async () => {
  await recordHeartbeat(
    server.deps.database,
    { id: "w1", host: "one", pid: 7, version: "1", startedAt: new Date(0), slots: 32 },
    {
      works: true,
      inFlight: 0,
      sweptAgoMs: 400,
      gatewayOffsetMs: 0,
      jobs: [{ queue: "payrun-submit", finished: 3, failed: 1 }],
      samples: [
        {
          lane: INR,
          counts: TRAFFIC_COUNTERS.map((name) =>
            name === "accepted" ? 54 : name === "refused_row" ? 6 : 0,
          ),
          latency: LATENCY_MS.map((end) => (end === 110 ? 60 : 0)),
        },
      ],
    },
  );
  const { items } = await get("/api/operations/lane-rates");
  expect(items).toMatchObject([{ lane: INR, accepted_percent: 90, p95_ms: 108 }]);
  expect(items[0].sent.reduce((sum: number, count: number) => sum + count)).toBe(60);
});

test("lists events of lanes, newest first", async () => {
  const operator = server.as("operator");
  await operator.post("/api/lanes/pause", { lane: INR, reason: "bank maintenance" });
  await operator.post("/api/lanes/resume", { lane: INR, reason: "bank is back" });
  const { items, is_more } = await get("/api/operations/events?hours=1");
  expect(is_more).toBe(false);
  expect(items.slice(0, 2)).toMatchObject([
    { kind: "resume_lane", lane: INR, lane_name: `INR · ${merchantCode}`, text: "bank is back" },
    { kind: "pause_lane", text: "bank maintenance" },
  ]);
  expect(items[0].actor_name).not.toMatch(/^user:/);
});

test("lists queues, their history and their jobs", async () => {
  const { queues } = server.deps;
  const queue = await queues.queue("payrun-callback");
  await queue.add("payrun-callback", { v: 1, transactionCode: "PR1" }, { jobId: "callback-PR1" });
  const { items: jobs } = await get("/api/operations/queues/payrun-callback/jobs");
  expect(jobs).toMatchObject([
    { id: "callback-PR1", due_at: null, payload: { transactionCode: "PR1" } },
  ]);
  const { items } = await get("/api/operations/queue-history?hours=1");
  expect(items).toHaveLength(4);
  expect(items[0]).toMatchObject({ name: "payrun-submit", step_minutes: 1 });
  expect(items[0].finished).toHaveLength(60);
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  expect([sum(items[0].finished), sum(items[0].failed)]).toEqual([3, 1]);
});
