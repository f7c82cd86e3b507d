import { expect, test } from "vitest";
import { type LightSight, type LightState, lightOf, SLOW_MS } from "#operations/light.ts";

const now = new Date("2026-03-01T12:00:00Z");
const earlier = new Date("2026-03-01T11:00:00Z");
const earliest = new Date("2026-03-01T10:00:00Z");
const WORKER = { works: true, seenAgoMs: 2_000, sweptAgoMs: 3_000 };
const WELL: LightSight = {
  now,
  freeze: null,
  workers: [WORKER],
  lanes: ["M/INR", "M/IDR"],
  stopped: [],
  paused: [],
  pauseOfAll: null,
  p95Ms: 400,
};
const closed = (...lanes: string[]) =>
  lanes.map((lane) => ({ lane, reason: `why ${lane}`, since: earlier }));

/** From the worst to the best: what each shows, and every line below it may be true as well. */
const CASES: readonly [
  sight: Partial<LightSight>,
  state: LightState,
  says: RegExp,
  since: Date | null,
][] = [
  [
    { freeze: { reason: "a copy was put back", since: earlier } },
    "stopped",
    /frozen: a copy/,
    earlier,
  ],
  [{ workers: [] }, "stopped", /No worker is alive/, null],
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
        { works: true, seenAgoMs: 30_000, sweptAgoMs: 20_001 },
        { works: true, seenAgoMs: 30_001, sweptAgoMs: 0 },
        { works: false, seenAgoMs: 0, sweptAgoMs: 0 },
      ],
    },
    "stopped",
    /No work reaches the workers/,
    new Date(now.getTime() - 20_001),
  ],
  [
    { pauseOfAll: { reason: "the bank called.", since: earlier } },
    "paused",
    /A person has paused all sending: the bank called\.$/,
    earlier,
  ],
  [
    { stopped: closed("M/INR"), paused: closed("M/IDR") },
    "stopped",
    /M\/INR \(why M\/INR\), M\/IDR/,
    earlier,
  ],
  [{ paused: closed("M/INR", "M/IDR") }, "paused", /Nothing is sent in M\/INR/, earlier],
  [
    { stopped: [...closed("M/INR"), { lane: "M/INR", reason: "x", since: earliest }] },
    "partly_stopped",
    /Nothing stops the other lanes\.$/,
    earliest,
  ],
  [{ p95Ms: SLOW_MS }, "slow", /answers slowly: 19 of 20 answers .* within 5\.0 s/, null],
  [{ p95Ms: null }, "sending", /Nothing was asked of the gateway/, null],
  [{}, "sending", /within 400 ms/, null],
];

test.each(CASES)("%# the light says what is so, and since when", (sight, state, says, since) => {
  expect(lightOf({ ...WELL, ...sight })).toEqual({
    state,
    says: expect.stringMatching(says),
    since,
    asks: sight.workers === undefined,
  });
});

test("in a frozen ledger the gateway is asked, as long as somebody does", () => {
  const freeze = { reason: "a copy was put back", since: earlier };
  expect(lightOf({ ...WELL, freeze }).asks).toBe(true);
  expect(lightOf({ ...WELL, freeze, workers: [] }).asks).toBe(false);
  const unswept = { ...WORKER, sweptAgoMs: 20_000 };
  expect(lightOf({ ...WELL, workers: [unswept] }).asks).toBe(true);
});

test("the worst of several is shown", () => {
  const worsts = CASES.map((_, at) =>
    lightOf(
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

test("many lanes are counted", () => {
  const lanes = ["A/1", "A/2", "A/3", "A/4"];
  expect(lightOf({ ...WELL, lanes, stopped: closed(...lanes) }).says).toBe(
    "Nothing is sent in 4 lanes.",
  );
});
