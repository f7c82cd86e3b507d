import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { SealedPayout } from "#ledger/store/keys/compact-payout.ts";
import { openPayout, openRejected } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A row of a batch as an approver reviews it. */
export interface ReviewRow {
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly code: string;
  readonly sealed: SealedPayout;
}

/** The rows to return, and their order. */
export interface ReviewOrder {
  readonly batchId: string;
  /** Rows that need attention come first, then the other flagged ones. */
  readonly attention: readonly number[];
  readonly flagged: readonly number[];
  /** Only these rows. Null: all. */
  readonly only: readonly number[] | null;
  readonly onlyCorrected: boolean;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Returns rows of a batch: flagged ones first, then by their share of the total in their currency,
 * which compares amounts in different currencies.
 */
export async function reviewRows(
  database: Database,
  sealer: Sealer,
  { batchId, attention, flagged, only, onlyCorrected, offset, limit }: ReviewOrder,
): Promise<ReviewRow[]> {
  const { rows } = await sql<Omit<ReviewRow, "sealed"> & { sealed: Buffer }>`
    with batch_rows as materialized (
      select p.id, p.line, p.currency, p.minor_digits, p.amount_minor,
        p.amount_minor / nullif(sum(p.amount_minor) over (partition by p.currency), 0) as share
      from batches b cross join lateral (
        select id, line, currency, minor_digits, amount_minor from payouts
        where id between b.first_id and b.last_id and batch_id = b.id offset 0
      ) p
      where b.id = ${batchId}
    ), picked_rows as (
      select batch_rows.*, row_number() over (order by
        case when id = any (${[...attention]}::bigint[]) then 0 when id = any (${[...flagged]}::bigint[]) then 1 else 2 end,
        share desc nulls last, id) as place
      from batch_rows
      where (${only === null} or id = any (${[...(only ?? [])]}::bigint[]))
        and (not ${onlyCorrected} or exists (
          select from corrected_rows c where c.batch_id = ${batchId} and c.line = batch_rows.line))
      order by place offset ${offset} limit ${limit}
    )
    select r.id, r.line, r.currency, r.minor_digits, r.amount_minor::text, d.transaction_code as code, d.sealed
    from picked_rows r join payout_details d on d.payout_id = r.id order by r.place`.execute(
    database,
  );
  return rows.map((row) => ({ ...row, sealed: openPayout(sealer, row.code, row.sealed) }));
}

/** A row before its first correction, with the person who corrected it last. */
export interface CorrectedRow {
  readonly cells: readonly string[];
  readonly actor: string;
  readonly at: Date;
}

/** Returns corrected rows of a batch as they were uploaded, by line. */
export async function findCorrectedRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  lines: readonly number[],
): Promise<ReadonlyMap<number, CorrectedRow>> {
  const { rows } = await sql<{ line: number; sealed: Buffer; actor: string; at: Date }>`
    select distinct on (c.line) c.line, c.sealed, correction.actor, correction.at
    from corrected_rows c
      join payouts p on p.batch_id = c.batch_id and p.line = c.line
      join batches b on b.id = c.batch_id and p.id between b.first_id and b.last_id
      join corrections correction on correction.batch_id = c.batch_id
        and p.id between correction.first_id and correction.last_id
    where c.batch_id = ${batchId} and c.line = any (${[...lines]}::int[])
    order by c.line, c.at`.execute(database);
  return new Map(
    rows.map(({ line, sealed, actor, at }) => [
      line,
      { cells: openRejected(sealer, batchId, line, sealed).cells, actor, at },
    ]),
  );
}

/** Returns the number of payouts of a batch that were corrected after the upload. */
export async function countCorrectedRows(database: Database, batchId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from corrections c join payouts p on p.id between c.first_id and c.last_id
    where c.batch_id = ${batchId} and p.batch_id = ${batchId}
      and exists (select from corrected_rows r where r.batch_id = p.batch_id and r.line = p.line)`.execute(
    database,
  );
  return rows[0]?.count ?? 0;
}
