import { type RawBuilder, sql } from "kysely";
import { isBalanceTooLow } from "#ledger/payout/lane/balances.ts";
import { notPaused } from "#ledger/payout/lane/lane-pauses.ts";
import { notQuarantined } from "#ledger/payout/quarantine-condition.ts";
import { isReleased } from "#ledger/schedule/send-times.ts";
import { inMs } from "#ledger/store/tables.ts";
import type { InDoubtLimit } from "#payout/circuit-breakers.ts";
import { LIFECYCLE } from "#payout/payout-lifecycle.ts";

export interface Claim {
  readonly batchId: string;
  readonly lane: string;
  readonly sizeMax: number;
  readonly worker: string;
  readonly keyId: string;
  /**
   * Lease duration in milliseconds. An attempt without a recorded result after this time becomes in
   * doubt.
   */
  readonly leaseMs: number;
  /** In-doubt limit. Above it, no new payout is sent. */
  readonly inDoubtLimit: InDoubtLimit;
}

/**
 * Claim of one payout that is in doubt. The in-doubt limit does not apply, because it waits for
 * these payouts.
 */
export type Reclaim = Omit<Claim, "sizeMax" | "inDoubtLimit">;

/** A payout that a claim returns. */
export interface ClaimedRow {
  id: number;
  seq: number;
  attempts: number;
  transaction_code: string;
  lane: string;
  currency: string;
  amount_minor: string;
  minor_digits: number;
  payload_digest: Buffer;
  maybe_arrived: boolean;
  is_restored: boolean;
  may_be_forgotten: boolean;
  on_trial: boolean;
  sealed: Buffer;
}

/**
 * Condition of every claim of new payouts. A cancelled payout is not sent when a person resumes the
 * batch, whether to open a lane or by mistake. The state alone is no approval: the condition reads
 * the approvals, so that a batch whose state was set without the flows is not sent.
 */
export const mayClaim = (
  { batchId, lane }: Pick<Claim, "batchId" | "lane">,
  condition: RawBuilder<boolean>,
) =>
  sql`(
          ${condition}
          and exists (select from batches where id = ${batchId} and state = 'approved' and not cancelling)
          and exists (select from approved_batches where id = ${batchId})
          and ${notPaused(batchId, lane)}
          and ${isReleased(batchId)}
          and ${notQuarantined(batchId)}
        )`;

export const IS_PROBE = sql<boolean>`exists (select from probed_lanes)`;

/**
 * Starts the probe of a stopped lane whose retry time has passed. This claim may send one payout,
 * and no other claim may do so for a while.
 */
export const probedLanes = (
  { batchId, lane, leaseMs }: Pick<Claim, "batchId" | "lane" | "leaseMs">,
  toSend: RawBuilder<unknown>,
  condition: RawBuilder<boolean>,
) => sql`
    -- The lane, if this claim starts its probe. A batch that has no payout to send, or may not send
    -- one, leaves the probe to other batches.
    probed_lanes as (
      update lanes
      set retry_at = now() + ${inMs(leaseMs)}
      where lane = ${lane}
        and reason is not null
        and retry_at <= now()
        and ${mayClaim({ batchId, lane }, condition)}
        and exists (select from payouts where ${toSend})
        and (breaker is distinct from 'balance' or not ${isBalanceTooLow(lane, toSend)})
      returning lane
    )`;

/**
 * Returns the part that all claims share: state, transition and attempt are written in the same
 * commit.
 */
export function claimed(
  claim: Reclaim,
  source: RawBuilder<unknown>,
  event: "send" | "resend",
  onTrial: RawBuilder<boolean>,
) {
  return sql`
    claimed_payouts as (
      update payouts
      set
        state = ${LIFECYCLE[event].to},
        seq = payouts.seq + 1,
        attempts = payouts.attempts + 1,
        status_queries = 0,
        status_answer = null,
        status_answer_times = 0,
        status_answer_since = null,
        status_answer_at = null,
        -- Earlier attempts have ended. The result of this one is not known yet.
        unanswered_at = null,
        resent = payouts.resent or payouts.maybe_arrived or payouts.queried_at is not null,
        double_payment_check_at = null,
        silent_since = null,
        due_at = now() + ${inMs(claim.leaseMs)},
        first_sent_at = coalesce(payouts.first_sent_at, now()),
        last_sent_at = now(),
        updated_at = now()
      from ${source} as claimable
      where payouts.id = claimable.id
      returning payouts.id, payouts.seq, payouts.attempts, payouts.lane, payouts.currency,
        payouts.amount_minor, payouts.minor_digits, payouts.payload_digest,
        payouts.maybe_arrived or payouts.queried_at is not null as maybe_arrived
    ),
    -- The time of a transition is the time at which the claim began.
    recorded_transitions as (
      insert into transitions (payout_id, seq, event, from_state, to_state, actor)
      select id, seq, ${event}, ${LIFECYCLE[event].from[0]}, ${LIFECYCLE[event].to}, ${claim.worker}
      from claimed_payouts
    ),
    -- The time of an attempt follows the time at which the claim read the state of the ledger.
    recorded_attempts as (
      insert into attempts (payout_id, number, payload_digest, key_id, worker, opened_at)
      select id, attempts, payload_digest, ${claim.keyId}, ${claim.worker}, clock_timestamp()
      from claimed_payouts
    )
    select
      claimed_payouts.*,
      ${onTrial} as on_trial,
      coalesce((select number > 1 from epoch), false) as is_restored,
      not claimed_payouts.maybe_arrived
        and (select number > 1 from epoch)
        and exists (
          select
          from audit
          where action = 'unfreeze'
            and at::timestamptz > now() - interval '100 days'
        ) as may_be_forgotten,
      payout_details.transaction_code,
      payout_details.sealed
    from claimed_payouts
      join payout_details on payout_details.payout_id = claimed_payouts.id
    order by claimed_payouts.id`;
}
