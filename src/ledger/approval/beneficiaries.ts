import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import { accountNumberOf } from "#payout/payout.ts";

/** The beneficiary of a payout. */
export interface Beneficiary {
  readonly code: string;
  readonly name: string;
  readonly account: string | null;
  /** Payout code of the row itself. Null: the payout code of its lane. */
  readonly payoutCode: string | null;
  readonly callbackUrl: string | null;
}

/** Decrypts the beneficiaries of these payouts. */
export async function findBeneficiaries(
  database: Database,
  sealer: Sealer,
  payouts: readonly (number | null)[],
): Promise<ReadonlyMap<number, Beneficiary>> {
  const ids = [...new Set(payouts)].filter((id) => id !== null);
  const { rows } = await sql<{ payout_id: number; code: string; sealed: Buffer }>`
    select payout_id, transaction_code as code, sealed from payout_details
    where payout_id = any(${ids}::bigint[])`.execute(database);
  return new Map(
    rows.map(({ payout_id, code, sealed }) => {
      const { details, payoutCode, callbackUrl } = openPayout(sealer, code, sealed);
      const account = accountNumberOf(details);
      const name = details.account_name ?? "";
      return [payout_id, { code, name, account, payoutCode, callbackUrl }];
    }),
  );
}

/** Returns the last four digits of the account, by which people recognise it. */
export const lastFourOf = (beneficiary: Beneficiary | undefined): string | null =>
  beneficiary?.account?.slice(-4) ?? null;
