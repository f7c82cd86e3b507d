import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#base/clock.ts";
import { recordHeartbeat } from "#ledger/operations/throughput-samples.ts";
import { LATENCY_MS, TRAFFIC_COUNTERS } from "#operations/traffic-counters.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { build, version } from "#base/version.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";
import { eventually } from "../../support/servers/eventually.ts";
import { claimOf, laneIn, ingestFile } from "../../support/ledger.ts";
import { fileText, rowsOf } from "../../support/servers/payrun.ts";
import { query } from "../../support/servers/postgres.ts";

let server: TestServer;
let batchId: string;
const INR = laneIn("INR");
beforeAll(async () => {
  server = await startTestServer();
  const { ledger } = server.deps;
  ({ id: batchId } = (await ingestFile(ledger, fileText(rowsOf(20)))).batch);
  // The test concerns what follows the approval.
  await sql("set session_replication_role = replica; update batches set people_needed = 1");
  await ledger.payout.moveBatch({ id: batchId, event: "approve", reason: null, actor: "checker" });
});
afterAll(() => server.close());
// A worker that has been silent for a while counts as gone.
beforeEach(() => sign("w1", build));

const sql = (text: string) => query(server.deps.databaseUrl, text);
const sign = (id: string, ofVersion: string, accepted = 0) =>
  recordHeartbeat(
    server.deps.database,
    { id, host: "one", pid: 7, version: ofVersion, startedAt: new Date(0), slots: 32 },
    {
      works: true,
      inFlight: 3,
      sweptAgoMs: 400,
      gatewayOffsetMs: 250,
      jobs: [],
      samples: [
        {
          lane: INR,
          counts: TRAFFIC_COUNTERS.map((name) => (name === "accepted" ? accepted : 0)),
          latency: LATENCY_MS.map((end) => (end === 110 ? accepted : 0)),
        },
      ],
    },
  );
/** Read from now on: users share an answer that may be a moment old. */
const overview = async () => {
  const sinceMs = systemClock.nowMs();
  for (;;) {
    const { json } = await server.as("viewer").get("/api/operations");
    if (Date.parse(json.at) > sinceMs) return json;
    await systemClock.sleep(100);
  }
};
const laneOf = async () =>
  (await overview()).lanes.find((each: { lane: string }) => each.lane === INR);
const post = (path: string, body: object) => server.as("operator").post(path, body);
const claim = () => server.deps.ledger.payout.openAttempts(claimOf(batchId, { sizeMax: 1 }));

describe("the overview", () => {
  test("is healthy when all is well, and shows the state of each part", async () => {
    await sign("w1", version, 90);
    const seen = await overview();
    expect(seen.alarms).toEqual([]);
    expect(seen.sends_per_second).toBeGreaterThan(0);
    expect(seen.counts).toMatchObject({ accepted: 90, ambiguous: 0 });
    expect(seen.p95_ms).toBeLessThanOrEqual(110);
    expect(seen.workers).toMatchObject([
      { id: "w1", is_alive: true, is_current: true, in_flight: 3, slots: 32 },
    ]);
    expect(seen.queue).toMatchObject({
      engine: "postgres",
      queues: [
        { name: "payrun-submit", waiting: 0 },
        { name: "payrun-resolve" },
        { name: "payrun-callback" },
        { name: "payrun-deposit" },
      ],
    });
    expect(seen.ledger).toMatchObject({ epoch: 1, is_frozen: false, is_durable: true });
    expect(seen.lanes).toMatchObject([{ lane: INR, currency: "INR", to_send: 20, stop: null }]);
  });

  test("counts payouts in doubt and on hold, with sums and the oldest", async () => {
    const [attempt] = await claim();
    await sql(`update payouts set state = 'in_doubt', last_sent_at = now() - interval '20 minutes'
      where id = ${attempt?.payoutId}`);
    await sql(
      "update payouts set state = 'on_hold', reason = 'amount_mismatch: INR 7' where line = 21",
    );
    const seen = await overview();
    expect(seen.in_doubt).toMatchObject({
      count: 1,
      sums: [{ currency: "INR", amount: "100.00" }],
    });
    expect(seen.on_hold.by_reason).toMatchObject([
      { reason: "amount_mismatch", count: 1, text: expect.stringContaining("different amount") },
    ]);
    const says = "1 payout in doubt, the oldest for 20 min";
    expect(seen.alarms).toMatchObject([{ code: "in_doubt_too_long", level: "critical", says }]);
    expect(await laneOf()).toMatchObject({ to_send: 18, in_doubt: 1, is_more: false });
    await sql("update payouts set last_sent_at = now() where state = 'in_doubt'");
  });

  test("does not report a missing sweep for a worker that has just started", async () => {
    const begun = (ago: string) =>
      sql(`update workers set swept_at = null, started_at = now() - interval '${ago}'`);
    const codes = async () => (await overview()).alarms.map(({ code }: { code: string }) => code);
    await begun("50 seconds");
    expect(await codes()).not.toContain("no_sweep");
    await begun("70 seconds");
    expect(await codes()).toContain("no_sweep");
  });

  test("shows a process that ended silently, and one of another version", async () => {
    await sign("dead", build);
    await sign("old", "0.0.1");
    await sql("update workers set seen_at = now() - interval '2 minutes' where id = 'dead'");
    const seen = await overview();
    const codes = seen.alarms.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(["worker_not_reporting", "versions_mixed"]);
    expect(seen.alarms[1].says).toBe(
      `1 worker running a different build: 0.0.1 instead of ${build}`,
    );
    const dead = seen.workers.find(({ id }: { id: string }) => id === "dead");
    expect(dead).toMatchObject({ is_alive: false });
    await sql("delete from workers where id <> 'w1'");
  });

  test("raises versions_mixed for a worker of the same version built from another commit", async () => {
    const other = `${version}+000000000000`;
    await sign("other", other);
    const { alarms, workers } = await overview();
    expect(alarms).toMatchObject([
      {
        code: "versions_mixed",
        says: `1 worker running a different build: ${other} instead of ${build}`,
      },
    ]);
    expect(workers.find(({ id }: { id: string }) => id === "other")).toMatchObject({
      version: other,
      is_current: false,
    });
    await sql("delete from workers where id <> 'w1'");
  });

  test("reports the last minutes step by step, for charts", async () => {
    const { json } = await server.as("viewer").get("/api/operations/rates?minutes=30");
    expect(json.step_seconds).toBe(10);
    const accepted = json.steps.map(
      (step: { counts: { accepted: number } }) => step.counts.accepted,
    );
    expect(accepted.reduce((sum: number, count: number) => sum + count, 0)).toBe(90);
    const day = await server.as("viewer").get("/api/operations/rates?minutes=1440");
    expect(day.json.step_seconds).toBe(480);
    const other = await server.as("viewer").get("/api/operations/rates?minutes=30&lane=OTHER/INR");
    expect(other.json.steps).toEqual([]);
  });

  test("contains the runbook", async () => {
    const { json } = await server.as("viewer").get("/api/operations/runbook/in_doubt_too_long");
    expect(json.parts).toHaveLength(5);
    const { status } = await server.as("viewer").get("/api/operations/runbook/nothing");
    expect(status).toBe(400);
  });
});

describe("a lane", () => {
  test("is paused with a reason, sends nothing, and continues when resumed", async () => {
    const paused = await post("/api/lanes/pause", { lane: INR, reason: "the bank called" });
    expect(paused.status).toBe(204);
    expect(await claim()).toEqual([]);
    expect((await laneOf()).pause).toMatchObject({
      reason: "the bank called",
      actor: `user:${server.as("operator").userId}`,
      until: null,
    });
    expect((await overview()).alarms).toMatchObject([{ code: "lane_paused", level: "info" }]);
    const resumed = await post("/api/lanes/resume", { lane: INR, reason: "they called again" });
    expect(resumed.status).toBe(204);
    expect(await claim()).toHaveLength(1);
    const again = await post("/api/lanes/resume", { lane: INR, reason: "again" });
    expect(again).toMatchObject({ status: 409, json: { code: "lane_not_paused" } });
  });

  test("is drained: started payouts are still sent, and the page shows how many remain", async () => {
    await post("/api/lanes/pause", { lane: INR, reason: "cut-off", mode: "drain" });
    expect((await laneOf()).pause).toMatchObject({ mode: "drain", finishing: 1 });
    const page = await server.as("viewer").get(`/api/batches/${batchId}`);
    expect(page.json.lanes).toMatchObject([{ lane: INR, stopped: null }]);
    expect(await claim()).toHaveLength(1);
    await post("/api/lanes/resume", { lane: INR, reason: "done" });
  });

  test("is paused with all others, until a time", async () => {
    const until = new Date(systemClock.nowMs() + 3_600_000).toISOString();
    await post("/api/lanes/pause", { lane: "all", reason: "maintenance", until });
    expect((await overview()).pause_of_all).toMatchObject({ reason: "maintenance", until });
    expect(await claim()).toEqual([]);
    await post("/api/lanes/resume", { lane: "all", reason: "done" });
    expect((await overview()).pause_of_all).toBeNull();
  });

  test.each([
    [{ lane: INR }, 400],
    [{ lane: INR, reason: "  " }, 400],
    [{ lane: INR, reason: "why", until: "2001-01-01T00:00:00Z" }, 400],
    [{ lane: "M/XXX", reason: "why" }, 404],
  ])("is not paused by %j", async (body, status) => {
    expect((await post("/api/lanes/pause", body)).status).toBe(status);
  });

  test("is reopened by hand after an automatic stop, on the audit log", async () => {
    await server.deps.ledger.payout.stopLane(INR, { until: "person", reason: "wrong key" });
    expect((await overview()).alarms).toMatchObject([
      { code: "lane_needs_person", level: "critical" },
    ]);
    const opened = await post("/api/lanes/open", { lane: INR, reason: "new key" });
    expect(opened.status).toBe(204);
    expect(await laneOf()).toMatchObject({ stop: null, breaker_openings: [{ breaker: "set_up" }] });
    const again = await post("/api/lanes/open", { lane: INR, reason: "new key" });
    expect(again.json).toMatchObject({ code: "lane_not_stopped" });
    expect(await sql("select actor, object, facts from audit order by seq desc limit 1")).toEqual([
      {
        actor: `user:${server.as("operator").userId}`,
        object: INR,
        facts: JSON.stringify({ reason: "new key" }),
      },
    ]);
  });

  test("is controlled only by operators", async () => {
    for (const role of ["viewer", "uploader", "approver", "auditor", "admin"] as const) {
      for (const verb of ["pause", "resume", "open"]) {
        const body = { lane: INR, reason: "mine" };
        expect((await server.as(role).post(`/api/lanes/${verb}`, body)).status, role).toBe(403);
      }
    }
  });
});

describe("a frozen ledger", () => {
  test("is explained, and unfrozen by a person with a fresh proof", async () => {
    const { ledger } = server.deps;
    expect((await server.as("operator").get("/api/operations/freeze")).json).toEqual({
      freeze: null,
    });
    await ledger.integrity.freeze({ reason: "manually: a drill", actor: "cli:test" });
    const { json } = await server.as("operator").get("/api/operations/freeze");
    expect(json.freeze).toMatchObject({
      epoch: 2,
      cause: "frozen",
      reason: "manually: a drill",
    });
    expect(json.freeze.lanes).toMatchObject([{ lane: INR, in_progress: 19 }]);
    const alarm = { code: "ledger_frozen", level: "critical" };
    expect((await overview()).alarms[0]).toMatchObject(alarm);

    const [quarantined] = await sql(`insert into quarantine (batch_id, cause, rows)
      select id, 'frozen', 1 from batches where state in ('awaiting_approval', 'approved') limit 1 returning batch_id`);
    const drill = { epoch: 2, reason: "the drill is over", hold_unqueried: true };
    const release = [String(quarantined?.["batch_id"])];
    const body = { ...drill, release, without_memory: true };
    const unproven = await post("/api/operations/unfreeze", body);
    expect(unproven).toMatchObject({ status: 403, json: { code: "step_up_required" } });
    await sql("update sessions set stepped_up_until = now() + interval '5 minutes'");
    const undecided = await post("/api/operations/unfreeze", { ...drill, without_memory: true });
    expect(undecided).toMatchObject({ status: 409, json: { code: "decisions_missing" } });
    expect(undecided.json.places).toMatchObject([{ place: release[0] }]);
    const early = await post("/api/operations/unfreeze", { ...body, hold_unqueried: false });
    expect(early).toMatchObject({ status: 409, json: { code: "ledger_still_frozen" } });
    expect((await post("/api/operations/unfreeze", { ...body, epoch: 1 })).status).toBe(409);
    expect((await post("/api/operations/unfreeze", body)).status).toBe(204);
    expect(await ledger.integrity.verify()).toBeNull();
    const late = await post("/api/operations/unfreeze", body);
    expect(late.json).toMatchObject({ code: "ledger_not_frozen" });
    expect(await verifyAudit(server.deps.database)).toMatchObject({ intact: true });
  });
});

test("shares one ledger query among many viewers", async () => {
  await overview();
  const [first, ...others] = await Promise.all(
    Array.from({ length: 20 }, () => server.as("viewer").get("/api/operations")),
  );
  expect(new Set(others.map(({ json }) => json.at))).toEqual(new Set([first?.json.at]));
  await eventually("a newer look", async () => {
    const { json } = await server.as("viewer").get("/api/operations");
    return json.at !== first?.json.at;
  });
});

test("shows the overview of a new ledger as well", async () => {
  const fresh = await startTestServer();
  const shown = { status: 200, json: { alarms: [{ code: "no_workers" }], lanes: [] } };
  expect(await fresh.as("viewer").get("/api/operations")).toMatchObject(shown);
  await fresh.close();
});
