import { describe, expect, test } from "vitest";
import {
  NO_COMPETING_BATCHES,
  type CompetingBatches,
  rateAfterClaim,
  turnsAfterClaim,
  availableTurns,
} from "#payout/lane/rate-limit.ts";
import { limited, START_MS } from "../limited.ts";

const every = (stepMs: number, forMs: number, fromMs = START_MS): number[] =>
  Array.from({ length: Math.floor(forMs / stepMs) + 1 }, (_, step) => fromMs + step * stepMs);

describe("batches in one limited lane", () => {
  const RATE = 20;
  interface Sent {
    readonly rank: number;
    left: number;
    turns: number | null;
    outMs: number | null;
  }

  /**
   * Every batch asks for a turn every 200 ms, at its own moment, as its two waiting jobs do at
   * least.
   */
  function race(batches: readonly Sent[], forMs: number): void {
    let pace = rateAfterClaim(limited(RATE), START_MS, 0, RATE);
    const visits = batches.flatMap((batch, index) =>
      every(200, forMs, START_MS + 1 + ((index * 67) % 200)).map((ms) => ({ ms, batch })),
    );
    for (const { ms, batch } of visits.toSorted((one, other) => one.ms - other.ms)) {
      const due = batches.filter(({ left }) => left > 0);
      const before = due.filter(({ rank }) => rank < batch.rank).length;
      const same = due.filter((other) => other !== batch && other.rank === batch.rank);
      const had = same.flatMap(({ turns }) => turns ?? []);
      const fewest = had.length === 0 ? null : Math.min(...had);
      const rivals = { before, beside: same.length, turns: batch.turns, fewest };
      const count = Math.min(batch.left, availableTurns(pace, ms, 0, rivals));
      batch.turns = turnsAfterClaim(pace, ms, rivals, count);
      if (count === 0) continue;
      pace = rateAfterClaim(pace, ms, 0, count);
      batch.left -= count;
      if (batch.left === 0) batch.outMs = ms - START_MS;
    }
  }
  const batch = (rank: number, left: number): Sent => ({ rank, left, turns: null, outMs: null });

  test("get their share of a round: those ahead get less, those behind get one round more", () => {
    const used = rateAfterClaim(limited(400), START_MS, 0, 400);
    const turnsWith = (rivals: Partial<CompetingBatches>) =>
      availableTurns(used, START_MS + 600, 0, { ...NO_COMPETING_BATCHES, beside: 1, ...rivals });
    expect(turnsWith({ turns: 5, fewest: 5 })).toBe(40);
    expect(turnsWith({ turns: 5, fewest: 5, beside: 3 })).toBe(20);
    expect(turnsWith({ turns: 15, fewest: 5 })).toBe(30);
    expect(turnsWith({ turns: 0, fewest: 100 })).toBe(80);
    expect(turnsWith({ turns: null, fewest: 100 })).toBe(40);
    expect(turnsWith({ turns: 7, fewest: null })).toBe(40);
  });

  test("are treated equally after some more turns, without compensation for a missed one", () => {
    const after = (rivals: Partial<CompetingBatches>) =>
      turnsAfterClaim(
        limited(RATE),
        START_MS,
        { ...NO_COMPETING_BATCHES, beside: 1, ...rivals },
        3,
      );
    expect(after({ turns: null, fewest: null })).toBe(3);
    expect(after({ turns: 4, fewest: null })).toBe(7);
    expect(after({ turns: 12, fewest: 10 })).toBe(15);
    expect(after({ turns: null, fewest: 10 })).toBe(13);
    expect(after({ turns: 2, fewest: 10 })).toBe(11);
  });

  test("share concurrent requests equally, including a later batch", () => {
    expect(
      availableTurns(limited(null, 8), START_MS, 0, { ...NO_COMPETING_BATCHES, beside: 2 }),
    ).toBe(3);
    const behind = { ...NO_COMPETING_BATCHES, before: 1 };
    expect(availableTurns(limited(100, 2), START_MS, 0, behind)).toBe(2);
    expect(availableTurns(limited(10, 99), START_MS, 0, behind)).toBe(4);
  });

  test.each([1, 3, 10])(
    "F23 send ten urgent rows next to %i of 50,000 within a second of their own turns",
    (large) => {
      const urgent = batch(0, 10);
      race([...Array.from({ length: large }, () => batch(1, 50_000)), urgent], 10_000);
      expect(urgent.outMs).toBeLessThanOrEqual((10 / RATE) * 1_000 + 1_000);
    },
  );

  test.each([1, 3, 10])(
    "F23 send ten normal rows next to %i of 50,000 once each batch has had ten turns, plus two seconds",
    (large) => {
      const small = batch(1, 10);
      race([...Array.from({ length: large }, () => batch(1, 50_000)), small], 60_000);
      expect(small.outMs).toBeLessThanOrEqual(((large + 1) * 10 * 1_000) / RATE + 2_000);
    },
  );

  test("F23 use the whole rate, even when the first batch cannot be sent", () => {
    const [normal, low] = [batch(1, 50_000), batch(2, 50_000)];
    race([normal, low], 30_000);
    expect(100_000 - normal.left - low.left).toBeGreaterThanOrEqual(30 * RATE * 0.98);
    const behind = batch(2, 50_000);
    const stuck = { ...NO_COMPETING_BATCHES, before: 1 };
    let pace = rateAfterClaim(limited(RATE), START_MS, 0, RATE);
    for (const ms of every(200, 30_000)) {
      const count = availableTurns(pace, ms, 0, stuck);
      if (count > 0) pace = rateAfterClaim(pace, ms, 0, count);
      behind.left -= count;
    }
    expect(50_000 - behind.left).toBeGreaterThanOrEqual(29 * RATE * 0.98);
  });
});
