/** The balances of a statement: stated by its file, given by a person, or taken over. */
import { describe, expect, test } from "vitest";
import type { CamtBalance, CamtFacts } from "#reconciliation/camt/summary.ts";
import { balancesOf, inheritanceProblems } from "#reconciliation/statement-balances.ts";

const DAY = "2026-11-26";
const account = { currency: "INR", minorDigits: 2, day: DAY, balances: null };
const given = { opening: 100_00n, closing: 90_00n, deposits: 5_00n };

const balance = (minor: bigint, changes: Partial<CamtBalance> = {}): CamtBalance => ({
  amount: { minor, digits: 0 },
  currency: "INR",
  date: DAY,
  isTime: false,
  line: 7,
  ...changes,
});
const facts = (changes: Partial<CamtFacts> = {}): CamtFacts => ({
  currency: { text: "INR", line: 3 },
  opening: balance(100n),
  closing: balance(90n, { line: 9 }),
  period: { from: DAY, to: DAY, line: 2 },
  ...changes,
});

function problemsOf(changes: Partial<CamtFacts>, expected: Partial<typeof account> = {}) {
  const found = balancesOf(facts(changes), { ...account, ...expected });
  return found.ok ? [] : found.error;
}

describe("balances of a file", () => {
  test("are read in minor units, and its deposits are lines", () => {
    expect(balancesOf(facts(), account)).toEqual({
      ok: true,
      value: {
        balances: { opening: 100_00n, closing: 90_00n, deposits: null },
        stated: { opening: { minor: 100_00n, line: 7 }, closing: { minor: 90_00n, line: 9 } },
      },
    });
  });

  test("are those of a person if the file states none, or only one", () => {
    const expected = { ...account, balances: given };
    const none = { opening: null, closing: null };
    expect(balancesOf(null, expected)).toEqual({
      ok: true,
      value: { balances: given, stated: none },
    });
    expect(balancesOf(facts({ opening: null }), expected)).toMatchObject({
      ok: true,
      value: { balances: given, stated: { opening: null, closing: { minor: 90_00n } } },
    });
    expect(balancesOf(facts({ closing: null }), account)).toMatchObject({
      ok: true,
      value: { balances: null },
    });
  });

  test.each<[string, Partial<CamtFacts>]>([
    ["a longer period", { period: { from: "2026-11-01", to: "2026-11-30", line: 2 } }],
    [
      "no period, currency and dates",
      {
        period: null,
        currency: null,
        opening: balance(1n, { date: null }),
        closing: balance(1n, { date: null }),
      },
    ],
    ["an opening balance of the day before", { opening: balance(100n, { date: "2026-11-25" }) }],
    [
      "a time that may be the next day",
      { closing: balance(1n, { date: "2026-11-27", isTime: true }) },
    ],
    ["two decimals", { opening: balance(1n, { amount: { minor: 101n, digits: 2 } }) }],
  ])("may have %s", (_name, changes) => {
    expect(problemsOf(changes)).toEqual([]);
  });

  const day = (line: number, column: string, message: string, found: string, expected = DAY) => [
    { line, column, message, expected, found },
  ];
  test.each<[string, Partial<CamtFacts>, unknown]>([
    [
      "another account",
      { currency: { text: "USD", line: 3 } },
      day(3, "Acct/Ccy", "The statement is about an account in another currency.", "USD", "INR"),
    ],
    [
      "a balance in another currency",
      { opening: balance(1n, { currency: "USD" }) },
      day(7, "Bal (opening)", "The balance has another currency.", "USD", "INR"),
    ],
    [
      "too many decimals",
      { closing: balance(1n, { amount: { minor: 90_005n, digits: 3 } }) },
      day(7, "Bal (closing)", "The balance has too many decimals.", "90.005", "at most 2 decimals"),
    ],
    [
      "a period that ends before the day",
      { period: { from: "2026-11-01", to: "2026-11-25", line: 2 } },
      day(2, "FrToDt", "The statement is about another period.", "2026-11-01 to 2026-11-25"),
    ],
    [
      "a period that starts after the day",
      { period: { from: "2026-11-27", to: "2026-11-30", line: 2 } },
      day(2, "FrToDt", "The statement is about another period.", "2026-11-27 to 2026-11-30"),
    ],
    [
      "a closing balance of the next day",
      { closing: balance(1n, { date: "2026-11-27" }) },
      day(7, "Bal/Dt", "The closing balance is from another day.", "2026-11-27"),
    ],
    [
      "a time two days later",
      { closing: balance(1n, { date: "2026-11-28", isTime: true }) },
      day(7, "Bal/Dt", "The closing balance is from another day.", "2026-11-28"),
    ],
    [
      "an opening balance of the next day",
      { opening: balance(1n, { date: "2026-11-27" }) },
      day(
        7,
        "Bal/Dt",
        "The opening balance is from a later day.",
        "2026-11-27",
        `${DAY} or earlier`,
      ),
    ],
  ])("are refused with %s", (_name, changes, problems) => {
    expect(problemsOf(changes)).toEqual(problems);
  });

  test("are refused together, with every reason", () => {
    const all = problemsOf({
      currency: { text: "USD", line: 3 },
      opening: balance(1n, { currency: "EUR" }),
      period: { from: "2026-11-27", to: "2026-11-30", line: 2 },
    });
    expect(all.map(({ column }) => column)).toEqual(["Acct/Ccy", "Bal (opening)", "FrToDt"]);
  });
});

describe("balances that a person gave", () => {
  const gives = (changes: Partial<typeof given>) =>
    problemsOf({}, { balances: { ...given, deposits: 0n, ...changes } } as never);

  test("agree with the file, whose deposits are lines", () => {
    expect(gives({})).toEqual([]);
    const none = { opening: 100_00n, closing: 90_00n, deposits: null };
    expect(problemsOf({}, { balances: none } as never)).toEqual([]);
  });

  test.each<[Partial<typeof given>, string]>([
    [{ opening: 100_01n }, "opening 100.01, closing 90.00, deposits 0.00"],
    [{ closing: -1n }, "opening 100.00, closing -0.01, deposits 0.00"],
    [{ deposits: 1n }, "opening 100.00, closing 90.00, deposits 0.01"],
  ])("are refused if they contradict the file: %o", (changes, found) => {
    expect(gives(changes)).toEqual([
      {
        line: 9,
        column: "Bal",
        message: "The file states other balances than you. Its deposits are lines of the file.",
        expected: "opening 100.00, closing 90.00, deposits 0.00",
        found,
      },
    ]);
  });

  test("are compared only with the balance that the file states", () => {
    const opening = { closing: null };
    expect(problemsOf(opening, { balances: given } as never)).toEqual([]);
    expect(problemsOf(opening, { balances: { ...given, opening: 1n } } as never)).toMatchObject([
      { line: 7, expected: "opening 100.00", found: "opening 0.01" },
    ]);
  });
});

describe("balances of the statement that a file replaces", () => {
  const stated = { opening: null, closing: { minor: 90_00n, line: 9 } };
  const none = { opening: null, closing: null };
  const withSign = { minorDigits: 2, payoutSign: "negative" } as const;
  const lines = { ...given, deposits: null };

  test("are taken over", () => {
    expect(inheritanceProblems(none, given, { ...withSign, payoutSign: "none" })).toEqual([]);
    expect(inheritanceProblems(stated, lines, withSign)).toEqual([]);
  });

  test("are refused if deposits were lines, and amounts have no sign", () => {
    expect(inheritanceProblems(none, lines, { ...withSign, payoutSign: "none" })).toEqual([
      {
        line: null,
        column: null,
        message: expect.stringContaining("Enter the balances and the deposits of the day."),
        expected: "the opening and closing balance, and the sum of the deposits",
        found: null,
      },
    ]);
  });

  test("are refused if the file states another one", () => {
    const other = { ...given, closing: 80_00n };
    expect(inheritanceProblems(stated, other, withSign)).toEqual([
      {
        line: 9,
        column: "Bal",
        message:
          "The file states another balance than the statement that it replaces. Enter the balances.",
        expected: "closing 90.00",
        found: "closing 80.00",
      },
    ]);
  });
});
