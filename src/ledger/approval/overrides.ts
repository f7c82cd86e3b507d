import { sql } from "kysely";
import { knownColumn } from "#intake/header/column-names.ts";
import type { RowCheck } from "#approval/anomalies.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import type { SealedPayout } from "#ledger/store/keys/compact-payout.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { type StoredAnomaly, ROWS_SHOWN } from "#ledger/approval/anomalies.ts";

export type OverrideCheck = Extract<RowCheck, "own_callback" | "own_payout_code">;

/** A row of a batch with all the data that is sent. */
export interface SentRow {
  readonly id: number;
  readonly line: number;
  readonly lane: string;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly code: string;
  readonly sealed: SealedPayout;
}

/** Returns rows of a batch in the order of their ids, the first ones after `after`. */
export async function sentRows(
  database: Database,
  sealer: Sealer,
  { batchId, after, limit }: { batchId: string; after: number; limit: number },
): Promise<SentRow[]> {
  const { rows } = await sql<Omit<SentRow, "sealed"> & { sealed: Buffer }>`
    select p.id, p.line, p.lane, p.currency, p.minor_digits, p.amount_minor::text, d.transaction_code as code, d.sealed
    from batches b cross join lateral (
      select id, line, lane, currency, minor_digits, amount_minor from payouts
      where id between greatest(b.first_id, ${after + 1}) and b.last_id and batch_id = b.id order by id limit ${limit}
    ) p cross join lateral (
      select transaction_code, sealed from payout_details where payout_id = p.id offset 0
    ) d where b.id = ${batchId} order by p.id`.execute(database);
  return rows.map((row) => ({ ...row, sealed: openPayout(sealer, row.code, row.sealed) }));
}

export interface Override {
  readonly check: OverrideCheck;
  readonly value: string;
  readonly row: SentRow;
}

const ROWS_AT_ONCE = 1_000;

/**
 * Returns rows that replace what payrun sends by default: the payout code of the merchant, or the
 * callback address. They are sealed, so each row is decrypted, which is necessary only for a file
 * with these columns.
 *
 * @param payoutCodeOf returns the payout code of a lane's merchant. Null: unknown, so that every
 * code in a row counts.
 */
export async function findOverrides(
  database: Database,
  sealer: Sealer,
  { id: batchId, facts }: Pick<Batch, "id" | "facts">,
  payoutCodeOf: (lane: string) => string | null,
): Promise<Override[]> {
  const columns = new Set(facts.header.map(knownColumn));
  if (!columns.has("payout_code") && !columns.has("callback_url")) return [];
  const found: Override[] = [];
  for (let after = 0; ; ) {
    const rows = await sentRows(database, sealer, { batchId, after, limit: ROWS_AT_ONCE });
    for (const row of rows) {
      const { payoutCode, callbackUrl } = row.sealed;
      if (callbackUrl !== null) found.push({ check: "own_callback", value: callbackUrl, row });
      if (payoutCode !== null && payoutCode !== payoutCodeOf(row.lane)) {
        found.push({ check: "own_payout_code", value: payoutCode, row });
      }
    }
    const last = rows.at(-1);
    if (!last || rows.length < ROWS_AT_ONCE) return found;
    after = last.id;
  }
}

/**
 * Returns flags in the form of the other checks. The largest row of each different value comes
 * first, so that none is hidden by larger rows.
 */
export const overrideAnomalies = (overrides: readonly Override[]): StoredAnomaly[] =>
  [...Map.groupBy(overrides, ({ check, row }) => `${check} ${row.currency}`).values()].flatMap(
    (some) => {
      const sorted = some.toSorted(({ row: one }, { row: other }) =>
        Number(BigInt(other.amount_minor) - BigInt(one.amount_minor)),
      );
      const seen = new Set<string>();
      const [first, more] = [[] as Override[], [] as Override[]];
      for (const each of sorted) {
        (seen.has(each.value) ? more : first).push(each);
        seen.add(each.value);
      }
      const sum = some.reduce((total, { row }) => total + BigInt(row.amount_minor), 0n);
      return [...first, ...more].slice(0, ROWS_SHOWN).map(({ check, row }) => ({
        check,
        id: row.id,
        line: row.line,
        currency: row.currency,
        minor_digits: row.minor_digits,
        amount_minor: row.amount_minor,
        against: null,
        other_id: null,
        other_batch: null,
        other_line: null,
        count: some.length,
        sum: sum.toString(),
      }));
    },
  );
