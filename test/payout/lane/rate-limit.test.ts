import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isRateLimited,
  type LaneRate,
  nextTurnMs,
  UNLIMITED_RATE,
  rateAfterStop,
  currentSlowdown,
  rateAfterClaim,
  availableTurns,
} from "#payout/lane/rate-limit.ts";
import { limited, START_MS } from "../limited.ts";

/** Takes as much as allowed at each of these moments, and answers everything immediately. */
function drain(pace: LaneRate, momentsMs: readonly number[]): { pace: LaneRate; taken: number } {
  let taken = 0;
  let now = pace;
  for (const ms of momentsMs) {
    const count = Math.min(availableTurns(now, ms, 0), 1_000);
    if (count > 0) now = rateAfterClaim(now, ms, 0, count);
    taken += count;
  }
  return { pace: now, taken };
}
const every = (stepMs: number, forMs: number, fromMs = START_MS): number[] =>
  Array.from({ length: Math.floor(forMs / stepMs) + 1 }, (_, step) => fromMs + step * stepMs);

describe("a rate limit", () => {
  test.each([0.2, 1, 7, 20, 33.3, 1_000])(
    "of %f per second holds over a minute at any request times: one second's allowance at first, then no more",
    (rate) => {
      const moments = fc.array(fc.double({ min: 0, max: 60_000, noNaN: true }), { minLength: 200 });
      fc.assert(
        fc.property(moments, (offsets) => {
          const times = offsets.toSorted((a, b) => a - b).map((ms) => START_MS + ms);
          const { taken } = drain(limited(rate), times);
          expect(taken).toBeLessThanOrEqual(rate * 60 + Math.max(1, rate) + 1e-6);
        }),
      );
    },
  );

  test.each([1, 20, 33.3, 400])("of %f per second is used up by frequent requests", (rate) => {
    const { pace } = drain(limited(rate), [START_MS]);
    const { taken } = drain(pace, every(200, 60_000));
    expect(Math.abs(taken - rate * 60)).toBeLessThanOrEqual(1);
  });

  test("below one per second admits one when its time has come", () => {
    const { pace, taken } = drain(limited(0.2), [START_MS, START_MS + 4_999]);
    expect(taken).toBe(1);
    expect(nextTurnMs(pace, START_MS)).toBe(5_000);
    expect(availableTurns(pace, START_MS + 5_000, 0)).toBe(1);
  });

  test("survives a clock set back by an hour, and gives nothing extra for a second's difference", () => {
    const { pace } = drain(limited(20), [START_MS]);
    expect(availableTurns(pace, START_MS - 1_000, 0)).toBe(0);
    expect(drain(pace, every(200, 2_000, START_MS - 3_600_000)).taken).toBeGreaterThanOrEqual(39);
    const ahead = (count: number) =>
      availableTurns(rateAfterClaim(limited(1), START_MS, 0, count), START_MS, 0);
    expect([ahead(11), ahead(12)]).toEqual([0, 1]);
  });

  test("that was removed restricts nothing, and a lane without one stores nothing", () => {
    const lifted = { ...rateAfterClaim(limited(1), START_MS, 0, 3), rate: null };
    expect(availableTurns(lifted, START_MS, 0)).toBe(Infinity);
    expect(nextTurnMs(lifted, START_MS)).toBe(200);
    expect(rateAfterClaim(lifted, START_MS + 100, 0, 5)).toEqual(lifted);
  });
});

test("limits concurrent requests by those in flight and by the rate", () => {
  expect(availableTurns(limited(null, 8), START_MS, 5)).toBe(3);
  expect(availableTurns(limited(null, 8), START_MS, 9)).toBe(0);
  expect(availableTurns(limited(2, 8), START_MS, 0)).toBe(2);
  expect(availableTurns(UNLIMITED_RATE, START_MS, 500)).toBe(Infinity);
});

test("limits a lane by a rate, by concurrent requests, or by the gateway's pause", () => {
  const paces = [
    limited(5),
    limited(null, 8),
    rateAfterStop(false, UNLIMITED_RATE, START_MS),
    UNLIMITED_RATE,
  ];
  expect(paces.map((pace) => isRateLimited(pace, START_MS))).toEqual([true, true, true, false]);
});

describe("after a stop", () => {
  const stopped = rateAfterStop(false, UNLIMITED_RATE, START_MS);

  test("starts with eight, doubles each second while answered, and reaches full speed in seconds", () => {
    expect(availableTurns(stopped, START_MS, 0)).toBe(8);
    const perSecond: number[] = [];
    let pace = stopped;
    for (let second = 0; second < 6; second += 1) {
      const drained = drain(pace, every(100, 900, START_MS + second * 1_000));
      perSecond.push(drained.taken);
      pace = drained.pace;
    }
    expect(perSecond[0]).toBeLessThan(30);
    expect(perSecond[5]).toBeGreaterThan(8 * (perSecond[0] ?? 0));
    const { pace: later } = drain(pace, every(100, 8_000, START_MS + 6_000));
    expect(isRateLimited(later, START_MS + 14_000)).toBe(false);
  });

  test("does not grow without answers", () => {
    const one = rateAfterClaim(stopped, START_MS, 0, 8);
    const two = rateAfterClaim(one, START_MS + 1_000, 8, 8);
    const three = rateAfterClaim(two, START_MS + 2_000, 16, 8);
    expect(three.slowdown?.rate).toBe(8);
    expect(rateAfterClaim(three, START_MS + 3_000, 0, 8).slowdown?.rate).toBe(16);
  });

  test("grows once one second's allowance is answered; the rest in flight counts for the next step", () => {
    const one = rateAfterClaim(stopped, START_MS, 0, 8);
    expect(rateAfterClaim(one, START_MS + 1_000, 0, 8).slowdown).toMatchObject({
      rate: 16,
      sent: 8,
    });
    const two = rateAfterClaim(one, START_MS + 1_000, 1, 6);
    expect(rateAfterClaim(two, START_MS + 2_000, 6, 7).slowdown).toMatchObject({
      rate: 16,
      sent: 13,
    });
    expect(rateAfterClaim({ ...one, rate: 16 }, START_MS + 1_000, 0, 8).slowdown).toBeNull();
  });

  test("never exceeds the limit that a person has set", () => {
    const slow = rateAfterStop(false, limited(5), START_MS);
    const { taken, pace } = drain(slow, every(100, 10_000));
    expect(taken).toBeLessThanOrEqual(55);
    expect(pace).toMatchObject({ rate: 5, slowdown: null });
  });

  test("forgets what the gateway said ten minutes ago", () => {
    expect(currentSlowdown(stopped, START_MS + 599_000)).not.toBeNull();
    expect(isRateLimited(stopped, START_MS + 600_000)).toBe(false);
    expect(availableTurns(stopped, START_MS + 600_000, 0)).toBe(Infinity);
  });
});

describe("HTTP 429", () => {
  const sending = rateAfterClaim(limited(40), START_MS, 0, 40);

  test("halves the rate, and small steps lead back to it", () => {
    const slowed = rateAfterStop(true, sending, START_MS);
    expect(slowed.slowdown).toMatchObject({ rate: 20, targetRate: 20 });
    let pace = slowed;
    const rates: (number | undefined)[] = [];
    for (let second = 1; second <= 30; second += 1) {
      pace = drain(pace, every(100, 900, START_MS + second * 1_000)).pace;
      rates.push(pace.slowdown?.rate);
    }
    expect(rates.slice(0, 4)).toEqual([21, 22, 23, 24]);
    expect(pace.slowdown).toBeNull();
  });

  test("is followed on a fast lane by steps of a twentieth", () => {
    const slowed = rateAfterStop(true, limited(200), START_MS);
    const pace = rateAfterClaim(rateAfterClaim(slowed, START_MS, 0, 100), START_MS + 1_000, 0, 100);
    expect(pace.slowdown).toMatchObject({ rate: 105, targetRate: 100 });
  });

  test("counts once for requests in flight together, and again for later ones", () => {
    const once = rateAfterStop(true, sending, START_MS);
    const still = rateAfterStop(true, once, START_MS + 600);
    expect(still.slowdown?.rate).toBe(20);
    const trial = rateAfterClaim(still, START_MS + 2_000, 0, 1);
    expect(rateAfterStop(true, trial, START_MS + 2_100).slowdown?.rate).toBe(10);
  });

  test("never slows a lane to zero", () => {
    let pace = sending;
    for (let second = 1; second <= 20; second += 1) {
      const ms = START_MS + second * 1_000;
      pace = rateAfterStop(true, rateAfterClaim(pace, ms, 0, 1), ms);
    }
    expect(pace.slowdown?.rate).toBe(1);
  });

  test("makes a lane at full speed approach the limit from below: the rate doubles up to half of what was too much", () => {
    const first = rateAfterStop(true, UNLIMITED_RATE, START_MS);
    expect(first.slowdown).toMatchObject({ rate: 8, targetRate: null });
    const grown = {
      ...first,
      slowdown: { rate: 64, targetRate: null, sent: 1, sinceMs: START_MS },
    };
    const second = rateAfterStop(true, grown, START_MS);
    expect(second.slowdown).toMatchObject({ rate: 32, targetRate: 32 });
    const outage = rateAfterStop(false, rateAfterClaim(second, START_MS, 0, 1), START_MS);
    expect(outage.slowdown).toMatchObject({ rate: 8, targetRate: 32 });
    const { pace } = drain(outage, every(100, 3_500));
    expect(pace.slowdown?.rate).toBeGreaterThanOrEqual(32);
    expect(pace.slowdown?.rate).toBeLessThan(40);
  });

  test("keeps more than half the capacity of a gateway that takes 50 per second, and rarely overloads it", () => {
    let pace = rateAfterStop(true, UNLIMITED_RATE, START_MS);
    let sent = 0;
    let refused = 0;
    for (let second = 0; second < 120; second += 1) {
      let room = 50;
      for (const ms of every(100, 900, START_MS + second * 1_000)) {
        const count = Math.min(availableTurns(pace, ms, 0), 500);
        if (count === 0) continue;
        pace = rateAfterClaim(pace, ms, 0, count);
        const isTooMuch = count > room;
        sent += Math.min(count, room);
        room = Math.max(0, room - count);
        if (!isTooMuch) continue;
        refused += 1;
        pace = rateAfterStop(true, pace, ms);
        break; // leaves the gateway alone until the next second
      }
    }
    expect(sent / 120).toBeGreaterThan(25);
    expect(refused).toBeLessThan(12);
  });
});
