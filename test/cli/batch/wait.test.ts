import { afterEach, expect, test, vi } from "vitest";
import { waitForBatch } from "#cli/batch/wait.ts";
import { systemClock } from "#base/clock.ts";
import type { Freeze, LanePause, Ledger, Progress } from "#ledger/ledger.ts";

const progress = (state: Progress["state"]): Progress[] => [
  { state, lane: "M-INR", count: 1, sum: { currency: "INR", minor: 100n, minorDigits: 2 } },
];

/** A ledger that returns these answers in turn. Null: the database is away. */
function toldLedger(
  looks: readonly (Progress[] | null)[],
  freeze: Freeze | null = null,
  pauses: LanePause[] = [],
): Ledger {
  let look = -1;
  const away = async () => {
    if (looks[Math.min(look, looks.length - 1)] === null) throw new Error("ECONNREFUSED");
    return null;
  };
  const payout: Partial<Ledger["payout"]> = {
    findBatch: async () => {
      look += 1;
      return away();
    },
    progressOf: async () => looks[Math.min(look, looks.length - 1)] ?? [],
    stoppedLanes: async () => [],
    lanePauses: async () => pauses,
    finishBatch: async () => null,
  };
  const integrity: Partial<Ledger["integrity"]> = {
    verify: async () => freeze,
    laneProgress: async () => [{ lane: "M-INR", open: 1, unqueried: 0 }],
  };
  return { payout, integrity } as Ledger;
}

afterEach(() => vi.restoreAllMocks());

async function waited(ledger: Ledger, queue: { readonly obstacle: string | null } | null = null) {
  const said: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said.push(String(text).trim());
    return true;
  });
  let nowMs = 0;
  const clock = { ...systemClock, sleep: async () => {}, monotonicMs: () => (nowMs += 1_000) };
  const { signal: interrupted } = new AbortController();
  const end = await waitForBatch("B1", { ledger, clock, interrupted, ...(queue && { queue }) });
  // Without the progress bar of a running batch.
  return { end: end.kind, said: said.filter((line) => !/finished ·/.test(line)) };
}

test("reports an unavailable database once, and once more when it is back", async () => {
  const open = progress("approved");
  const ended = progress("settled");
  expect(await waited(toldLedger([open, null, null, null, open, null, ended]))).toEqual({
    end: "ended",
    said: [
      expect.stringMatching(/database is not available/),
      "The database is available again.",
      expect.stringMatching(/database is not available/),
      "The database is available again.",
    ],
  });
});

test("waits for a frozen ledger until every query is answered, and no longer", async () => {
  const freeze = {
    epoch: 2,
    cause: "frozen",
    reason: "an older copy was restored",
    since: new Date(0),
  } as const;
  const { end, said } = await waited(toldLedger([progress("approved")], freeze));
  expect(end).toBe("frozen");
  expect(said[0]).toMatch(/frozen since .*an older copy was restored/);
});

test("names a lane that a person paused, with the command that resumes it, without waiting", async () => {
  const by = { reason: "the bank called", actor: "cli:ops", pausedAt: new Date(0) };
  const pause = { ...by, until: null, finishing: null };
  const pauses = [{ ...pause, lane: "*" }];
  const ledger = toldLedger([progress("approved")], null, pauses);
  expect((await waited(ledger)).end).toBe("stuck");
  const other = toldLedger([progress("approved"), progress("settled")], null, [
    { ...pause, lane: "M-THB" },
  ]);
  expect((await waited(other)).end).toBe("ended");
  const draining = toldLedger([progress("approved"), progress("settled")], null, [
    { ...pause, lane: "*", finishing: ["B1"] },
  ]);
  expect((await waited(draining)).end).toBe("ended");
});

test("names an unavailable queue, waits for it patiently, then gives up", async () => {
  const why = "Redis at redis:6379 is not responding";
  expect(await waited(toldLedger([progress("accepted")]), { obstacle: why })).toEqual({
    end: "no_queue",
    said: [`The queue cannot be reached: ${why}; retrying.`],
  });
  let looks = 0;
  const back = {
    get obstacle() {
      looks += 1;
      return looks < 3 ? why : null;
    },
  };
  const open = progress("accepted");
  expect(await waited(toldLedger([open, open, open, progress("settled")]), back)).toEqual({
    end: "ended",
    said: [expect.stringContaining(why), "The queue is available again."],
  });
});
