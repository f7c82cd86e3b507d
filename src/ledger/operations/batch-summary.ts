import { sql } from "kysely";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import {
  type BatchFilter,
  conditionsOf,
  SEND_TIME_CONDITIONS,
} from "#ledger/operations/batch-list.ts";
import type { Database } from "#ledger/store/database.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

/** The state of a batch in lists, which separate scheduled and held-back batches. */
type ListedState = BatchState | "scheduled" | "held_back";

/** The number and sums of the batches that match a filter. */
export interface BatchSummary {
  readonly count: number;
  /** Number and sum of the valid rows per currency, without those of `notSummed`. */
  readonly totals: readonly { readonly payouts: number; readonly sum: Money }[];
  /** The numbers of batches that `totals` leaves out. */
  readonly notSummed: Readonly<Record<SumExclusion, number>>;
  /** The batches that match the filter without its states. */
  readonly states: readonly { readonly state: ListedState; readonly batches: number }[];
}

/**
 * Why a sum leaves out a batch: its rows were not sent for approval, it was cancelled before
 * payouts were sent, or the batch that it retries contains the same amounts.
 */
type SumExclusion = "drafts" | "cancelled" | "retries";

const EXCLUSION = sql<SumExclusion | null>`case
  when batches.state in ('draft', 'needs_correction') then 'drafts'
  when batches.state = 'cancelled' then 'cancelled'
  when exists (select from retry_batches where retry_batches.batch_id = batches.id) then 'retries' end`;

const LISTED_STATE = sql<ListedState>`case
  when state <> 'approved' then state
  when ${SEND_TIME_CONDITIONS.scheduled} then 'scheduled'
  when ${SEND_TIME_CONDITIONS.held_back} then 'held_back'
  else state end`;

/** Counts and sums the batches that match a filter. */
export async function summarizeBatches(
  database: Database,
  filter: BatchFilter,
): Promise<BatchSummary> {
  const { states: _states, send: _send, ...others } = filter;
  const batches = database.selectFrom("batches");
  const { count } = await batches
    .select((is) => is.fn.countAll<string>().as("count"))
    .where(conditionsOf(filter))
    .executeTakeFirstOrThrow();
  const states = await batches
    .select((is) => [LISTED_STATE.as("state"), is.fn.countAll<string>().as("batches")])
    .where(conditionsOf(others))
    .groupBy(LISTED_STATE)
    .execute();
  const groups = await batches
    .select((is) => [EXCLUSION.as("exclusion"), is.fn.countAll<string>().as("batches")])
    .where(conditionsOf(filter))
    .groupBy(EXCLUSION)
    .execute();
  // A list of drafts only, for example, is summed.
  const isMixed = groups.some(({ exclusion }) => exclusion === null);
  const totals = await batches
    .innerJoin("batch_lanes", "batch_lanes.batch_id", "batches.id")
    .select(["currency", "minor_digits"])
    .select(sql<number>`sum(batch_lanes.rows)`.as("payouts"))
    .select(sql<string>`sum(total_minor)`.as("amount_minor"))
    .where(conditionsOf(filter))
    .$if(isMixed, (query) => query.where(sql<boolean>`${EXCLUSION} is null`))
    .groupBy(["currency", "minor_digits"])
    .orderBy("currency")
    .execute();
  const left = new Map(groups.map(({ exclusion, batches: some }) => [exclusion, Number(some)]));
  const notSummed = (exclusion: SumExclusion) => (isMixed ? (left.get(exclusion) ?? 0) : 0);
  return {
    count: Number(count),
    notSummed: {
      drafts: notSummed("drafts"),
      cancelled: notSummed("cancelled"),
      retries: notSummed("retries"),
    },
    states: states.map((each) => ({ state: each.state, batches: Number(each.batches) })),
    totals: totals.map((lane) => ({ payouts: lane.payouts, sum: moneyOf(lane) })),
  };
}
