import { describe, expect, test } from "vitest";
import { mayApprove } from "#approval/approval.ts";
import type { Money } from "#money/money.ts";

const inr = (minor: bigint, minorDigits = 2): Money => ({ currency: "INR", minor, minorDigits });
const thb = (minor: bigint): Money => ({ currency: "THB", minor, minorDigits: 2 });
const totals = (...amounts: Money[]) => new Map(amounts.map((money) => [money.currency, money]));

const BATCH = { contentDigest: "d1", totals: totals(inr(150_050n), thb(700n)) };
const approval = (given: Money[], contentDigest = "d1") => ({
  actor: "ops",
  contentDigest,
  totals: totals(...given),
});

// biome-ignore format: the columns are the point
const REFUSED = [
  ["another content than was shown", approval([inr(150_050n), thb(700n)], "d2"), [["content_changed", null]]],
  ["a total that is missing",        approval([inr(150_050n)]),                  [["total_missing", "THB"]]],
  ["one minor unit too little",      approval([inr(150_049n), thb(700n)]),       [["total_differs", "INR"]]],
  ["a slipped decimal",              approval([inr(1_500_500n), thb(700n)]),     [["total_differs", "INR"]]],
  ["the same digits at another scale", approval([inr(150_050n, 3), thb(700n)]),  [["total_differs", "INR"]]],
  ["a currency of no row",           approval([inr(150_050n), thb(700n), { currency: "JPY", minor: 1n, minorDigits: 0 }]), [["total_of_no_row", "JPY"]]],
  ["everything wrong at once",       approval([thb(1n)], "d2"),                  [["content_changed", null], ["total_missing", "INR"], ["total_differs", "THB"]]],
] as const;

describe("approval of a batch", () => {
  test("I7 accepts only the digest and totals of the stored batch", () => {
    expect(mayApprove(BATCH, approval([inr(150_050n), thb(700n)]))).toEqual({
      ok: true,
      value: true,
    });
  });

  test.each(REFUSED)("F105 refuses %s and says why", (_what, given, problems) => {
    const refused = mayApprove(BATCH, given);
    if (refused.ok) throw new Error("approved");
    expect(refused.error.map(({ code, currency }) => [code, currency])).toEqual(problems);
  });
});
