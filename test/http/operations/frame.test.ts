import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { recordHeartbeat } from "#ledger/operations/throughput-samples.ts";
import { LATENCY_MS, TRAFFIC_COUNTERS } from "#operations/traffic-counters.ts";
import { type Caller, startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { sendForApproval, ingestFile } from "../../support/ledger.ts";
import { fileText } from "../../support/servers/payrun.ts";

const HOUR_MS = 3_600_000;
/** Reports the server's time, right or wrong. */
const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + HOUR_MS };
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ clock });
});
afterAll(() => server.close());

const frame = async (caller: Caller) => (await caller.get("/api/frame")).json;
/** Users share a status indicator that may be a moment old. */
const lightThat = async (state: string) => {
  const seen = () => frame(server.as("viewer"));
  await expect
    .poll(async () => (await seen()).status_indicator.state, { timeout: 10_000 })
    .toBe(state);
  return (await seen()).status_indicator;
};
const work = (slowAnswers = 0, sweptAgoMs = 400) =>
  recordHeartbeat(
    server.deps.database,
    { id: "w1", host: "one", pid: 7, version: "1", startedAt: new Date(0), slots: 32 },
    {
      works: true,
      inFlight: 0,
      sweptAgoMs,
      gatewayOffsetMs: 0,
      jobs: [],
      samples: [
        {
          lane: "",
          counts: TRAFFIC_COUNTERS.map(() => 0),
          latency: LATENCY_MS.map((end) => (end === 9_700 ? slowAnswers : 0)),
        },
      ],
    },
  );

test("updates the status indicator with the sending status, and shows a pause with its reason and start", async () => {
  expect((await lightThat("stopped")).says).toContain("No worker is running");
  await work(0, 40_000);
  await expect
    .poll(async () => (await frame(server.as("viewer"))).status_indicator, { timeout: 10_000 })
    .toMatchObject({
      state: "stopped",
      says: "No work is reaching the workers. No payouts are being sent, and no statuses are being queried.",
      idle: {
        says: "No work is reaching the workers. No payouts are being sent, and no statuses are being queried.",
      },
    });
  await work();
  expect(await lightThat("idle")).toMatchObject({ since: null, idle: null });
  await work(40);
  expect((await lightThat("slow")).says).toContain("the gateway is slow");
  const pausedMs = systemClock.nowMs();
  const order = { lane: "all", reason: "the bank called" };
  expect((await server.as("operator").post("/api/lanes/pause", order)).status).toBe(204);
  const { says, since } = await lightThat("paused");
  expect(says).toContain("the bank called");
  expect(Math.abs(Date.parse(since) - pausedMs)).toBeLessThan(60_000);
});

test("reports the time of the server's clock", async () => {
  const { at } = await frame(server.as("viewer"));
  expect(Math.abs(Date.parse(at) - systemClock.nowMs() - HOUR_MS)).toBeLessThan(60_000);
});

test("counts what awaits approval for users who may approve it", async () => {
  const { ledger, database } = server.deps;
  const both = await server.newUser(["uploader", "approver"]);
  const { batch } = await ingestFile(ledger, fileText([{}]), `user:${both.userId}`);
  await sendForApproval(database, batch);
  expect((await frame(server.as("approver"))).approve).toBe(1);
  expect((await frame(both)).approve).toBe(0);
  expect((await frame(server.as("viewer"))).approve).toBe(0);
});
