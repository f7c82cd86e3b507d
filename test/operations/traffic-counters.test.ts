import { describe, expect, test } from "vitest";
import { latencyAt, LATENCY_MS, latencyBucket } from "#operations/traffic-counters.ts";

describe("durations", () => {
  const countsOf = (...durations: number[]) => {
    const counts = LATENCY_MS.map(() => 0);
    for (const ms of durations) counts[latencyBucket(ms)] = (counts[latencyBucket(ms)] ?? 0) + 1;
    return counts;
  };

  test("are reported within half of their value", () => {
    const durations = Array.from({ length: 1_000 }, (_, at) => (at + 1) * 7);
    for (const share of [0.5, 0.95]) {
      const told = latencyAt(share, countsOf(...durations)) ?? 0;
      const was = durations[share * 1_000 - 1] ?? 0;
      expect(Math.abs(told - was) / was).toBeLessThan(0.5);
    }
  });

  test("count in the last class if they exceed it; without durations, none is reported", () => {
    expect(latencyAt(0.5, countsOf(1e9))).toBeGreaterThan(33_000);
    expect(latencyBucket(1e9)).toBe(LATENCY_MS.length - 1);
    expect(latencyAt(0.5, countsOf())).toBeNull();
    expect(latencyAt(0.5, countsOf(40))).toBeLessThanOrEqual(50);
  });

  test("are interpolated within their class", () => {
    for (const [place, end] of LATENCY_MS.entries()) {
      expect([latencyBucket(end), latencyBucket(end - 0.5)]).toEqual([place, place]);
      expect(latencyAt(1, countsOf(end))).toBe(end);
    }
    expect(latencyBucket(10.5)).toBe(1);
    expect(latencyAt(0.5, countsOf(1, 1, 1, 1))).toBe(5);
    expect(latencyAt(0.5, countsOf(12, 12, 30, 30))).toBe(15);
    expect(latencyAt(0.75, countsOf(12, 12, 30, 30))).toBe(28);
    expect(latencyAt(0, countsOf(30))).toBe(22);
  });

  test("have classes that grow by half", () => {
    for (const [place, end] of LATENCY_MS.slice(1).entries()) {
      const ratio = end / (LATENCY_MS[place] ?? 0);
      expect([end, Math.abs(ratio - 1.5) < 0.1]).toEqual([end, true]);
    }
  });
});
