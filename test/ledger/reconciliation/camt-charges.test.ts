/**
 * The bank's charges within the entries of a camt.053 file: each payout agrees with the ledger, and
 * its fee explains the movement of the balance.
 */
import { expect, test } from "vitest";
import { camtOfDay } from "../../support/reconciliation/camt-of-day.ts";
import { DAY, ReconciledLedger } from "../../support/reconciliation/reconciled-ledger.ts";

const ledger = new ReconciledLedger();
const file = camtOfDay({}, { of: DAY });
const CHARGES = /<Chrgs>.*?<\/Chrgs>/;

/** Changes each entry. */
const withEntries = (change: (entry: string) => string): string =>
  file.replace(/<Ntry>.*?<\/Ntry>/g, change);

const inTransaction = (entry: string): string => {
  const charges = CHARGES.exec(entry)?.[0] ?? "";
  return entry.replace(charges, "").replace("</Refs>", `</Refs>${charges}`);
};

function minorOf(amount: string): bigint {
  const [whole = "", cents = ""] = amount.split(".");
  return BigInt(`${whole}${cents.padEnd(2, "0")}`);
}

/** One entry for all payouts of the day, as of a payment file. */
function asOneBatch(): string {
  const entries = [...file.matchAll(/<Ntry>.*?<\/Ntry>/g)].map(([entry]) => inTransaction(entry));
  const amounts = entries.map((entry) => /<Amt Ccy="INR">([\d.]+)</.exec(entry)?.[1] ?? "");
  const total = amounts.reduce((sum, amount) => sum + minorOf(amount), 0n);
  const text = `${total / 100n}.${String(total % 100n).padStart(2, "0")}`;
  const transactions = entries.map((entry, place) => {
    const details = /<TxDtls>.*<\/TxDtls>/.exec(entry)?.[0] ?? "";
    const own = `<Amt Ccy="INR">${amounts[place]}</Amt><CdtDbtInd>DBIT</CdtDbtInd>`;
    return details.replace("</Refs>", `</Refs>${own}`);
  });
  const [first = ""] = entries;
  const batch = first
    .replace(/<Amt Ccy="INR">[\d.]+</, `<Amt Ccy="INR">${text}<`)
    .replace(/<TxDtls>.*<\/TxDtls>/, transactions.join(""));
  return file.replace(/<TxsSummry>.*?<\/TxsSummry>/, "").replace(/<Ntry>[^]*<\/Ntry>/, batch);
}

test.each([
  ["of an entry", file],
  ["of a transaction", withEntries(inTransaction)],
  [
    "without the indicator that they are included",
    withEntries((entry) => entry.replace(/<ChrgInclInd>.*?<\/ChrgInclInd>/, "")),
  ],
  [
    "without the amount of the transaction",
    withEntries((entry) => entry.replace(/<AmtDtls>.*?<\/AmtDtls>/, "")),
  ],
  ["in several transactions of one entry", asOneBatch()],
])("charges %s agree with the ledger and the balance", async (_name, camt) => {
  expect(camt.match(/<Chrgs>/g)).toHaveLength(DAY.payouts);
  const { breaks } = await ledger.reconcile(camt);
  expect(breaks).toEqual({});
});

test("another charge is a break of the fee, and moves the balance", async () => {
  const { breaks } = await ledger.reconcile(camtOfDay({ rows: { wrong_fee: 1 } }, { of: DAY }));
  expect(breaks).toEqual({ fee: 1, unexplained_movement: 1 });
});
