import { expect, test } from "vitest";
import { type CanaryProgress, decideCanary } from "#payout/lane/canary.ts";

const NOW: CanaryProgress = { payouts: 3, settled: 1, lost: null, openMs: 1 };
const judged = (change: Partial<CanaryProgress>) => decideCanary({ ...NOW, ...change }, 2);

test.each([
  [{}, "wait"],
  [{ settled: 3, openMs: null }, "release"],
  [{ settled: 2, openMs: null }, "wait"],
  [{ settled: 2, openMs: 120_000 }, "wait"],
  [{ settled: 2, openMs: 120_001 }, "fail"],
  [{ settled: 2, openMs: null, lost: { transactionCode: "A", state: "declined" } }, "fail"],
  [{ settled: 3, openMs: null, lost: { transactionCode: "A", state: "on_hold" } }, "fail"],
] as const)(
  "decides for a canary of three with two minutes of patience: %o is to %s",
  (change, kind) => {
    expect(judged(change).kind).toBe(kind);
  },
);

test("names the payout, or the number that have settled", () => {
  const lost = { transactionCode: "A", state: "declined" } as const;
  expect(judged({ lost })).toMatchObject({ reason: "the canary payout A is declined" });
  expect(judged({ openMs: 1e9 })).toMatchObject({
    reason: "1 of 3 canary payouts settled within 2 minutes",
  });
});
