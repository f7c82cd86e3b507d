/** Statements whose balances come from their file. */
import { describe, expect, test } from "vitest";
import { camtOfDay } from "../../support/reconciliation/camt-of-day.ts";
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

describe("a file that states one balance", () => {
  const whole = camtOfDay({}, { of: DAY });
  const withoutOpening = whole.replace(/<Bal>.*?OPBD.*?<\/Bal>/, "");
  const minorOf = (type: string) => {
    const text = whole.match(new RegExp(`${type}</Cd>.*?<Amt Ccy="INR">([0-9.]+)<`))?.[1];
    const [units = "", cents = ""] = (text ?? "").split(".");
    return BigInt(`${units}${cents.padEnd(2, "0")}`);
  };
  const balances = { opening: minorOf("OPBD"), closing: minorOf("CLBD"), deposits: 0n };
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
