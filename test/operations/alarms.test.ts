import { describe, expect, test } from "vitest";
import { runbookParts } from "#http/operations/runbook.ts";
import { ALARM_CODES, ALARMS, type AlarmCode, activeAlarms } from "#operations/alarms.ts";
import type { Observations } from "#operations/observations.ts";
import { readFileSync } from "node:fs";

const MINUTE_MS = 60_000;
const WORKER = {
  works: true,
  version: "1+a",
  seenAgoMs: 2_000,
  sweptAgoMs: 600,
  gatewayOffsetMs: 40,
};
const WELL: Observations = {
  freeze: null,
  isDurable: true,
  databaseOffsetMs: 3,
  queue: { policy: "noeviction", obstacle: null, oldestWaitMs: 20 },
  workers: [WORKER],
  version: "1+a",
  inDoubt: { count: 2, oldestMs: 10_000 },
  held: { count: 1, oldestMs: MINUTE_MS },
  takenTwice: 0,
  unapproved: [],
  deposits: { in_doubt: { count: 1, oldestMs: 9_000 }, manual: { count: 0, oldestMs: 0 } },
  silent: [],
  stopped: [],
  webhooks: [],
  waiting: [],
  paused: [],
  recentCounts: { tries: 5_000, duplicate: 3, unmapped: 0, strayCallbacks: 0 },
};
const stop = (needs: "wait" | "person" | "answers", sinceMs = 0, breaker = "in_doubt") => ({
  stopped: [{ lane: "M/INR", name: "INR · M", reason: "because", needs, sinceMs, breaker }],
});
const deposits = (state: "in_doubt" | "manual", ageMinutes: number) => ({
  deposits: { ...WELL.deposits, [state]: { count: 2, oldestMs: ageMinutes * MINUTE_MS } },
});
const SILENT = { name: "INR · M", count: 3, isMore: false, code: "PR7", silentMs: 31 * MINUTE_MS };
const worker = (change: Partial<typeof WORKER>) => ({ workers: [{ ...WORKER, ...change }] });
const codes = (change: Partial<Observations>) =>
  activeAlarms({ ...WELL, ...change }).map(({ code }) => code);

/** For each alarm, the conditions that raise only this alarm, and those just below. */
const CASES: Readonly<
  Record<AlarmCode, readonly [rings: Partial<Observations>, rests: Partial<Observations>]>
> = {
  ledger_frozen: [{ freeze: { cause: "frozen", reason: "a copy was put back" } }, {}],
  database_not_durable: [{ isDurable: false }, {}],
  no_workers: [{ workers: [] }, worker({ seenAgoMs: 29_000 })],
  no_sweep: [worker({ sweptAgoMs: 61_000 }), worker({ sweptAgoMs: 59_000 })],
  queue_unavailable: [
    { queue: null },
    { queue: { policy: null, obstacle: null, oldestWaitMs: null } },
  ],
  queue_evicts: [{ queue: { policy: "allkeys-lru", obstacle: null, oldestWaitMs: null } }, {}],
  lane_needs_person: [stop("person"), {}],
  batch_needs_person: [{ waiting: [{ batchId: "B1", reason: "canary: PR7 is declined" }] }, {}],
  clocks_differ: [{ databaseOffsetMs: -31_000 }, worker({ gatewayOffsetMs: 29_000 })],
  in_doubt_too_long: [
    { inDoubt: { count: 1, oldestMs: 19 * MINUTE_MS } },
    { inDoubt: { count: 600, oldestMs: 17 * MINUTE_MS } },
  ],
  in_doubt_limit_reached: [stop("answers"), {}],
  no_final_states: [stop("answers", 0, "no_final_state"), {}],
  no_status_answers: [{ silent: [SILENT] }, {}],
  lane_not_recovering: [stop("wait", 11 * MINUTE_MS), stop("wait", 9 * MINUTE_MS)],
  codes_already_used: [
    { recentCounts: { ...WELL.recentCounts, duplicate: 51 } },
    { recentCounts: { ...WELL.recentCounts, duplicate: 50 } },
  ],
  unreadable_answers: [{ recentCounts: { ...WELL.recentCounts, unmapped: 1 } }, {}],
  approvals_missing: [{ unapproved: ["B1"] }, {}],
  possible_double_payment: [{ takenTwice: 1 }, {}],
  payouts_on_hold: [
    { held: { count: 1, oldestMs: 241 * MINUTE_MS } },
    { held: { count: 9, oldestMs: 239 * MINUTE_MS } },
  ],
  deposits_in_doubt: [deposits("in_doubt", 16), deposits("in_doubt", 14)],
  deposits_on_hold: [deposits("manual", 241), deposits("manual", 239)],
  jobs_waiting: [
    { queue: { policy: null, obstacle: null, oldestWaitMs: 6 * MINUTE_MS } },
    { queue: { policy: null, obstacle: null, oldestWaitMs: 4 * MINUTE_MS } },
  ],
  webhook_behind: [
    { webhooks: [{ name: "ERP", behindMs: 16 * MINUTE_MS }] },
    { webhooks: [{ name: "ERP", behindMs: 14 * MINUTE_MS }] },
  ],
  worker_not_reporting: [
    { workers: [WORKER, { ...WORKER, seenAgoMs: 40_000 }] },
    { workers: [WORKER, { ...WORKER, seenAgoMs: 16 * MINUTE_MS }] },
  ],
  versions_mixed: [{ workers: [WORKER, { ...WORKER, version: "1+b" }] }, {}],
  stray_callbacks: [{ recentCounts: { ...WELL.recentCounts, strayCallbacks: 1 } }, {}],
  lane_paused: [{ paused: [{ name: "every lane", reason: "the bank called" }] }, {}],
};

test("says that the ledger is frozen only if it is", () => {
  const says = (cause: "frozen" | "other_epoch") =>
    activeAlarms({ ...WELL, freeze: { cause, reason: "why" } })[0]?.says;
  expect(says("frozen")).toBe("the ledger is frozen and no payouts are being sent: why");
  expect(says("other_epoch")).toBe("no payouts are being sent: why");
});

test("raises no alarm while all is well", () => {
  expect(activeAlarms(WELL)).toEqual([]);
});

describe("an alarm", () => {
  test.each(ALARM_CODES)("%s is raised by its own cause only, with a sentence", (code) => {
    const [rings, rests] = CASES[code];
    expect(codes(rings)).toEqual([code]);
    expect(codes(rests)).toEqual([]);
    expect(activeAlarms({ ...WELL, ...rings })[0]?.says).toMatch(/^[\w']+ .*\w/);
  });

  test("names the builds, also of the same version", () => {
    const others = [
      { ...WORKER, version: "1+b" },
      { ...WORKER, version: "1+b" },
    ];
    const [alarm] = activeAlarms({ ...WELL, workers: [WORKER, ...others] });
    expect(alarm?.says).toBe("2 workers running a different build: 1+b instead of 1+a");
  });

  test("is raised for a gateway's clock that differs, but not because of a dead process", () => {
    expect(codes(worker({ gatewayOffsetMs: 45_000 }))).toEqual(["clocks_differ"]);
    const gone = { ...WORKER, gatewayOffsetMs: 45_000, seenAgoMs: 60 * MINUTE_MS };
    expect(codes({ workers: [WORKER, gone] })).toEqual([]);
  });

  test("names the webhooks that are behind, and counts further ones", () => {
    const webhooks = ["ERP", "Shop", "Mirror", "Archive"].map((name, at) => ({
      name,
      behindMs: (20 + at) * MINUTE_MS,
    }));
    const late = [...webhooks, { name: "Fast", behindMs: MINUTE_MS }];
    expect(activeAlarms({ ...WELL, webhooks: late })[0]?.says).toBe(
      "4 webhooks not receiving events: ERP (since 20 min); Shop (since 21 min); Mirror (since 22 min); and 1 more",
    );
  });

  test("reports unanswered status queries by lane, with the amount, the start and the first payout", () => {
    const silent = [
      SILENT,
      { ...SILENT, name: "THB · M", count: 10_000, isMore: true, code: "PR9" },
    ];
    expect(activeAlarms({ ...WELL, silent }).map(({ says }) => says)).toEqual([
      "the gateway is not returning a readable status for payouts that it has accepted: INR · M (3 payouts, the oldest for 31 min: PR7); THB · M (at least 10,000 payouts, the oldest for 31 min: PR9)",
    ]);
  });

  test("is raised for a Redis that answers but accepts no jobs as for an unreachable one, with the reason", () => {
    const queue = {
      policy: "noeviction",
      obstacle: "Redis is full and accepts no jobs",
      oldestWaitMs: 5,
    };
    expect(activeAlarms({ ...WELL, queue })).toEqual([
      { code: "queue_unavailable", level: "critical", says: "Redis is full and accepts no jobs" },
    ]);
  });

  test("names a few batches that wait for a person, and counts a larger number", () => {
    const waiting = [1, 2, 3, 4, 5].map((at) => ({ batchId: `B${at}`, reason: "held back" }));
    expect(activeAlarms({ ...WELL, waiting }).map(({ says }) => says)).toEqual([
      "approved payouts are waiting for a decision on their batch: B1 (held back); B2 (held back); B3 (held back); and 2 more",
    ]);
  });

  test("names a few batches without their approvals, and counts a larger number", () => {
    const unapproved = ["B1", "B2", "B3", "B4"];
    expect(activeAlarms({ ...WELL, unapproved }).map(({ says }) => says)).toEqual([
      "the ledger was changed outside payrun, and these batches are approved or being sent without the required approvals: B1, B2, B3, and 1 more",
    ]);
  });

  test("is sorted by severity: alarms that stop money come first", () => {
    const everything = Object.values(CASES).reduce<Partial<Observations>>(
      (sight, [rings]) => ({ ...sight, ...rings }),
      {},
    );
    const levels = activeAlarms({ ...WELL, ...everything }).map(({ level }) => level);
    expect(levels.length).toBeGreaterThan(8);
    const order = ["critical", "warning", "info"];
    expect(levels.toSorted((a, b) => order.indexOf(a) - order.indexOf(b))).toEqual(levels);
    expect(Object.values(ALARMS).map(({ level }) => level)).toEqual(
      Object.values(ALARMS)
        .map(({ level }) => level)
        .toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
    );
  });
});

describe("docs/operate/runbook.md", () => {
  const page = readFileSync("docs/operate/runbook.md", "utf8");

  test("has exactly one section per alarm, in the same order", () => {
    expect(page.match(/^## .+$/gm)).toEqual(ALARM_CODES.map((code) => `## ${code}`));
  });

  test.each(ALARM_CODES)("describes %s for people on call", (code) => {
    const parts = runbookParts(code);
    expect(parts.map(({ heading }) => heading)).toEqual([
      "Meaning",
      "Money at risk?",
      "Check",
      "Safe",
      "Not safe",
    ]);
    for (const { text } of parts) expect(text).toMatch(/^\w.*[.?]$/s);
    expect(parts.map(({ text }) => text).join("")).not.toMatch(/\]\(|\*\*/);
  });
});
