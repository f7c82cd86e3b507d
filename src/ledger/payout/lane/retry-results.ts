import { type RawBuilder, sql } from "kysely";
import type { RetryResult } from "#payout/retry-rule.ts";

/** Condition that payout `r`, a live retry, paid its row. */
export const HAS_PAID: RawBuilder<boolean> = sql<boolean>`(r.state = 'settled'
  or (r.state = 'resolved' and split_part(r.reason, ':', 1) = 'resolved_arrived'))`;

/** Condition that the list of failures contains payout `r`, a live retry. */
const HAS_FAILED = sql`(r.state in ('declined', 'returned', 'on_hold', 'in_doubt')
  or (r.state = 'approved' and split_part(r.reason, ':', 1) = 'deferred'))`;

/**
 * Condition that payout `p` is declined or returned, and that a live retry has paid its row or is a
 * failure itself. The amount counts with the retry then, and not twice.
 */
export const IS_REPLACED_BY_RETRY: RawBuilder<boolean> = sql<boolean>`(
  p.state in ('declined', 'returned') and exists (
    select from descendants again join payouts r on r.id = again.payout_id
    where again.parent_id = p.id and again.live and (${HAS_PAID} or ${HAS_FAILED})) is true)`;

/** Condition that payout `p` is declined or returned, and that a retry of its row has paid. */
const IS_PAID_BY_RETRY: RawBuilder<boolean> = sql<boolean>`(
  p.state in ('declined', 'returned') and exists (
    select from descendants again
      left join descendants later on later.parent_id = again.payout_id and later.live
      join payouts r on r.id in (again.payout_id, later.payout_id)
    where again.parent_id = p.id and again.live and ${HAS_PAID}) is true)`;

/** The condition for each result, on payouts `p`. */
export const RETRY_RESULT_CONDITIONS: Readonly<Record<RetryResult, RawBuilder<boolean>>> = {
  none: sql<boolean>`not ${IS_REPLACED_BY_RETRY}`,
  paid: IS_PAID_BY_RETRY,
};
