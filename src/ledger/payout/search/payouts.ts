import { type RawBuilder, sql } from "kysely";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import { maskPayout } from "#intake/masking.ts";
import type { Database } from "#ledger/store/database.ts";
import {
  allOf,
  type PayoutConditions,
  payoutConditions,
  type PayoutFilter,
} from "#ledger/payout/search/payout-filter.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { accountNumberOf } from "#payout/payout.ts";
import type { InconclusiveAnswer } from "#payout/decision.ts";

/** A payout as a list shows it. Only the end of its account is visible. */
export interface ListedPayout {
  readonly code: string;
  readonly batchId: string;
  readonly line: number;
  readonly state: PayoutState;
  readonly batchState: BatchState;
  readonly reason: string | null;
  readonly money: Money;
  readonly beneficiary: string | null;
  readonly accountLast4: string | null;
  readonly bank: string | null;
  readonly reference: string | null;
  readonly gatewayNumber: string | null;
  readonly attempts: number;
  /** The latest readable answer to status queries, and how often it was given in a row. */
  readonly heard: { readonly answer: InconclusiveAnswer; readonly times: number } | null;
  readonly sentAt: Date | null;
  readonly updatedAt: Date;
}

export type PayoutSort = "newest" | "oldest" | "changed";

/**
 * The end of a page: the id, and the time of change, which sorts before it where the list is sorted
 * by change, in the exact text of the database.
 */
export type PayoutPlace = readonly [id: number, changed: string];

export interface PayoutPage {
  readonly items: readonly ListedPayout[];
  readonly next: PayoutPlace | null;
  /** Counted up to COUNT_MAX. Null except on the first page. */
  readonly count: number | null;
}

/**
 * Maximum count. A larger number is of no use, and counting would take longer than finding the
 * payouts.
 */
export const COUNT_MAX = 1_000;

// biome-ignore format: the columns are the point
const SORTS: Readonly<Record<PayoutSort, { order: RawBuilder<unknown>; after: (place: PayoutPlace) => RawBuilder<unknown> }>> = {
  newest:  { order: sql`id desc`,                  after: ([id]) => sql`p.id < ${id}` },
  oldest:  { order: sql`id`,                       after: ([id]) => sql`p.id > ${id}` },
  changed: { order: sql`updated_at desc, id desc`, after: ([id, at]) => sql`(p.updated_at, p.id) < (${at}::timestamptz, ${id})` },
};

interface Row {
  id: number;
  code: string;
  batch_id: string;
  line: number;
  state: PayoutState;
  batch_state: BatchState;
  reason: string | null;
  currency: string;
  amount_minor: string;
  minor_digits: number;
  bank: string | null;
  gateway_number: string | null;
  attempts: number;
  status_answer: InconclusiveAnswer | null;
  status_answer_times: number;
  first_sent_at: Date | null;
  updated_at: Date;
  changed: string;
  sealed: Buffer;
}

/**
 * Returns one page of the payouts that match a filter, by keyset: the last page costs as much as
 * the first.
 */
export async function listPayouts(
  database: Database,
  sealer: Sealer,
  filter: PayoutFilter,
  page: {
    readonly sort: PayoutSort;
    readonly limit: number;
    readonly after: PayoutPlace | null;
  },
  counting: "counted" | "uncounted" = "counted",
): Promise<PayoutPage> {
  const { sort, limit, after } = page;
  const { order, after: beyond } = SORTS[sort];
  const looked = await payoutConditions(database, sealer, filter);
  if (!looked) return { items: [], next: null, count: 0 };

  const { from, where: conditions } = looked;
  const where = after ? [...conditions, beyond(after)] : conditions;
  const { rows } = await sql<Row>`
    select p.id, d.transaction_code as code, p.batch_id, p.line, p.state, p.reason, p.currency, p.amount_minor,
      p.minor_digits, d.bank, p.gateway_number, p.attempts, p.status_answer, p.status_answer_times, p.first_sent_at, p.updated_at,
      p.updated_at::text as changed, d.sealed, (select state from batches where id = p.batch_id) as batch_state
    from (${chosen(filter.states, { from, where }, order, limit + 1)}) p
    join payout_details d on d.payout_id = p.id
    order by ${sql.raw("p.")}${order}`.execute(database);

  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const isWhole = rows.length <= limit;
  return {
    items: items.map((row) => listed(row, sealer)),
    next: isWhole || !last ? null : [last.id, last.changed],
    count:
      after || counting === "uncounted"
        ? null
        : isWhole
          ? items.length
          : await count(database, filter.states, looked),
  };
}

/**
 * Selects the matching payouts by indexes alone. Several states become one query each, because only
 * then does an index return each in order.
 */
function chosen(
  states: readonly PayoutState[] | undefined,
  { from, where }: PayoutConditions,
  order: RawBuilder<unknown>,
  limit: number,
): RawBuilder<unknown> {
  const question = (more: readonly RawBuilder<unknown>[]) => sql`
    (select p.* from ${from}
    where ${allOf([...where, ...more])} order by ${sql.raw("p.")}${order} limit ${sql.lit(limit)})`;
  if (!states) return question([]);
  const each = states.map((state) => question([sql`p.state = ${state}`]));
  return each.length === 1
    ? (each[0] as RawBuilder<unknown>)
    : sql`select * from (${sql.join(each, sql` union all `)}) s order by ${order} limit ${sql.lit(limit)}`;
}

async function count(
  database: Database,
  states: readonly PayoutState[] | undefined,
  { from, where: conditions }: PayoutConditions,
): Promise<number> {
  const where = states ? [...conditions, sql`p.state = any(${[...states]})`] : conditions;
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from ${from} where ${allOf(where)} limit ${sql.lit(COUNT_MAX + 1)}) c`.execute(database);
  return rows[0]?.count ?? 0;
}

function listed(row: Row, sealer: Sealer): ListedPayout {
  const { details, reference } = maskPayout(row.currency, openPayout(sealer, row.code, row.sealed));
  return {
    code: row.code,
    batchId: row.batch_id,
    line: row.line,
    state: row.state,
    batchState: row.batch_state,
    reason: row.reason,
    money: moneyOf(row),
    beneficiary: details.account_name ?? null,
    accountLast4: accountNumberOf(details)?.slice(-4) ?? null,
    bank: row.bank,
    reference,
    gatewayNumber: row.gateway_number,
    attempts: row.attempts,
    heard: row.status_answer && { answer: row.status_answer, times: row.status_answer_times },
    sentAt: row.first_sent_at,
    updatedAt: row.updated_at,
  };
}
