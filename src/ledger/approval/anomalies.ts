import { type RawBuilder, sql } from "kysely";
import { differingPosition } from "#approval/possible-duplicates.ts";
import { PREVIOUS_BATCHES, ROW_CHECKS, type RowCheck } from "#approval/anomalies.ts";
import { findWarnings } from "#ledger/intake/warned-rows.ts";
import { findBeneficiaries, type Beneficiary, lastFourOf } from "#ledger/approval/beneficiaries.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

export interface AnomalyRow {
  readonly line: number;
  readonly transactionCode: string;
  readonly name: string;
  /** Last digits of the account. */
  readonly accountLast4: string | null;
  readonly money: Money;
  /** Reference value: the usual amount of the account, the limit, or the previous payment. */
  readonly against: Money | null;
  /** The payout code or callback address of the row itself, if the check found it. */
  readonly own: string | null;
  /** The warnings about its values, if the check found them. */
  readonly warnings: readonly string[];
  /** Location of the other payment, its beneficiary, and the last digits of its account. */
  readonly elsewhere: {
    readonly batchId: string;
    readonly line: number;
    readonly name: string;
    readonly accountLast4: string | null;
    /** Position at which the two accounts differ, if there is only one. */
    readonly oneOffAt: number | null;
  } | null;
}

export interface AnomalyFinding {
  readonly check: RowCheck;
  readonly count: number;
  /** Per currency. */
  readonly sums: readonly Money[];
  /** The largest rows. */
  readonly rows: readonly AnomalyRow[];
}

/** Total of a batch in a currency, and the totals of the batches before it, latest first. */
export interface TotalWithEarlier {
  readonly total: Money;
  readonly before: readonly bigint[];
}

/**
 * The condition that the examined batch is compared with a payout of `batches`: the payout was
 * stored before the last row of the batch, or approved before the batch was. Later uploads that
 * nobody has approved do not change what an approver sees. A draft of single payouts, and a batch
 * with corrected rows, get rows after other batches were stored: those count as earlier too.
 */
export const isBefore = (payoutId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`(${payoutId} <= examined_batches.last_id
    or batches.approved_at < coalesce(examined_batches.approved_at, 'infinity'))`;

/** Maximum number of rows shown per check. */
export const ROWS_SHOWN = 50;

/** A row that a check has found, as it is stored: without name or account. */
export interface StoredAnomaly {
  readonly check: RowCheck;
  readonly id: number;
  readonly line: number;
  readonly currency: string;
  readonly minor_digits: number;
  readonly amount_minor: string;
  readonly against: string | null;
  readonly other_id: number | null;
  readonly other_batch: string | null;
  readonly other_line: number | null;
  /** Number of all rows that the check found in this currency. */
  readonly count: number;
  readonly sum: string;
}

/** Maximum amount of a payout per currency, in minor units. */
export type AmountLimits = ReadonlyMap<string, bigint>;

/** Returns payout limits as a JSON object of minor units, for comparison and storage. */
export const limitsText = (limits: AmountLimits): string =>
  JSON.stringify(Object.fromEntries([...limits].map(([name, minor]) => [name, `${minor}`])));

/**
 * Returns the findings of the flags, in the order of the checks, with the names of the
 * beneficiaries shown.
 *
 * @param batchId the batch of the flags, for the warnings about its rows.
 */
export async function findingsOfAnomalies(
  database: Database,
  sealer: Sealer,
  flags: readonly StoredAnomaly[],
  batchId = "",
): Promise<AnomalyFinding[]> {
  const ids = flags.flatMap(({ id, other_id }) => [id, other_id]);
  const people = await findBeneficiaries(database, sealer, ids);
  const found = Map.groupBy(flags, ({ check }) => check);
  const lines = found.get("warned")?.map(({ line }) => line) ?? [];
  const warnings = await findWarnings(database, sealer, batchId, lines);
  return (Object.keys(ROW_CHECKS) as RowCheck[]).flatMap((check) => {
    const some = found.get(check);
    if (!some) return [];
    const currencies = [...new Map(some.map((flag) => [flag.currency, flag])).values()];
    return [
      {
        check,
        count: countOf(check, some),
        sums: currencies.map((flag) => moneyOf({ ...flag, amount_minor: flag.sum })),
        rows: some.slice(0, ROWS_SHOWN).map((flag) => ({
          ...shown(flag, people),
          warnings: check === "warned" ? (warnings.get(flag.line) ?? []) : [],
        })),
      },
    ];
  });
}

/** Returns the number of all rows that a check found, in every currency. */
export function countOf(check: RowCheck, flags: readonly StoredAnomaly[]): number {
  const some = flags.filter((flag) => flag.check === check);
  const currencies = [...new Map(some.map((flag) => [flag.currency, flag])).values()];
  return currencies.reduce((sum, { count }) => sum + count, 0);
}

function shown(
  flag: StoredAnomaly,
  people: ReadonlyMap<number, Beneficiary>,
): Omit<AnomalyRow, "warnings"> {
  const { check, id, line, against, other_id, other_batch, other_line } = flag;
  const person = people.get(id);
  const other = other_id === null ? undefined : people.get(other_id);
  return {
    line,
    transactionCode: person?.code ?? "",
    name: person?.name ?? "",
    accountLast4: lastFourOf(person),
    money: moneyOf(flag),
    against: against === null ? null : moneyOf({ ...flag, amount_minor: against }),
    own: ownOf(check, person),
    elsewhere:
      other_batch === null || other_line === null
        ? null
        : {
            batchId: other_batch,
            line: other_line,
            name: other?.name ?? "",
            accountLast4: lastFourOf(other),
            oneOffAt: differingPosition(person?.account ?? "", other?.account ?? ""),
          },
  };
}

const ownOf = (check: RowCheck, row: Beneficiary | undefined): string | null => {
  if (check === "own_callback") return row?.callbackUrl ?? null;
  return check === "own_payout_code" ? (row?.payoutCode ?? null) : null;
};

/**
 * Returns the total of the batch in each currency, with the batches of that currency approved
 * before it. Retry batches are compared with none, and no batch is compared with them.
 */
export async function findEarlierTotals(
  database: Database,
  batchId: string,
): Promise<TotalWithEarlier[]> {
  const { rows } = await sql<{
    currency: string;
    minor_digits: number;
    amount_minor: string;
    before: string[];
  }>`
    with totals as (
      select
        batch_lanes.currency,
        batch_lanes.minor_digits,
        sum(batch_lanes.total_minor) as amount_minor,
        batches.approved_at
      from batches
        join batch_lanes on batch_lanes.batch_id = batches.id
      where batches.id = ${batchId}
      group by batch_lanes.currency, batch_lanes.minor_digits, batches.approved_at
    )
    select
      currency,
      minor_digits,
      amount_minor,
      array(
        select sum(batch_lanes.total_minor)::text
        from batches
          join batch_lanes on batch_lanes.batch_id = batches.id
        where batch_lanes.currency = totals.currency
          and batches.id <> ${batchId}
          and batches.approved_at < coalesce(totals.approved_at, 'infinity')
          and not exists (
            select from retry_batches where retry_batches.batch_id in (batches.id, ${batchId})
          )
        group by batches.id
        order by batches.approved_at desc
        limit ${PREVIOUS_BATCHES}
      ) as before
    from totals
    order by currency`.execute(database);
  return rows.map((row) => ({ total: moneyOf(row), before: row.before.map(BigInt) }));
}
