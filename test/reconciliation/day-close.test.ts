import { describe, expect, test } from "vitest";
import { unexplainedMovement } from "#reconciliation/balance-movement.ts";
import { closeRefusal, dayState, type DayToClose, verdictOf } from "#reconciliation/day-close.ts";
import { differenceOf, figuresOf } from "#reconciliation/day-figures.ts";

const at = (time: string) => new Date(`2026-11-${time}:00Z`);
const DAY: DayToClose = {
  day: "2026-11-26",
  startsAt: at("26T00:00"),
  endsAt: at("27T00:00"),
  now: at("27T00:00"),
  firstDay: "2026-11-26",
  isClosed: false,
  areEarlierClosed: true,
  hasUnfinishedStatement: false,
  statement: null,
};

describe("the decision to close a day", () => {
  const cases: readonly [string | null, Partial<DayToClose>][] = [
    [null, {}],
    [null, { statement: { startsAt: at("26T00:00"), endsAt: at("27T00:00") } }],
    ["no_opening_balance", { firstDay: null }],
    ["before_first_day", { firstDay: "2026-11-27" }],
    ["day_not_over", { now: at("26T23:59") }],
    ["already_closed", { isClosed: true }],
    ["earlier_day_open", { areEarlierClosed: false }],
    ["unfinished_statement", { hasUnfinishedStatement: true }],
    ["zone_differs", { statement: { startsAt: at("26T00:00"), endsAt: at("26T23:00") } }],
    ["zone_differs", { statement: { startsAt: at("26T01:00"), endsAt: at("27T00:00") } }],
    ["zone_differs", { statement: { startsAt: at("25T18:30"), endsAt: at("26T18:30") } }],
  ];
  test.each(cases)("is %s for %o", (refusal, facts) => {
    expect(closeRefusal({ ...DAY, ...facts })).toBe(refusal);
  });
});

describe("the figures of a day", () => {
  test("add up in the largest number of decimals", () => {
    const { figures, closing } = figuresOf({ minor: 100_00n, minorDigits: 2 }, [
      { movement: "deposits", minor: 50_00n, minorDigits: 2, count: 1 },
      { movement: "payouts", minor: 30_00n, minorDigits: 2, count: 2 },
      { movement: "payouts", minor: 5n, minorDigits: 0, count: 1 },
      { movement: "fees", minor: 1_255n, minorDigits: 3, count: 3 },
      { movement: "returns", minor: 10_00n, minorDigits: 2, count: 1 },
      { movement: "resolutions", minor: -2_00n, minorDigits: 2, count: 1 },
      { movement: "adjustments", minor: -1n, minorDigits: 2, count: 1 },
    ]);
    expect(figures).toMatchObject({
      digits: 3,
      opening: "100.000",
      movements: { payouts: { amount: "35.000", count: 3 }, adjustments: { amount: "-0.010" } },
      closing: "121.735",
    });
    expect(closing).toEqual({ minor: 121_735n, minorDigits: 3 });
  });

  test("differ from the observed balance by an exact amount", () => {
    const closing = { minor: 121_735n, minorDigits: 3 };
    expect(differenceOf({ minor: 12_173n, minorDigits: 2 }, closing)).toEqual({
      minor: -5n,
      minorDigits: 3,
    });
  });
});

test("a day has agreed only if its balance was observed", () => {
  expect(verdictOf({ difference: null, open_breaks: 0 })).toBe("not_observed");
  expect(verdictOf({ difference: "-0.01", open_breaks: 0 })).toBe("difference");
  expect(verdictOf({ difference: "0.00", open_breaks: 1 })).toBe("open_breaks");
  expect(verdictOf({ difference: "0.00", open_breaks: 0 })).toBe("agreed");
  expect(dayState(null, 3)).toBe("open");
  expect(dayState({ isReopened: true }, 3)).toBe("reopened");
  expect(dayState({ isReopened: false }, 3)).toBe("broken");
  expect(dayState({ isReopened: false }, 0)).toBe("closed");
});

test("the unexplained movement is the closing balance less the expected one", () => {
  const day = { opening: 100n, deposits: 50n, payouts: 30n, fees: 3n, returns: 10n };
  expect(unexplainedMovement({ ...day, closing: 127n })).toBe(0n);
  expect(unexplainedMovement({ ...day, closing: 130n })).toBe(3n);
});
