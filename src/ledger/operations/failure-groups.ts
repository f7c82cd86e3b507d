import { sql } from "kysely";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import { batchTitle } from "#ledger/intake/title/batch-title.ts";
import type { Database } from "#ledger/store/database.ts";
import {
  payoutConditions,
  NO_BANK,
  type PayoutConditions,
  type PayoutFilter,
} from "#ledger/payout/search/payout-filter.ts";
import {
  type ListedPayout,
  listPayouts,
  type PayoutPage,
  type PayoutPlace,
} from "#ledger/payout/search/payouts.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { IN_DOUBT_SINCE, moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";
import { type FailingState, DEFERRED } from "#payout/failure-explanations.ts";

/** Payouts of one state with the same reason, currency and bank. */
export interface FailureGroup {
  readonly state: FailingState;
  /** In the form that the payout filter accepts. */
  readonly reason: string | null;
  readonly bank: string;
  readonly sum: Money;
  readonly count: number;
  readonly oldestAt: Date;
  readonly newestAt: Date;
  readonly example: string;
  /** The batches of the declined payouts that no other batch retries, newest first. */
  readonly batches: readonly GroupBatch[];
  /** The batches that retry some of these payouts, oldest first. */
  readonly retryBatches: readonly GroupRetryBatch[];
}

/** A batch with payouts of a failure group. */
export interface GroupBatch {
  readonly batchId: string;
  readonly name: string;
  /** The actor that uploaded the batch. */
  readonly maker: string;
  /** Number of its payouts in the group that no other batch retries. */
  readonly count: number;
}

/** A batch that retries payouts of a failure group. */
export interface GroupRetryBatch {
  readonly batchId: string;
  readonly name: string;
  readonly state: BatchState;
  /** Number of payouts of the group that it retries. */
  readonly count: number;
}

export type FailureFilter = Omit<PayoutFilter, "states">;

/**
 * Returns the filter of a state. Of approved payouts only deferred ones count as failures, because
 * the others need no attention. A payout whose retry has paid, or is a failure itself, is none, so
 * that each amount counts once. Null: the filter excludes them.
 */
function filterOf(state: FailingState, filter: FailureFilter): PayoutFilter | null {
  if (state === "declined" || state === "returned")
    return { ...filter, states: [state], retryResult: "none" };
  if (state !== "approved") return { ...filter, states: [state] };
  const { reason = DEFERRED } = filter;
  return reason.startsWith(DEFERRED) ? { ...filter, states: [state], reason } : null;
}

/** Condition that a payout `p` is approved and not deferred. */
export const IS_NOT_DEFERRED = sql`(p.state = 'approved' and split_part(coalesce(p.reason, ''), ':', 1) <> ${DEFERRED})`;

/**
 * Condition on the state. Deferred payouts are found by their reason alone: directly after a large
 * approval, the statistics still show no approved payouts, and a search by state would read a whole
 * batch. PostgreSQL uses no index for a condition before `is true`.
 */
const isIn = (state: FailingState) =>
  state === "approved" ? sql`(p.state = ${state}) is true` : sql`p.state = ${state}`;

/**
 * Reasons whose text comes from payrun's own table of answers. They are few, and each has its own
 * remedy.
 */
const GROUPED_BY_TEXT = ["refused", DEFERRED];

/** The part of a reason that distinguishes failure groups, for payouts `p`. */
export const FAILURE_REASON = sql<string | null>`
  case when split_part(p.reason, ':', 1) = any(${GROUPED_BY_TEXT}) then p.reason else split_part(p.reason, ':', 1) end`;

/** Returns what CAUSE returns in SQL, for a reason that was read already. */
export const failureReasonOf = (reason: string | null): string | null => {
  const [code = ""] = reason?.split(":", 1) ?? [];
  return reason === null || GROUPED_BY_TEXT.includes(code) ? reason : code;
};

/** Start of the failure. */
const FAILED_AT = sql<Date>`
  case when p.state = 'in_doubt' then ${IN_DOUBT_SINCE} else p.updated_at end`;

/** Returns the failure groups that match a filter, the largest first. */
export async function findFailureGroups(
  database: Database,
  sealer: Sealer,
  states: readonly FailingState[],
  filter: FailureFilter,
): Promise<FailureGroup[]> {
  const found = await Promise.all(
    states.map((state) => groupsOf(database, sealer, state, filterOf(state, filter))),
  );
  return found.flat().sort((one, other) => other.count - one.count);
}

async function groupsOf(
  database: Database,
  sealer: Sealer,
  state: FailingState,
  filter: PayoutFilter | null,
): Promise<FailureGroup[]> {
  const looked = filter && (await payoutConditions(database, sealer, filter));
  if (!looked) return [];
  const { rows } = await sql<{
    reason: string | null;
    currency: string;
    minor_digits: number;
    bank: string | null;
    count: number;
    amount_minor: string;
    oldest: Date;
    newest: Date;
    example: string;
  }>`
    select g.*, d.transaction_code as example from (
      select ${FAILURE_REASON} as reason,
        p.currency, p.minor_digits, d.bank, count(*)::int as count, sum(p.amount_minor) as amount_minor,
        min(${FAILED_AT}) as oldest, max(${FAILED_AT}) as newest, max(p.id) as id
      from ${looked.from}
      where ${sql.join([isIn(state), ...looked.where], sql` and `)}
      group by 1, 2, 3, 4
    ) g join payout_details d on d.payout_id = g.id
    order by g.count desc, g.id`.execute(database);
  const retries = await retryBatchesOf(database, state, looked);
  const batches = await batchesToRetry(database, state, looked);
  return rows.map((row) => ({
    state,
    reason: row.reason,
    bank: row.bank ?? NO_BANK,
    sum: moneyOf(row),
    count: row.count,
    oldestAt: row.oldest,
    newestAt: row.newest,
    example: row.example,
    batches: batches.get(groupKey(row)) ?? [],
    retryBatches: retries.get(groupKey(row)) ?? [],
  }));
}

const groupKey = (row: GroupColumns): string =>
  JSON.stringify([row.reason, row.currency, row.minor_digits, row.bank]);

interface GroupColumns {
  readonly reason: string | null;
  readonly currency: string;
  readonly minor_digits: number;
  readonly bank: string | null;
}

/** Returns the batches whose declined payouts no other batch retries, by failure group. */
async function batchesToRetry(
  database: Database,
  state: FailingState,
  looked: PayoutConditions,
): Promise<ReadonlyMap<string, readonly GroupBatch[]>> {
  if (state !== "declined") return new Map();
  const { rows } = await sql<GroupColumns & GroupBatch>`
    select g.reason, g.currency, g.minor_digits, g.bank, g.count, b.id as "batchId",
      ${batchTitle("b")} as name, b.maker
    from (
      select ${FAILURE_REASON} as reason, p.currency, p.minor_digits, d.bank, p.batch_id,
        count(*)::int as count
      from ${looked.from}
      where ${sql.join([isIn(state), ...looked.where], sql` and `)}
        and not exists (select from descendants where parent_id = p.id and live)
      group by 1, 2, 3, 4, 5
    ) g join batches b on b.id = g.batch_id
    order by b.created_at desc, b.id`.execute(database);
  return new Map(
    [...Map.groupBy(rows, groupKey)].map(([key, some]) => [
      key,
      some
        .slice(0, BATCHES_MAX)
        .map(({ batchId, name, maker, count }) => ({ batchId, name, maker, count })),
    ]),
  );
}

/** Maximum number of batches to list for a failure group. */
const BATCHES_MAX = 20;

/** Returns the batches that retry payouts of each failure group. */
async function retryBatchesOf(
  database: Database,
  state: FailingState,
  looked: PayoutConditions,
): Promise<ReadonlyMap<string, readonly GroupRetryBatch[]>> {
  if (state !== "declined" && state !== "returned") return new Map();
  const { rows } = await sql<GroupColumns & GroupRetryBatch>`
    select ${FAILURE_REASON} as reason, p.currency, p.minor_digits, d.bank, b.id as "batchId",
      ${batchTitle("b")} as name, b.state, count(*)::int as count
    from ${looked.from}
    join descendants again on again.parent_id = p.id and again.live
    join payouts r on r.id = again.payout_id
    join batches b on b.id = r.batch_id
    where ${sql.join([isIn(state), ...looked.where], sql` and `)}
    group by 1, 2, 3, 4, b.id order by b.created_at, b.id`.execute(database);
  const groups = Map.groupBy(rows, groupKey);
  return new Map(
    [...groups].map(([key, some]) => [
      key,
      some.map(({ batchId, name, state: of, count }) => ({ batchId, name, state: of, count })),
    ]),
  );
}

const PAGE = 1_000;

/** Yields the payouts themselves, state by state, newest first. */
export async function* findFailedPayouts(
  database: Database,
  sealer: Sealer,
  states: readonly FailingState[],
  filter: FailureFilter,
): AsyncGenerator<
  ListedPayout & { readonly state: FailingState; readonly retriedIn: string | null }
> {
  for (const state of states) {
    const asked = filterOf(state, filter);
    if (!asked) continue;
    let after: PayoutPlace | null = null;
    do {
      const page = { sort: "newest", limit: PAGE, after } as const;
      const { items, next }: PayoutPage = await listPayouts(
        database,
        sealer,
        asked,
        page,
        "uncounted",
      );
      const retries = await findRetryBatchesOf(database, items);
      for (const payout of items)
        yield { ...payout, state, retriedIn: retries.get(payout.code) ?? null };
      after = next;
    } while (after !== null);
  }
}

/** Returns the ID of the batch that retries each payout, by transaction code. */
async function findRetryBatchesOf(
  database: Database,
  payouts: readonly ListedPayout[],
): Promise<ReadonlyMap<string, string>> {
  const codes = payouts.map(({ code }) => code);
  const { rows } = await sql<{ code: string; batchId: string }>`
    select d.transaction_code as code, r.batch_id as "batchId"
    from payout_details d
    join descendants again on again.parent_id = d.payout_id and again.live
    join payouts r on r.id = again.payout_id
    where d.transaction_code = any(${codes}::text[])`.execute(database);
  return new Map(rows.map(({ code, batchId }) => [code, batchId]));
}
