import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DURATIONS } from "#base/telemetry/histograms.ts";
import { metricsText } from "#http/operations/metrics.ts";
import type { Overview } from "#views/operations/overview.ts";
import { startTestServer, type TestServer } from "../../support/dashboard/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** A line of the text format: a known comment, or a name, labels and a number. */
const LINE =
  /^(?:# (?:HELP|TYPE) payrun_\w+ .+|payrun_\w+(?:\{\w+="(?:[^"\\\n]|\\["\\n])*"(?:,\w+="(?:[^"\\\n]|\\["\\n])*")*\})? -?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;
const linesOf = (text: string): string[] => text.trimEnd().split("\n");
const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/^# TYPE (payrun_\w+) gauge$/gm)].map(([, name = ""]) => name)),
];

test("lets a program with a key scrape, with every line in the format", async () => {
  const { status, text, headers } = await (await server.newKey(["read"])).get("/api/metrics");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(linesOf(text).filter((line) => !LINE.test(line))).toEqual([]);
  expect(linesOf(text)).toContain("payrun_ledger_frozen 0");
  expect((await server.nobody.get("/api/metrics")).status).toBe(401);
});

test("counts requests by route and statements by table, without an address or a value", async () => {
  await server.as("viewer").get("/api/batches/BPLANTED001?search=planted");
  await server.nobody.get("/planted/path");
  const { text } = await server.as("viewer").get("/api/metrics");
  const counts = linesOf(text).filter((line) => /_duration_seconds_count/.test(line));
  const counted = (labels: string) => counts.some((line) => line.includes(labels));
  expect(
    counted(
      'http_request_duration_seconds_count{method="GET",route="/api/batches/:id",status="4xx"}',
    ),
  ).toBe(true);
  expect(
    counted('ledger_statement_duration_seconds_count{statement="select batches",result="ok"}'),
  ).toBe(true);
  expect(text.toLowerCase()).not.toContain("planted");
});

test("reports problems with their labels, the oldest and the worst, and omits unknown values", async () => {
  const { json: quiet } = await server.as("viewer").get("/api/operations");
  const at = "2026-11-21T10:00:00.000Z";
  const busy: Overview = {
    ...quiet,
    at,
    alarms: [{ code: "lane_stopped", level: "critical", says: "" }],
    in_doubt: { count: 2, sums: [], oldest_at: "2026-11-21T09:58:30.000Z" },
    on_hold: {
      count: 3,
      sums: [],
      oldest_at: null,
      by_reason: [{ reason: 'a "b"\\', text: "", count: 3, sums: [], oldest_at: at }],
    },
    lanes: [
      {
        lane: "M1/INR",
        to_send: 5,
        submitting: 1,
        accepted: 4,
        in_doubt: 2,
        pause: null,
        stop: { breaker: { code: "in_doubt" } },
      },
    ],
    p50_ms: 40,
    p95_ms: null,
    workers: [worker(30, 250), worker(5, -900), { ...worker(99, 5_000), is_alive: false }],
    queue: {
      engine: "redis",
      queues: [{ name: "submit", waiting: 7, active: 1, delayed: 0, oldest_at: null }],
      redis: null,
    },
  } as Overview;
  function worker(sweptSeconds: number, offsetMs: number) {
    const swept_at = new Date(Date.parse(at) - sweptSeconds * 1_000).toISOString();
    const slots = { slots: 32, in_flight: 3 };
    return { ...slots, swept_at, gateway_offset_ms: offsetMs, is_alive: true, works: true };
  }

  const text = metricsText(busy);
  expect(linesOf(text).filter((line) => !LINE.test(line))).toEqual([]);
  expect(linesOf(text)).toEqual(
    expect.arrayContaining([
      'payrun_alarms{code="lane_stopped",level="critical"} 1',
      "payrun_payouts_in_doubt_oldest_seconds 90",
      'payrun_payouts_on_hold{reason="a \\"b\\"\\\\"} 3',
      'payrun_lane_payouts{lane="M1/INR",state="in_doubt"} 2',
      'payrun_lane_stopped{lane="M1/INR",breaker="in_doubt"} 1',
      'payrun_gateway_answer_seconds{quantile="0.5"} 0.04',
      "payrun_workers 2",
      "payrun_submit_slots_used 6",
      "payrun_sweep_age_seconds 30",
      "payrun_gateway_clock_offset_seconds 0.9",
      'payrun_queue_jobs{queue="submit",state="waiting"} 7',
    ]),
  );
  for (const unknown of ['quantile="0.95"', "payrun_redis_used_bytes", "payrun_lane_paused"])
    expect(text).not.toContain(unknown);

  // The page lists exactly the existing metrics.
  const page = readFileSync(new URL("../../../docs/operate/metrics.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^- `(payrun_\w+)`/gm)].map(([, name = ""]) => name);
  const durations = Object.values(DURATIONS).map(({ name }) => `payrun_${name}`);
  const full = metricsText({
    ...busy,
    pause_of_all: { reason: "" } as Overview["pause_of_all"],
    queue: {
      ...busy.queue,
      queues: [{ name: "submit", waiting: 7, active: 1, delayed: 0, oldest_at: at }],
      redis: { version: "8", policy: "noeviction", append_only: true, used_bytes: 9, max_bytes: 0 },
    },
  });
  expect([...namesIn(full), ...durations]).toEqual(listed);
});
