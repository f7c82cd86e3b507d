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
  /** Number and sum of the valid rows per currency. */
  readonly totals: readonly { readonly payouts: number; readonly sum: Money }[];
  /** The batches that match the filter without its states. */
  readonly states: readonly { readonly state: ListedState; readonly batches: number }[];
}

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
  const totals = await batches
    .innerJoin("batch_lanes", "batch_lanes.batch_id", "batches.id")
    .select(["currency", "minor_digits"])
    .select(sql<number>`sum(batch_lanes.rows)`.as("payouts"))
    .select(sql<string>`sum(total_minor)`.as("amount_minor"))
    .where(conditionsOf(filter))
    .groupBy(["currency", "minor_digits"])
    .orderBy("currency")
    .execute();
  return {
    count: Number(count),
    states: states.map((each) => ({ state: each.state, batches: Number(each.batches) })),
    totals: totals.map((lane) => ({ payouts: lane.payouts, sum: moneyOf(lane) })),
  };
}
