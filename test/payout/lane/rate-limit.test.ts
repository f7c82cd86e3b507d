import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  isPaced,
  type LanePace,
  nextTurnMs,
  NO_PACE,
  slowedBy,
  slowNow,
  took,
  turnsOf,
} from "#payout/lane/rate-limit.ts";
import { limited, START_MS } from "../limited.ts";

/** Takes as much as allowed at each of these moments, and answers everything immediately. */
function drain(pace: LanePace, momentsMs: readonly number[]): { pace: LanePace; taken: number } {
  let taken = 0;
  let now = pace;
  for (const ms of momentsMs) {
    const count = Math.min(turnsOf(now, ms, 0), 1_000);
    if (count > 0) now = took(now, ms, 0, count);
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
    expect(turnsOf(pace, START_MS + 5_000, 0)).toBe(1);
  });

  test("survives a clock set back by an hour, and gives nothing extra for a second's difference", () => {
    const { pace } = drain(limited(20), [START_MS]);
    expect(turnsOf(pace, START_MS - 1_000, 0)).toBe(0);
    expect(drain(pace, every(200, 2_000, START_MS - 3_600_000)).taken).toBeGreaterThanOrEqual(39);
    const ahead = (count: number) => turnsOf(took(limited(1), START_MS, 0, count), START_MS, 0);
    expect([ahead(11), ahead(12)]).toEqual([0, 1]);
  });

  test("that was removed restricts nothing, and a lane without one stores nothing", () => {
    const lifted = { ...took(limited(1), START_MS, 0, 3), rate: null };
    expect(turnsOf(lifted, START_MS, 0)).toBe(Infinity);
    expect(nextTurnMs(lifted, START_MS)).toBe(200);
    expect(took(lifted, START_MS + 100, 0, 5)).toEqual(lifted);
  });
});

test("limits concurrent requests by those in flight and by the rate", () => {
  expect(turnsOf(limited(null, 8), START_MS, 5)).toBe(3);
  expect(turnsOf(limited(null, 8), START_MS, 9)).toBe(0);
  expect(turnsOf(limited(2, 8), START_MS, 0)).toBe(2);
  expect(turnsOf(NO_PACE, START_MS, 500)).toBe(Infinity);
});

test("limits a lane by a rate, by concurrent requests, or by the gateway's pause", () => {
  const paces = [limited(5), limited(null, 8), slowedBy(false, NO_PACE, START_MS), NO_PACE];
  expect(paces.map((pace) => isPaced(pace, START_MS))).toEqual([true, true, true, false]);
});

describe("after a stop", () => {
  const stopped = slowedBy(false, NO_PACE, START_MS);

  test("starts with eight, doubles each second while answered, and reaches full speed in seconds", () => {
    expect(turnsOf(stopped, START_MS, 0)).toBe(8);
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
    expect(isPaced(later, START_MS + 14_000)).toBe(false);
  });

  test("does not grow without answers", () => {
    const one = took(stopped, START_MS, 0, 8);
    const two = took(one, START_MS + 1_000, 8, 8);
    const three = took(two, START_MS + 2_000, 16, 8);
    expect(three.slow?.rate).toBe(8);
    expect(took(three, START_MS + 3_000, 0, 8).slow?.rate).toBe(16);
  });

  test("grows once one second's allowance is answered; the rest in flight counts for the next step", () => {
    const one = took(stopped, START_MS, 0, 8);
    expect(took(one, START_MS + 1_000, 0, 8).slow).toMatchObject({ rate: 16, sent: 8 });
    const two = took(one, START_MS + 1_000, 1, 6);
    expect(took(two, START_MS + 2_000, 6, 7).slow).toMatchObject({ rate: 16, sent: 13 });
    expect(took({ ...one, rate: 16 }, START_MS + 1_000, 0, 8).slow).toBeNull();
  });

  test("never exceeds the limit that a person has set", () => {
    const slow = slowedBy(false, limited(5), START_MS);
    const { taken, pace } = drain(slow, every(100, 10_000));
    expect(taken).toBeLessThanOrEqual(55);
    expect(pace).toMatchObject({ rate: 5, slow: null });
  });

  test("forgets what the gateway said ten minutes ago", () => {
    expect(slowNow(stopped, START_MS + 599_000)).not.toBeNull();
    expect(isPaced(stopped, START_MS + 600_000)).toBe(false);
    expect(turnsOf(stopped, START_MS + 600_000, 0)).toBe(Infinity);
  });
});

describe("HTTP 429", () => {
  const sending = took(limited(40), START_MS, 0, 40);

  test("halves the rate, and small steps lead back to it", () => {
    const slowed = slowedBy(true, sending, START_MS);
    expect(slowed.slow).toMatchObject({ rate: 20, aim: 20 });
    let pace = slowed;
    const rates: (number | undefined)[] = [];
    for (let second = 1; second <= 30; second += 1) {
      pace = drain(pace, every(100, 900, START_MS + second * 1_000)).pace;
      rates.push(pace.slow?.rate);
    }
    expect(rates.slice(0, 4)).toEqual([21, 22, 23, 24]);
    expect(pace.slow).toBeNull();
  });

  test("is followed on a fast lane by steps of a twentieth", () => {
    const slowed = slowedBy(true, limited(200), START_MS);
    const pace = took(took(slowed, START_MS, 0, 100), START_MS + 1_000, 0, 100);
    expect(pace.slow).toMatchObject({ rate: 105, aim: 100 });
  });

  test("counts once for requests in flight together, and again for later ones", () => {
    const once = slowedBy(true, sending, START_MS);
    const still = slowedBy(true, once, START_MS + 600);
    expect(still.slow?.rate).toBe(20);
    const trial = took(still, START_MS + 2_000, 0, 1);
    expect(slowedBy(true, trial, START_MS + 2_100).slow?.rate).toBe(10);
  });

  test("never slows a lane to zero", () => {
    let pace = sending;
    for (let second = 1; second <= 20; second += 1) {
      const ms = START_MS + second * 1_000;
      pace = slowedBy(true, took(pace, ms, 0, 1), ms);
    }
    expect(pace.slow?.rate).toBe(1);
  });

  test("on a lane at full speed is approached from below: the rate doubles up to half of what was too much", () => {
    const first = slowedBy(true, NO_PACE, START_MS);
    expect(first.slow).toMatchObject({ rate: 8, aim: null });
    const grown = { ...first, slow: { rate: 64, aim: null, sent: 1, sinceMs: START_MS } };
    const second = slowedBy(true, grown, START_MS);
    expect(second.slow).toMatchObject({ rate: 32, aim: 32 });
    const outage = slowedBy(false, took(second, START_MS, 0, 1), START_MS);
    expect(outage.slow).toMatchObject({ rate: 8, aim: 32 });
    const { pace } = drain(outage, every(100, 3_500));
    expect(pace.slow?.rate).toBeGreaterThanOrEqual(32);
    expect(pace.slow?.rate).toBeLessThan(40);
  });

  test("keeps more than half the capacity of a gateway that takes 50 per second, and rarely overloads it", () => {
    let pace = slowedBy(true, NO_PACE, START_MS);
    let sent = 0;
    let refused = 0;
    for (let second = 0; second < 120; second += 1) {
      let room = 50;
      for (const ms of every(100, 900, START_MS + second * 1_000)) {
        const count = Math.min(turnsOf(pace, ms, 0), 500);
        if (count === 0) continue;
        pace = took(pace, ms, 0, count);
        const isTooMuch = count > room;
        sent += Math.min(count, room);
        room = Math.max(0, room - count);
        if (!isTooMuch) continue;
        refused += 1;
        pace = slowedBy(true, pace, ms);
        break; // leaves the gateway alone until the next second
      }
    }
    expect(sent / 120).toBeGreaterThan(25);
    expect(refused).toBeLessThan(12);
  });
});
