/** Statements whose balances come from their file. */
import { expect, test } from "vitest";
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
