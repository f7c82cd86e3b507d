import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type LaneAccount,
  BALANCE_AGE_MAX_MS,
  fundsFor,
  describeFunds,
  spendableBalance,
} from "#approval/funds.ts";

const INR = (minor: bigint) => ({ currency: "INR", minor, minorDigits: 2 });
const NOW_MS = Date.UTC(2030, 0, 1);
const account = (
  balance: bigint,
  reserved: bigint,
  change: Partial<LaneAccount> = {},
): LaneAccount => ({
  lane: "M/INR",
  balance: INR(balance),
  reportedAtMs: NOW_MS,
  problem: null,
  reserved: INR(reserved),
  settledSince: INR(0n),
  ...change,
});
const amount = fc.bigInt({ min: 0n, max: 10n ** 18n });

describe("available funds", () => {
  test("subtracts payouts that settled after the report once, next to the reserved amount", () => {
    const funds = fundsFor(0n, account(1_000n, 300n, { settledSince: INR(50n) }), NOW_MS);
    expect(funds).toEqual({ kind: "enough", free: INR(650n) });
  });

  test("subtracts reservations from the balance and covers amounts up to the rest", () => {
    fc.assert(
      fc.property(amount, amount, amount, (balance, reserved, needed) => {
        const funds = fundsFor(needed, account(balance, reserved), NOW_MS);
        if (funds.kind === "unknown") throw new Error("it was told");
        expect(funds.free.minor + reserved).toBe(balance);
        expect(funds.kind).toBe(needed + reserved <= balance ? "enough" : "short");
        const missing = funds.kind === "short" ? funds.missing.minor : 0n;
        expect(missing).toBe(needed > funds.free.minor ? needed - funds.free.minor : 0n);
      }),
    );
  });

  test("covers two batches only if the second is covered after the first is reserved", () => {
    fc.assert(
      fc.property(amount, amount, amount, (balance, first, second) => {
        const one = fundsFor(first, account(balance, 0n), NOW_MS).kind === "enough";
        const other = fundsFor(second, account(balance, first), NOW_MS).kind === "enough";
        expect(one && other).toBe(first + second <= balance);
      }),
    );
  });

  test.each([
    [
      "too old for the sum of later settlements",
      account(1_000n, 0n, { settledSince: null }),
      "the last response is too old",
    ],
    [
      "never told",
      account(0n, 0n, { balance: null, reportedAtMs: null }),
      "it has not been queried yet",
    ],
    ["no answer", account(0n, 0n, { balance: null, problem: "silence" }), "silence"],
    [
      "reported too long ago",
      account(10n, 0n, { reportedAtMs: NOW_MS - BALANCE_AGE_MAX_MS - 1, problem: "silence" }),
      "the last response is too old (silence)",
    ],
    [
      "reported by a clock far ahead",
      account(10n, 0n, { reportedAtMs: NOW_MS + BALANCE_AGE_MAX_MS + 1 }),
      "the last response is too old",
    ],
  ])("is unknown, neither zero nor enough: %s", (_what, known, why) => {
    const funds = fundsFor(0n, known, NOW_MS);
    expect(funds).toEqual({ kind: "unknown", why });
    expect(describeFunds("M/INR", funds)).toBe(`The balance of M/INR is unknown: ${why}.`);
  });
});

test("accepts exactly the available amount and reports one unit more as missing", () => {
  const say = (needed: bigint) =>
    describeFunds("M/INR", fundsFor(needed, account(10_050n, 50n), NOW_MS));
  expect(say(10_000n)).toBe("M/INR has 100.00 available.");
  expect(say(10_001n)).toBe(
    "The balance of M/INR is too low: 100.00 is available, but 0.01 more is needed.",
  );
});

test("accepts a balance reported 15 minutes ago, or by a clock that is 15 minutes ahead", () => {
  const at = (reportedAtMs: number) => fundsFor(1n, account(1n, 0n, { reportedAtMs }), NOW_MS).kind;
  const quarterMs = 15 * 60_000;
  expect([at(NOW_MS - quarterMs), at(NOW_MS + quarterMs)]).toEqual(["enough", "enough"]);
  expect([at(NOW_MS - quarterMs - 1), at(NOW_MS + quarterMs + 1)]).toEqual(["unknown", "unknown"]);
  const { kind } = fundsFor(1n, account(1n, 0n, { reportedAtMs: null }), NOW_MS);
  expect(kind).toBe("unknown");
});

test.each([
  ["the older answer", "100.5", null, null, 10_050n],
  ["digits finer than the currency are rounded down", "0.999", null, null, 99n],
  ["frozen money is not available", "100.000", "40.001", null, 5_999n],
  ["the lowest reported figure", "100.000", "40.000", "70.000", 6_000n],
  ["the lowest reported figure, the other way", "100.000", "0.000", "70.000", 7_000n],
  ["a debt", "-0.001", null, null, -1n],
  ["a frozen amount below zero adds nothing", "10", "-5", null, 1_000n],
  ["no number", "many", null, null, null],
  ["frozen amount is not a number", "100", "many", null, null],
  ["available amount is not a number", "100", null, "many", null],
  ["nothing frozen", "100", "0", null, 10_000n],
])("takes the spendable amount from %s", (_what, balance, frozen, available, expected) => {
  expect(spendableBalance({ balance, frozen, available }, 2)).toBe(expected);
});
