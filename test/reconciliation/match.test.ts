import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FoundBreak } from "#reconciliation/break-classes.ts";
import { matchSorted, NotSorted } from "#reconciliation/match.ts";
import type { LedgerRecord, StatementRecord, StatementStatus } from "#reconciliation/records.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { line, payout, source } from "./records.ts";

const inr = (minor: bigint) => ({ minor, minorDigits: 2 });

async function match(ledger: readonly LedgerRecord[], statement: readonly StatementRecord[]) {
  const matches = matchSorted(source(ledger), source(statement));
  const breaks: FoundBreak[] = [];
  for (let next = await matches.next(); ; next = await matches.next()) {
    if (next.done) return { breaks, totals: next.value };
    breaks.push(next.value);
  }
}

async function classes(ledger: readonly LedgerRecord[], statement: readonly StatementRecord[]) {
  const { breaks } = await match(ledger, statement);
  return breaks.map((each) => `${each.class} ${each.code}`);
}

describe("one code on both sides", () => {
  test("finds no break if amount, currency and result agree", async () => {
    const { breaks, totals } = await match([payout("A")], [line("A")]);
    expect(breaks).toEqual([]);
    expect(totals).toEqual({ payouts: 1, lines: 1, matched: 1 });
  });

  test("finds one minor unit in an amount beyond the precision of a float", async () => {
    const amount = inr(90_071_992_547_409_930_001n);
    const { breaks } = await match(
      [payout("A", { amount })],
      [line("A", { amount: inr(amount.minor + 1n) })],
    );
    expect(breaks).toMatchObject([
      {
        class: "amount",
        code: "A",
        payoutId: 1,
        lines: [2],
        ledger: "900719925474099300.01 INR",
        statement: "900719925474099300.02 INR",
        basis: "900719925474099300.01 INR, WD1 | 900719925474099300.02 INR, WD1",
      },
    ]);
  });

  test("treats an amount with more decimals as a different amount", async () => {
    const amount = { minor: 100_001n, minorDigits: 3 };
    expect(await classes([payout("A")], [line("A", { amount })])).toEqual(["amount A"]);
  });

  test("reports the currency, and compares no amount of another currency", async () => {
    const other = line("A", { currency: "USD", amount: inr(5n), fee: inr(1n) });
    expect(await classes([payout("A", { fee: inr(2n) })], [other])).toEqual(["currency A"]);
  });

  test("compares fees only if both sides have one", async () => {
    expect(await classes([payout("A")], [line("A", { fee: inr(5n) })])).toEqual([]);
    expect(await classes([payout("A", { fee: inr(5n) })], [line("A")])).toEqual([]);
    expect(await classes([payout("A", { fee: inr(5n) })], [line("A", { fee: inr(6n) })])).toEqual([
      "fee A",
    ]);
  });

  test("reports several differences of one payout", async () => {
    const wrong = line("A", { amount: inr(1n), status: "failed" });
    expect(await classes([payout("A")], [wrong])).toEqual(["amount A", "status A"]);
  });

  test("shows the results next to amounts that were not paid", async () => {
    const failed = line("A", { amount: inr(1n), status: "failed" });
    const { breaks } = await match([payout("A", { state: "declined" })], [failed]);
    expect(breaks).toMatchObject([
      { class: "amount", ledger: "declined, 100.00 INR", statement: "failed, 0.01 INR" },
    ]);
  });

  const RESULTS: readonly (readonly [PayoutState, StatementStatus, string | null])[] = [
    ["settled", "failed", "status"],
    ["settled", "pending", "status"],
    ["settled", "returned", "late_return"],
    ["returned", "completed", null],
    ["returned", "returned", null],
    ["declined", "failed", null],
    ["declined", "completed", "status"],
    ["in_doubt", "pending", null],
    ["in_doubt", "completed", "status"],
    ["on_hold", "failed", "status"],
    ["accepted", "pending", null],
    ["approved", "pending", "status"],
    ["cancelled", "completed", "status"],
  ];
  test.each(RESULTS)("compares %s with %s", async (state, status, found) => {
    const expected = found === null ? [] : [`${found} A`];
    expect(await classes([payout("A", { state })], [line("A", { status })])).toEqual(expected);
  });

  test("accepts a pending line of a payout that was in progress at the end of the day", async () => {
    const pending = line("A", { status: "pending" });
    for (const state of ["settled", "declined", "resolved"] as const) {
      expect(await classes([payout("A", { state, wasInProgress: true })], [pending])).toEqual([]);
    }
    // The statement of the next day lists it as completed.
    expect(await classes([payout("A", { isListedElsewhere: true })], [pending])).toEqual([]);
  });

  test("compares fees whatever their number of decimals is", async () => {
    const fee = { minor: 15n, minorDigits: 1 };
    expect(await classes([payout("A", { fee })], [line("A", { fee: inr(150n) })])).toEqual([]);
    expect(await classes([payout("A", { fee })], [line("A", { fee: inr(151n) })])).toEqual([
      "fee A",
    ]);
  });

  test("reports another gateway number of a completed payout", async () => {
    const [other, none] = [line("A", { gatewayNumber: "WD9" }), line("A", { gatewayNumber: null })];
    expect(await classes([payout("A")], [other])).toEqual(["gateway_number A"]);
    expect(await classes([payout("A")], [none])).toEqual([]);
    expect(await classes([payout("A", { gatewayNumber: null })], [other])).toEqual([]);
  });

  test("treats a payout that was resolved as arrived like a settled one", async () => {
    const resolved = payout("A", { state: "resolved", arrived: true });
    expect(await classes([resolved], [line("A")])).toEqual([]);
    expect(await classes([resolved], [line("A", { status: "returned" })])).toEqual([
      "late_return A",
    ]);
    const notArrived = payout("A", { state: "resolved", arrived: false });
    expect(await classes([notArrived], [line("A")])).toEqual(["status A"]);
    expect(await classes([{ ...notArrived, hadSettled: true }], [line("A")])).toEqual([]);
  });
});

describe("a code on one side, or several times", () => {
  test("reports a payout that the statement must contain and does not", async () => {
    expect(await classes([payout("A")], [])).toEqual(["missing_at_gateway A"]);
    expect(await classes([payout("A", { isExpected: false })], [])).toEqual([]);
  });

  test("reports a line that the ledger does not have", async () => {
    expect(await classes([], [line("A"), line("B")])).toEqual([
      "missing_in_ledger A",
      "missing_in_ledger B",
    ]);
  });

  test("reports a code that is listed twice, with its lines", async () => {
    const { breaks } = await match([payout("A")], [line("A"), line("A", { line: 9 })]);
    const statement = "2 lines: completed, 100.00 INR, WD1";
    expect(breaks).toMatchObject([{ class: "listed_twice", lines: [2, 9], statement }]);
  });

  test("shows the same values whatever the order of the lines is", async () => {
    const [one, two] = [line("A", { amount: inr(1n) }), line("A", { amount: inr(2n), line: 3 })];
    const moved = [
      line("A", { amount: inr(2n), line: 7 }),
      line("A", { amount: inr(1n), line: 8 }),
    ];
    const shown = async (lines: readonly StatementRecord[]) =>
      (await match([payout("A")], lines)).breaks.map((each) => [
        each.class,
        each.statement,
        each.basis,
      ]);
    expect(await shown([one, two])).toEqual(await shown(moved));
  });

  test("compares every line of a code", async () => {
    const lines = [line("A"), line("A", { amount: inr(1n), gatewayNumber: "WD2", line: 3 })];
    const { breaks } = await match([payout("A")], lines);
    expect(breaks.map((each) => [each.class, each.statement])).toEqual([
      ["amount", "0.01 INR"],
      ["gateway_number", "WD2"],
      ["listed_twice", "2 lines: completed, 0.01 INR, WD2; completed, 100.00 INR, WD1"],
    ]);
  });

  test("reports a code that another statement shows as completed once more", async () => {
    const lines = [line("A", { alsoCompleted: "2026-11-27, WD2" })];
    const { breaks } = await match([payout("A")], lines);
    const also = "also completed on the statement of 2026-11-27, WD2";
    expect(breaks).toMatchObject([
      { class: "listed_twice", statement: `completed, 100.00 INR, WD1; ${also}` },
    ]);
  });

  test("treats a completed and a returned line of one gateway number as a return", async () => {
    const lines = [line("A"), line("A", { line: 3, status: "returned" })];
    expect(await classes([payout("A")], lines)).toEqual(["late_return A"]);
    expect(await classes([payout("A", { state: "returned" })], lines)).toEqual([]);
    const other = [line("A"), line("A", { status: "returned", gatewayNumber: "WD2" })];
    expect(await classes([payout("A")], other)).toEqual([
      "gateway_number A",
      "late_return A",
      "listed_twice A",
    ]);
  });

  const [EARLY, LATE] = [new Date("2026-11-26T08:00Z"), new Date("2026-11-26T09:00Z")];
  const AFTER_COMPLETED: readonly (readonly [string, Date | null, Date | null, string[]])[] = [
    ["a failure afterwards is a return", EARLY, LATE, ["late_return A"]],
    ["a failure before is not a difference", LATE, EARLY, []],
    ["a failure at an unknown time is a difference", null, null, ["status A"]],
  ];
  test.each(AFTER_COMPLETED)("of a completed line, %s", async (_, completed, failed, found) => {
    const lines = [line("A", { at: completed }), line("A", { at: failed, status: "failed" })];
    expect(await classes([payout("A")], lines)).toEqual(found);
  });

  test("ignores a pending line if the same transaction has a result", async () => {
    expect(await classes([payout("A")], [line("A", { status: "pending" }), line("A")])).toEqual([]);
  });

  test("shows the first ten of many equal lines", async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => line("A", { line: at + 2 }));
    const { breaks, totals } = await match([payout("A")], many);
    expect(breaks[0]?.lines).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(breaks[0]?.statement).toMatch(/^5000 lines: /);
    expect(totals).toEqual({ payouts: 1, lines: 5_000, matched: 1 });
  });
});

test("refuses a source that is not sorted, or a ledger that repeats a code", async () => {
  await expect(match([payout("B"), payout("A")], [])).rejects.toThrow(NotSorted);
  await expect(match([], [line("B"), line("A")])).rejects.toThrow(NotSorted);
  await expect(match([payout("A"), payout("A")], [])).rejects.toThrow(NotSorted);
});

/** The breaks of unsorted records, found with a map instead of a merge. */
function byMap(ledger: readonly LedgerRecord[], statement: readonly StatementRecord[]): string[] {
  const lines = Map.groupBy(statement, ({ code }) => code);
  const codes = new Set([...ledger, ...statement].map(({ code }) => code));
  return [...codes].flatMap((code) => {
    const record = ledger.find((each) => each.code === code);
    const [first, ...more] = lines.get(code) ?? [];
    if (!first) return record?.isExpected ? [`missing_at_gateway ${code}`] : [];
    const twice = more.length > 0 ? [`listed_twice ${code}`] : [];
    if (!record) return [`missing_in_ledger ${code}`, ...twice];
    const isOther = [first, ...more].some(({ amount }) => amount.minor !== record.amount.minor);
    return [...(isOther ? [`amount ${code}`] : []), ...twice];
  });
}

test("finds the same breaks as a comparison in memory, for any two sides", async () => {
  const code = fc.stringMatching(/^[A-C0-1._-]{1,3}$/);
  const amount = fc.constantFrom(inr(100n), inr(101n));
  const ledger = fc.uniqueArray(fc.record({ code, amount, isExpected: fc.boolean() }), {
    selector: (each) => each.code,
    maxLength: 30,
  });
  const statement = fc.array(fc.record({ code, amount }), { maxLength: 40 });
  const inOrder = <Each extends { readonly code: string }>(each: readonly Each[]) =>
    each.toSorted((a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0));
  await fc.assert(
    fc.asyncProperty(ledger, statement, async (left, right) => {
      const payouts = inOrder(left.map((each) => payout(each.code, each)));
      const lines = inOrder(right.map((each, at) => line(each.code, { ...each, line: at + 2 })));
      expect((await classes(payouts, lines)).toSorted()).toEqual(byMap(payouts, lines).toSorted());
    }),
    { numRuns: 500 },
  );
});
