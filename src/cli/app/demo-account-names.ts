import { findAccountNames, nameAccount } from "#ledger/payout/lane/account-names.ts";
import type { Database } from "#ledger/store/database.ts";
import { DEMO_MERCHANTS } from "#simulator/demo-merchants.ts";

/** The display name of the demo's merchant account for each currency. */
const NAMES: Readonly<Record<string, string>> = {
  BDT: "Dhaka office",
  BRL: "São Paulo office",
  CNY: "Shanghai office",
  IDR: "Jakarta office",
  INR: "Mumbai office",
  JPY: "Tokyo office",
  KRW: "Seoul office",
  MMK: "Yangon office",
  MYR: "Kuala Lumpur office",
  PHP: "Manila office",
  THB: "Bangkok office",
  TRY: "Istanbul office",
  USDT: "Treasury wallet",
  VND: "Hanoi office",
};

/**
 * Names the merchant accounts of the demo that have no name yet, also those without payouts, so
 * that pages show names after any upload.
 */
export async function nameDemoAccounts(database: Database, at: Date): Promise<void> {
  const named = await findAccountNames(database);
  const nameless = DEMO_MERCHANTS.filter(({ merchant_code: code }) => !named.has(code));
  await database.transaction().execute(async (transaction) => {
    for (const { merchant_code: merchantCode, currencies } of nameless) {
      const name = NAMES[currencies[0] ?? ""];
      if (name === undefined) throw new Error(`${merchantCode} has no name for the demo`);
      const order = { merchantCode, name, mayBeNew: true, actor: "cli:demo", at };
      const result = await nameAccount(transaction, order);
      if (!result.ok) throw new Error(`${merchantCode} was not named: ${result.error}`);
    }
  });
}
