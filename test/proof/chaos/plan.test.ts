import { describe, expect, test } from "vitest";
import { filesBy, planOf, QUEUES } from "../../../proof/chaos/plan.ts";

const SMALL = { seed: 7, kills: 25, servers: 1, workers: 2, stepMs: 600, leaseMs: 7_000 } as const;

/** Strikes that only a campaign with this queue has. */
const OWN = {
  redis: { servers: ["postgres", "redis"], kinds: ["flush"], harms: 9, losses: ["cut", "older"] },
  postgres: { servers: ["postgres"], kinds: [], harms: 6, losses: [] },
  sentinel: { servers: ["postgres", "primary"], kinds: ["failover"], harms: 6, losses: [] },
} as const;

describe.each(QUEUES)("the plan of a seed, with the queue in %s", (engine) => {
  const plan = planOf({ ...SMALL, engine });

  test("is the same every time, and differs with another seed", () => {
    expect(planOf({ ...SMALL, engine })).toEqual(plan);
    expect(planOf({ ...SMALL, engine, seed: 8 })).not.toEqual(plan);
  });

  test("has the requested number of kills, of payrun and of its servers", () => {
    const kills = plan.flatMap((strike) => (strike.kind === "kill" ? [strike.whom] : []));
    expect(kills).toHaveLength(25);
    expect(new Set(kills)).toEqual(
      new Set(["worker-0", "worker-1", "server-0", ...OWN[engine].servers]),
    );
  });

  test("strikes each of several servers", () => {
    const several = planOf({ ...SMALL, engine, servers: 3, kills: 100 });
    const struck = several.flatMap((strike) => ("whom" in strike ? [strike.whom] : []));
    expect(struck).toEqual(expect.arrayContaining(["server-0", "server-1", "server-2"]));
  });

  test("promotes a standby if there is one", () => {
    const promotions = planOf({ ...SMALL, engine, standby: true }).filter(
      (strike) => "promotes" in strike,
    );
    expect(promotions.length).toBeGreaterThan(1);
    expect(plan.some((strike) => "promotes" in strike)).toBe(false);
  });

  test("includes every other kind of strike, even in a small plan", () => {
    const kinds = new Set(plan.map(({ kind }) => kind));
    const freezes = plan.flatMap((strike) => (strike.kind === "freeze" ? [strike.forMs] : []));
    expect(Math.max(...freezes)).toBeGreaterThan(SMALL.leaseMs);
    expect(Math.min(...freezes)).toBeLessThan(SMALL.leaseMs);
    const harms = plan.flatMap((strike) =>
      strike.kind === "link"
        ? [
            `${strike.link} ${strike.how.bytes === 0 ? "cut" : strike.how.bytes < 100 ? "drip" : "delay"}`,
          ]
        : [],
    );
    expect(new Set(harms).size).toBe(OWN[engine].harms);
    expect(kinds).toEqual(new Set(["kill", "freeze", "end", "link", ...OWN[engine].kinds]));
    const losses = plan.flatMap((strike) => ("loss" in strike ? [strike.loss] : []));
    expect(losses.toSorted()).toEqual(OWN[engine].losses);
  });
});

test.each([
  { strikes: 5, files: 10 },
  { strikes: 43, files: 10 },
  { strikes: 1, files: 3 },
  { strikes: 850, files: 50 },
])("spreads $files files over $strikes strikes, without leaving one out", ({ strikes, files }) => {
  const handed = Array.from({ length: strikes }, (_, at) => filesBy(at, strikes, files));
  expect(handed[0]).toBeGreaterThan(0);
  expect(handed.at(-1)).toBe(files);
  const steps = handed.map((count, at) => count - (handed[at - 1] ?? 0));
  expect(Math.min(...steps)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...steps)).toBe(Math.ceil(files / strikes));
});
