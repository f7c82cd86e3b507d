import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { unitsOf } from "#intake/amount-limits.ts";
import {
  CIRCUIT_BREAKER_SETTINGS,
  inDoubtLimitOf,
  laneThresholds,
  parseCircuitBreakerSetting,
} from "#payout/lane/circuit-breaker-settings.ts";
import {
  CIRCUIT_BREAKERS,
  circuitBreakerOf,
  isAboveLimit,
  mayReopen,
  doesDoubtReopen,
  probesOf,
} from "#payout/circuit-breakers.ts";

const UNITS = unitsOf(new Map());
const AMOUNTS = { largest: new Map([["INR", 50_000n]]), units: UNITS };
const settingsOf = (text: string) =>
  new Map(text.split(",").map((entry) => parseCircuitBreakerSetting(entry, UNITS) ?? [entry, -1n]));

describe("the in-doubt limit", () => {
  const ceiling = { count: 4, minor: 1_000n };

  test.each([
    [{ count: 4, minor: 1_000n }, false],
    [{ count: 5, minor: 1n }, true],
    [{ count: 1, minor: 1_001n }, true],
  ])("with %o: above it %s", (doubt, isHeld) => {
    expect(isAboveLimit(doubt, ceiling)).toBe(isHeld);
  });

  test("opens at half of both values, so the next doubt does not stop it again", () => {
    expect(mayReopen({ count: 2, minor: 500n }, ceiling)).toBe(true);
    expect(mayReopen({ count: 3, minor: 0n }, ceiling)).toBe(false);
    expect(mayReopen({ count: 0, minor: 501n }, ceiling)).toBe(false);
  });

  test("counts payouts only when no amount is set, and can reopen with a limit of one", () => {
    expect(isAboveLimit({ count: 4, minor: 10n ** 30n }, { count: 4, minor: null })).toBe(false);
    expect(mayReopen({ count: 0, minor: 0n }, { count: 1, minor: null })).toBe(true);
  });
});

describe("a stop caused by the gateway", () => {
  test("belongs to the circuit breaker that reopens the same way, unless it names one", () => {
    const brakes = (["person", "wait", "answers"] as const).map((until) =>
      circuitBreakerOf({ until }),
    );
    expect(brakes).toEqual(["set_up", "outage", "in_doubt"]);
    expect(circuitBreakerOf({ until: "wait", breaker: "balance" })).toBe("balance");
  });

  test("needs three probes after missing answers, and one otherwise", () => {
    const proving = Object.keys(CIRCUIT_BREAKERS) as (keyof typeof CIRCUIT_BREAKERS)[];
    expect(proving.filter(doesDoubtReopen)).toEqual(["errors", "silence", "slow"]);
    expect(proving.filter((breaker) => probesOf(breaker) !== 1)).toEqual([
      "errors",
      "silence",
      "slow",
    ]);
    expect(probesOf("errors")).toBe(3);
  });
});

describe("circuit breaker settings", () => {
  test("prefer the lane's own, then its currency's, then the global one", () => {
    const settings = settingsOf("in_doubt_count=9,INR.in_doubt_count=8,M1/INR.in_doubt_count=7");
    const countIn = (lane: string) => laneThresholds(lane, settings, AMOUNTS).in_doubt_count;
    expect(["M1/INR", "M2/INR", "M1/THB"].map(countIn)).toEqual([7, 8, 9]);
  });

  test("allow a hundred maximum payouts in doubt, unless an amount is set or there is no maximum", () => {
    const ceilingIn = (lane: string, text = "in_doubt_count=1") =>
      inDoubtLimitOf(laneThresholds(lane, settingsOf(text), AMOUNTS)).minor;
    expect(ceilingIn("M1/INR")).toBe(5_000_000n);
    expect(ceilingIn("M1/INR", "INR.in_doubt_amount=10.50")).toBe(1_050n);
    expect(ceilingIn("M1/THB")).toBe(null);
  });

  test("have defaults, but no amount where none is known", () => {
    const usual = Object.entries(CIRCUIT_BREAKER_SETTINGS).map(([name, { default: count }]) => [
      name,
      count,
    ]);
    const brakes = laneThresholds("M1/INR", new Map());
    expect(brakes).toEqual({ ...Object.fromEntries(usual), in_doubt_amount: null });
    expect(inDoubtLimitOf(brakes)).toEqual({ count: 500, minor: null });
    expect(
      laneThresholds("M1/XXX", new Map([["in_doubt_amount", 5n]]), AMOUNTS).in_doubt_amount,
    ).toBe(null);
    expect(laneThresholds("M1/INR", new Map(), AMOUNTS).in_doubt_amount).toEqual({
      currency: "INR",
      minor: 5_000_000n,
      minorDigits: 2,
    });
  });

  test.each([
    ["in_doubt_count=1", 1n],
    ["in_doubt_count=100000", 100_000n],
    ["unknown_answers=0", 0n],
    ["INR.silence_sends=12", 12n],
    ["M1/INR.in_doubt_amount=10.50", 1_050n],
    ["JPY.in_doubt_amount=12345678901", 12_345_678_901n],
    ["canary_payouts=5", 5n],
  ])("accept %s", (entry, count) => {
    expect(parseCircuitBreakerSetting(entry, UNITS)).toEqual([entry.split("=")[0], count]);
  });

  test.each([
    "in_doubt_count",
    "in_doubt_count=",
    "in_doubt_count=0",
    "in_doubt_count=5 ",
    " in_doubt_count=5",
    "DOUBT_COUNT=5",
    "=5",
    ".in_doubt_count=5",
    "in_doubt_amount.in_doubt_count=5",
    "INR.canary_payouts=5",
    "INR.in_doubt_amount=0",
    "in_doubt_count=1.5",
    "in_doubt_count=100001",
    "courage=1",
    "XXX.in_doubt_count=1",
    "in_doubt_amount=5",
    "JPY.in_doubt_amount=1.5",
    "toString=1",
  ])("refuse %s", (entry) => {
    expect(parseCircuitBreakerSetting(entry, UNITS)).toBe(null);
  });
});

test("lists every circuit breaker and every setting with its default in docs/operate/circuit-breakers.md", () => {
  const page = readFileSync("docs/operate/circuit-breakers.md", "utf8");
  for (const { name, protects, opens } of Object.values(CIRCUIT_BREAKERS)) {
    expect(page).toContain(`| ${name} |`);
    expect(page).toContain(`| ${protects} | ${opens} |`);
  }
  for (const [name, { default: usual, min, max, says }] of Object.entries(
    CIRCUIT_BREAKER_SETTINGS,
  )) {
    expect(page).toContain(`\n- \`${name}\` (${usual}; ${min} to ${max}): ${says}\n`);
  }
});

test("explains settings without the names of other settings", () => {
  for (const { says } of Object.values(CIRCUIT_BREAKER_SETTINGS)) expect(says).not.toContain("_");
});
