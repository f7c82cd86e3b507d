import { findMerchantAccounts, nameAccount } from "#ledger/payout/lane/account-names.ts";
import type { Database } from "#ledger/store/database.ts";
import { laneParts } from "#payout/payout.ts";

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
  VND: "Hanoi office",
};

/** Names the merchant accounts of the demo that have payouts and no name yet. */
export async function nameDemoAccounts(database: Database, at: Date): Promise<void> {
  for (const { merchantCode, lanes, name } of await findMerchantAccounts(database)) {
    const lane = lanes[0];
    const wanted = lane === undefined ? undefined : NAMES[laneParts(lane).currency];
    if (name !== null || wanted === undefined) continue;
    const order = { merchantCode, name: wanted, actor: "cli:demo", at };
    const named = await database
      .transaction()
      .execute((transaction) => nameAccount(transaction, order));
    if (!named.ok) throw new Error(`the account of ${lane} was not named: ${named.error}`);
  }
}
