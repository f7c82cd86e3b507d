import { expect, test } from "vitest";
import {
  type StatusObservations,
  type StatusIndicatorState,
  statusIndicator,
  SLOW_MS,
} from "#operations/status-indicator.ts";

const now = new Date("2026-03-01T12:00:00Z");
const earlier = new Date("2026-03-01T11:00:00Z");
const earliest = new Date("2026-03-01T10:00:00Z");
const WORKER = { works: true, seenAgoMs: 2_000, sweptAgoMs: 3_000 };
const WELL: StatusObservations = {
  now,
  freeze: null,
  workers: [WORKER],
  requestedAgoMs: 400,
  lanes: ["M/INR", "M/IDR"],
  stopped: [],
  paused: [],
  globalPause: null,
  p95Ms: 400,
};
const closed = (...lanes: string[]) =>
  lanes.map((lane) => ({ lane, reason: `why ${lane}`, since: earlier }));

/** From worst to best: what each state shows. Every lower state may be true as well. */
const CASES: readonly [
  sight: Partial<StatusObservations>,
  state: StatusIndicatorState,
  says: RegExp,
  since: Date | null,
][] = [
  [
    { freeze: { cause: "frozen", reason: "a copy was put back", since: earlier } },
    "stopped",
    /frozen: a copy/,
    earlier,
  ],
  [
    { freeze: { cause: "other_epoch", reason: "LEDGER_EPOCH is 1", since: null } },
    "stopped",
    /^No payouts are being sent: LEDGER_EPOCH is 1\.$/,
    null,
  ],
  [{ workers: [] }, "stopped", /No worker is running/, null],
  [
    {
      workers: [
        { works: true, seenAgoMs: 31_000, sweptAgoMs: 0 },
        { works: false, seenAgoMs: 0, sweptAgoMs: 0 },
      ],
    },
    "stopped",
    /No worker/,
    new Date(now.getTime() - 31_000),
  ],
  [
    {
      workers: [
        { works: true, seenAgoMs: 0, sweptAgoMs: 50_000 },
        { works: true, seenAgoMs: 30_000, sweptAgoMs: 30_001 },
        { works: true, seenAgoMs: 30_001, sweptAgoMs: 0 },
        { works: false, seenAgoMs: 0, sweptAgoMs: 0 },
      ],
      requestedAgoMs: 40_000,
    },
    "stopped",
    /No work is reaching the workers/,
    new Date(now.getTime() - 30_001),
  ],
  [
    { globalPause: { reason: "the bank called.", since: earlier } },
    "paused",
    /All sending has been paused manually: the bank called\.$/,
    earlier,
  ],
  [
    { stopped: closed("M/INR"), paused: closed("M/IDR") },
    "stopped",
    /M\/INR \(why M\/INR\), M\/IDR/,
    earlier,
  ],
  [{ paused: closed("M/INR", "M/IDR") }, "paused", /No payouts are being sent in M\/INR/, earlier],
  [
    { stopped: [...closed("M/INR"), { lane: "M/INR", reason: "x", since: earliest }] },
    "partly_stopped",
    /The other lanes are open\.$/,
    earliest,
  ],
  [
    { p95Ms: SLOW_MS },
    "slow",
    /the gateway is slow: 95% of the responses in the last two minutes arrived within 5\.0 s/,
    null,
  ],
  [{ p95Ms: null, requestedAgoMs: 100 }, "sending", /No gateway response was measured/, null],
  [{ p95Ms: null, requestedAgoMs: 120_000 }, "idle", /no payouts to send or query/, null],
  [{ p95Ms: null, requestedAgoMs: null }, "idle", /no payouts to send or query/, null],
  [{}, "sending", /within 400 ms/, null],
];

test.each(CASES)("%# shows the current state and its start", (sight, state, says, since) => {
  const { idle, ...shown } = statusIndicator({ ...WELL, ...sight });
  expect(shown).toEqual({ state, says: expect.stringMatching(says), since });
  expect(idle === null).toBe(sight.workers === undefined);
});

test("reports that the gateway is queried on a frozen ledger while a process does so", () => {
  const freeze = { cause: "frozen", reason: "a copy was put back", since: earliest } as const;
  expect(statusIndicator({ ...WELL, freeze }).idle).toBeNull();
  const { since, idle } = statusIndicator({
    ...WELL,
    freeze,
    workers: [{ ...WORKER, seenAgoMs: 31_000 }],
  });
  expect(since).toEqual(earliest);
  expect(idle?.since).toEqual(new Date(now.getTime() - 31_000));
});

test("reports work where no sweep succeeds but the gateway is still queried", () => {
  const workers = [{ ...WORKER, sweptAgoMs: 30_001 }];
  expect(statusIndicator({ ...WELL, workers, requestedAgoMs: 30_000 }).idle).toBeNull();
  expect(statusIndicator({ ...WELL, workers, requestedAgoMs: 30_001 }).idle).not.toBeNull();
  expect(statusIndicator({ ...WELL, workers, requestedAgoMs: null }).idle).not.toBeNull();
  expect(statusIndicator({ ...WELL, requestedAgoMs: null }).idle).toBeNull();
});

test("shows the worst of several states", () => {
  const worsts = CASES.map((_, at) =>
    statusIndicator(
      Object.assign(
        {},
        WELL,
        ...CASES.slice(at)
          .map(([sight]) => sight)
          .toReversed(),
      ),
    ),
  );
  expect(worsts.map(({ state }) => state)).toEqual(CASES.map(([, state]) => state));
});

test("counts several lanes", () => {
  const lanes = ["A/1", "A/2", "A/3", "A/4"];
  expect(statusIndicator({ ...WELL, lanes, stopped: closed(...lanes) }).says).toBe(
    "No payouts are being sent in 4 lanes.",
  );
});
