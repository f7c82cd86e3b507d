/** Statements whose balances come from their file. */
import { describe, expect, test } from "vitest";
import { camtOfDay } from "../../support/reconciliation/camt-of-day.ts";
import { suggestColumns } from "#reconciliation/statement-mapping.ts";
import { statementRowsOf } from "../../../bench/settled-day.ts";
import { csvOf } from "../../support/reconciliation/statement-of-day.ts";
import { DAY, LANE, ReconciledLedger } from "../../support/reconciliation/reconciled-ledger.ts";

const ledger = new ReconciledLedger();
const deposit = {
  number: "DP7",
  code: "DEPOSIT-7",
  amount: "250.00",
  at: Date.parse(`${DAY.day}T12:00:00Z`),
};
const addDeposit = () =>
  ledger.change(`insert into deposits
    (transaction_code, lane, currency, amount_minor, minor_digits, state, gateway_number, created_by, payload_digest,
      user_digest, link_digest, sealed)
    values ('${deposit.code}', '${LANE}', 'INR', 25000, 2, 'completed', '${deposit.number}', 'test', '', '', '', '')`);

test.each(["", deposit.code])(
  "a recorded deposit on a line with the code %o explains the balance",
  async (code) => {
    await addDeposit();
    const deposits = [{ ...deposit, code }];
    const { breaks } = await ledger.reconcile(camtOfDay({}, { of: DAY, deposits }));
    expect(breaks).toEqual({});
  },
);

test("a deposit explains the balance before and after payrun knows it", async () => {
  const { statement, breaks } = await ledger.reconcile(
    camtOfDay({}, { of: DAY, deposits: [deposit] }),
  );
  expect(breaks).toEqual({ missing_in_ledger: 1 });
  await addDeposit();
  await ledger.compare(statement);
  expect(await ledger.unresolved()).toEqual([]);
});

test("a difference of the balances is still found", async () => {
  await addDeposit();
  const deposits = [deposit];
  const file = camtOfDay({}, { of: DAY, deposits }).replace(">1000000.00<", ">1000000.01<");
  expect((await ledger.reconcile(file)).breaks).toEqual({ unexplained_movement: 1 });
});

function balancesOf(camt: string) {
  const minorOf = (type: string) => {
    const text = camt.match(new RegExp(`${type}</Cd>.*?<Amt Ccy="INR">([0-9.]+)<`))?.[1];
    const [units = "", cents = ""] = (text ?? "").split(".");
    return BigInt(`${units}${cents.padEnd(2, "0")}`);
  };
  return { opening: minorOf("OPBD"), closing: minorOf("CLBD") };
}

describe("a file that states one balance", () => {
  const whole = camtOfDay({}, { of: DAY });
  const withoutOpening = whole.replace(/<Bal>.*?OPBD.*?<\/Bal>/, "");
  const balances = { ...balancesOf(whole), deposits: 0n };
  const other = { ...balances, closing: balances.closing + 1n };

  test("is refused if it contradicts the given balances", async () => {
    expect(await ledger.load(withoutOpening, { balances: other })).toMatchObject({
      error: {
        kind: "unreadable",
        problems: [
          {
            column: "Bal",
            message: expect.stringContaining("other balances than you"),
            expected: expect.stringMatching(/^closing [0-9.]+$/),
            found: expect.stringMatching(/^closing [0-9.]+$/),
          },
        ],
      },
    });
    expect(await ledger.reconcile(withoutOpening, { balances })).toMatchObject({ breaks: {} });
  });

  test("is refused if it contradicts the balances of the statement that it replaces", async () => {
    await ledger.reconcile(whole);
    const changed = withoutOpening.replace(
      /(CLBD<.*?<Amt Ccy="INR">)[0-9.]+/,
      (_, start: string) => `${start}12.34`,
    );
    expect(await ledger.load(changed)).toMatchObject({
      error: {
        kind: "unreadable",
        problems: [
          { message: expect.stringContaining("Enter the balances"), expected: "closing 12.34" },
        ],
      },
    });
    expect(await ledger.load(withoutOpening)).toMatchObject({
      value: { statement: { balances: { ...balances, deposits: null } } },
    });
  });
});

describe("a CSV that replaces a statement whose deposits are lines", () => {
  /** A CSV with the payouts of the day and the deposit. Without a sign, it looks like a payout. */
  const csv = (sign: string) => {
    const [header, ...payouts] = csvOf(statementRowsOf(DAY)).csv.trimEnd().split("\n");
    const lines = payouts.map((line) => line.replace(",INR,", `,INR,${sign}`));
    const { number, code, amount, at } = deposit;
    const paidIn = [number, code, "INR", amount, "", "Completed", new Date(at).toISOString()];
    return [header, ...lines, paidIn.join(","), ""].join("\n");
  };
  const replace = async (sign: "" | "-", changes: Parameters<typeof ledger.reconcile>[1] = {}) => {
    await addDeposit();
    await ledger.load(camtOfDay({}, { of: DAY, deposits: [deposit] }));
    const payoutSign = sign === "" ? "none" : "negative";
    const columns = suggestColumns(csv("").split("\n")[0]?.split(",") ?? []);
    const mapping = { columns, words: {}, payoutSign, zone: "UTC" } as const;
    return ledger.load(csv(sign), { changes: mapping, ...changes });
  };

  test("is refused without balances if its amounts have no sign", async () => {
    expect(await replace("")).toMatchObject({
      error: {
        kind: "unreadable",
        problems: [
          {
            line: null,
            message: expect.stringMatching(/lists deposits as lines.*Enter the balances/),
            expected: expect.stringContaining("the sum of the deposits"),
          },
        ],
      },
    });
  });

  test.each([
    ["with balances that a person entered", "", true],
    ["with the balances of the other one, if its amounts have a sign", "-", false],
  ] as const)("is compared %s", async (_how, sign, isEntered) => {
    const { opening, closing } = balancesOf(camtOfDay({}, { of: DAY, deposits: [deposit] }));
    const entered = { balances: { opening, closing, deposits: 25_000n } };
    const loaded = await replace(sign, isEntered ? entered : {});
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.error));
    expect(loaded.value.statement.balances).toEqual({
      opening,
      closing,
      deposits: isEntered ? 25_000n : null,
    });
    expect((await ledger.compare(loaded.value.statement)).breaks).toEqual({});
  });
});
