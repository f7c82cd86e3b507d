import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { balancesOf } from "#reconciliation/statement-balances.ts";
import { balance, document, entry } from "./document.ts";
import { INR, read } from "./read.ts";

const included = (amount: string, is = "true") =>
  `<Chrgs><Rcrd><Amt Ccy="INR">${amount}</Amt><ChrgInclInd>${is}</ChrgInclInd></Rcrd></Chrgs>`;
const details = (code: string, amount: string, more = "") =>
  `<TxDtls><Refs><EndToEndId>${code}</EndToEndId></Refs><Amt Ccy="INR">${amount}</Amt>${more}</TxDtls>`;

describe("charges and transactions", () => {
  const shown = async (given: Parameters<typeof entry>[0]) => {
    const { lines, problems } = await read(document({ entries: [entry(given)] }));
    return problems.length > 0
      ? problems[0]?.message
      : lines.map(({ amount, fee }) => [amount.minor, fee?.minor ?? null]);
  };

  test("separates an included charge from the amount of the entry", async () => {
    expect(await shown({ amount: "101.50", rest: included("1.50") })).toEqual([[10_000n, 150n]]);
    const own = { amount: "101.50", details: details("A", "101.50", included("1.5")) };
    expect(await shown(own)).toEqual([[10_000n, 150n]]);
    const added = { amount: "101.50", details: details("A", "100", included("1.5")) };
    expect(await shown(added)).toEqual([[10_000n, 150n]]);
  });

  test("leaves out a charge that another entry books", async () => {
    expect(await shown({ rest: included("1.50", "false") })).toEqual([[10_000n, null]]);
  });

  test("decides by the sum about charges of version 02", async () => {
    const charge = `<Chrgs><Amt Ccy="INR">2</Amt></Chrgs>`;
    const stated = `<TxDtls><AmtDtls><TxAmt><Amt Ccy="INR">98</Amt></TxAmt></AmtDtls></TxDtls>`;
    expect(await shown({ rest: charge, details: stated })).toEqual([[9_800n, 200n]]);
    expect(await shown({ rest: charge })).toEqual([[10_000n, null]]);
  });

  test("divides an entry among its transactions", async () => {
    const two = details("A", "60.00") + details("B", "40");
    expect(await shown({ details: two })).toEqual([
      [6_000n, null],
      [4_000n, null],
    ]);
    const charged = details("A", "60", included("1")) + details("B", "37", included("2"));
    expect(await shown({ details: charged })).toEqual([
      [6_000n, 100n],
      [3_700n, 200n],
    ]);
  });

  test("refuses transactions that do not add up to their entry", async () => {
    const sum = "The transactions and charges of the entry do not add up to its amount.";
    expect(await shown({ details: details("A", "60") + details("B", "39") })).toBe(sum);
    expect(await shown({ details: details("A", "60") + "<TxDtls></TxDtls>" })).toBe(sum);
    expect(await shown({ rest: included("100.01") })).toBe(sum);
    const two = details("A", "60") + details("B", "39");
    expect(await shown({ details: two, rest: included("1") })).toBe(
      "The charges belong to several transactions.",
    );
  });

  test("always divides exactly what was booked", async () => {
    const minorUnits = fc.integer({ min: 1, max: 1_000_000 });
    const parts = fc.array(fc.record({ amount: minorUnits, fee: minorUnits }), {
      minLength: 1,
      maxLength: 5,
    });
    const text = (minor: number) => (minor / 100).toFixed(2);
    await fc.assert(
      fc.asyncProperty(parts, async (given) => {
        const total = given.reduce((sum, { amount, fee }) => sum + amount + fee, 0);
        const written = given
          .map(({ amount, fee }, at) => details(`C${at}`, text(amount), included(text(fee))))
          .join("");
        expect(await shown({ amount: text(total), details: written })).toEqual(
          given.map(({ amount, fee }) => [BigInt(amount), BigInt(fee)]),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe("balances", () => {
  const day = "2026-11-26";
  const expected = { ...INR, day, balances: null };
  const factsOf = async (...balances: readonly string[]) =>
    (await read(document({ before: balances.join("") }))).facts;

  test("are read from the file, with the previous closing balance as the opening one", async () => {
    const facts = await factsOf(balance("PRCD", "1000.5"), balance("CLBD", "900.50"));
    expect(balancesOf(facts, expected)).toEqual({
      ok: true,
      value: {
        balances: { opening: 100_050n, closing: 90_050n, deposits: null },
        stated: { opening: { minor: 100_050n, line: 4 }, closing: { minor: 90_050n, line: 4 } },
      },
    });
    const overdrawn = balance("CLBD", "7").replace("CRDT", "DBIT");
    const debit = await factsOf(balance("OPBD", "1"), overdrawn);
    expect(balancesOf(debit, expected)).toMatchObject({ value: { balances: { closing: -700n } } });
    const none = balancesOf(await factsOf(), expected);
    expect(none).toMatchObject({ ok: true, value: { balances: null } });
  });

  test("must be those of the account, the day and the person", async () => {
    const problemsOf = async (given: Partial<typeof expected> & object, ...all: string[]) => {
      const read = balancesOf(await factsOf(...all), { ...expected, ...given });
      return read.ok ? [] : read.error.map(({ message }) => message);
    };
    const both = [balance("OPBD", "1000.00"), balance("CLBD", "900.00")];
    expect(await problemsOf({ currency: "USD" }, ...both)).toHaveLength(3);
    expect(await problemsOf({ day: "2026-11-25" }, ...both)).toEqual([
      "The closing balance is from another day.",
    ]);
    expect(await problemsOf({ minorDigits: 0 }, balance("CLBD", "900.50"))).toEqual([
      "The balance has too many decimals.",
    ]);
    const given = { opening: 100_000n, closing: 90_000n, deposits: 0n };
    const asks = (balances: typeof given) => problemsOf({ balances } as never, ...both);
    expect(await asks(given)).toEqual([]);
    expect(await asks({ ...given, deposits: 1n })).toEqual([
      "The file states other balances than you. Its deposits are lines of the file.",
    ]);
  });
});
