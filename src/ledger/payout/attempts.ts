import { type RawBuilder, sql } from "kysely";
import { notBehindCanary } from "#ledger/payout/canary-condition.ts";
import {
  type Claim,
  claimed,
  type ClaimedRow,
  mayClaim,
  IS_PROBE,
  probedLanes,
  type Reclaim,
} from "#ledger/payout/claim-statement.ts";
import type { Database } from "#ledger/store/database.ts";
import { isBelowInDoubtLimit } from "#ledger/payout/progress.ts";
import { isInvalidRetry } from "#ledger/payout/retry-batches.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import { SLOW_IN_DOUBT_MAX } from "#payout/circuit-breakers.ts";
import { LIFECYCLE } from "#payout/payout-lifecycle.ts";
import { payloadText, type PayoutOrder } from "#payout/payout.ts";

/** A recorded attempt. From here on the payout may have been sent. */
export interface OpenAttempt {
  readonly payoutId: number;
  readonly seq: number;
  readonly number: number;
  readonly lane: string;
  readonly order: PayoutOrder;
  /** False if the stored payout differs from the approved one. Nothing may be sent then. */
  readonly intact: boolean;
  /**
   * True if an earlier attempt may have reached the gateway, or if the payout was in progress in a
   * frozen ledger, which may have lost an attempt.
   */
  readonly maybeArrived: boolean;
  /**
   * True if the ledger was frozen before. It may have lost a batch that used this transaction code.
   */
  readonly isRestored: boolean;
  /**
   * True if a restore may have removed an earlier attempt of this payout, and the gateway was not
   * queried since: the ledger was unfrozen in the last 100 days, for which file records keep their
   * payouts.
   */
  readonly mayBeForgotten: boolean;
  /**
   * True if the lane is stopped and this payout is sent to find out whether the lane can open
   * again.
   */
  readonly isProbe: boolean;
}

/**
 * Claims due payouts of one batch and lane and commits an attempt for each, in one statement.
 * Before this returns, no byte may be sent. Afterwards, each claimed payout counts as possibly
 * sent.
 *
 * Returns an empty array if the gate is closed (a frozen ledger or an unverified server), the batch
 * waits for its send time, the batch or lane is paused, the lane is stopped, or the lane has
 * reached its in-doubt limit. A stopped lane whose retry time has passed returns one payout as a
 * probe, unless it has reached its in-doubt limit.
 */
export async function openAttempts(
  database: Database,
  sealer: Sealer,
  claim: Claim,
  condition: RawBuilder<boolean>,
): Promise<OpenAttempt[]> {
  const { batchId, lane, sizeMax } = claim;
  const isDue = sql`batch_id = ${batchId}
        and lane = ${lane}
        and state = 'approved'
        and due_at <= now()
        and not ${isInvalidRetry(sql`payouts.id`)}
        and ${isBelowInDoubtLimit(lane, claim.inDoubtLimit)}
        and ${notBehindCanary(batchId, lane)}`;
  const { rows } = await sql<ClaimedRow>`
    with
    -- The next payouts of the batch, unless the lane is stopped.
    due_payouts as (
      select id
      from payouts
      where ${isDue}
        and ${mayClaim(claim, condition)}
        and not exists (select from lanes where lane = ${lane} and reason is not null)
      order by line
      limit ${sizeMax}
      for update skip locked
    ),
    ${claimed(claim, sql`due_payouts`, "send", sql`false`)}`.execute(database);
  // Run the probe as a separate statement. Inside the main claim, PostgreSQL would plan the probe
  // on every claim of a healthy lane.
  const claims =
    rows.length === 0 && (await isProbeDue(database, lane))
      ? await claimProbe(database, claim, isDue, condition)
      : rows;
  return claims.map((row) => opened(sealer, row));
}

async function isProbeDue(database: Database, lane: string): Promise<boolean> {
  const { rows } = await sql`
    select
    from lanes
    where lane = ${lane}
      and reason is not null
      and retry_at <= now()`.execute(database);
  return rows.length > 0;
}

/**
 * Condition for the probe of a slow lane. Each probe of a slow gateway stays in doubt for a while,
 * so there is no probe while many payouts of the lane are in doubt.
 */
const maySendSlowProbe = (lane: string) => sql`
  (not exists (select from lanes where lane = ${lane} and breaker = 'slow')
    or ${isBelowInDoubtLimit(lane, { count: SLOW_IN_DOUBT_MAX - 1, minor: null })})`;

async function claimProbe(
  database: Database,
  claim: Claim,
  isDue: RawBuilder<unknown>,
  condition: RawBuilder<boolean>,
): Promise<readonly ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`
    with
    ${probedLanes(claim, sql`${isDue} and ${maySendSlowProbe(claim.lane)}`, condition)},
    -- The payout that is sent as the probe.
    due_payouts as (
      select id
      from payouts
      where ${isDue}
        and ${IS_PROBE}
      order by line
      limit 1
      for update skip locked
    ),
    ${claimed(claim, sql`due_payouts`, "send", IS_PROBE)}`.execute(database);
  return rows;
}

/**
 * Claims one payout in doubt, to send it again under its transaction code. Returns null if the
 * payout has moved on, or if its batch or lane is stopped or paused. A lane that was stopped
 * because too many payouts are in doubt lets them pass, because it waits for their results, unless
 * the gateway has asked for a pause.
 */
export async function reopenAttempt(
  database: Database,
  sealer: Sealer,
  claim: Reclaim,
  payout: { readonly payoutId: number; readonly seq: number },
  condition: RawBuilder<boolean>,
): Promise<OpenAttempt | null> {
  const isInDoubt = sql`id = ${payout.payoutId}
        and seq is not distinct from ${payout.seq}
        and state is not distinct from ${LIFECYCLE.resend.from[0]}
        and not ${isInvalidRetry(sql`payouts.id`)}`;
  const { rows } = await sql<ClaimedRow>`
    with
    ${probedLanes(claim, isInDoubt, condition)},
    -- The payout in doubt, unless its lane is stopped for another reason than missing results.
    payouts_in_doubt as (
      select id
      from payouts
      where ${isInDoubt}
        and ${mayClaim(claim, condition)}
        and (
          ${IS_PROBE}
          or not exists (
            select from lanes
            where lane = ${claim.lane}
              and reason is not null
              and (needs <> 'answers' or gateway_pause_until > now())
          )
        )
      for update
    ),
    ${claimed(claim, sql`payouts_in_doubt`, "resend", IS_PROBE)}`.execute(database);
  return rows[0] ? opened(sealer, rows[0]) : null;
}

function opened(sealer: Sealer, row: ClaimedRow): OpenAttempt {
  const order = openOrder(sealer, row);
  return {
    payoutId: row.id,
    seq: row.seq,
    number: row.attempts,
    lane: row.lane,
    order,
    intact: sealer.digest(payloadText(order)).equals(row.payload_digest),
    maybeArrived: row.maybe_arrived,
    isRestored: row.is_restored,
    mayBeForgotten: row.may_be_forgotten,
    isProbe: row.on_trial,
  };
}

function openOrder(sealer: Sealer, row: ClaimedRow): PayoutOrder {
  const code = row.transaction_code;
  const money = moneyOf(row);
  try {
    const { details, payoutCode, callbackUrl } = openPayout(sealer, code, row.sealed);
    return { transactionCode: code, money, details, payoutCode, callbackUrl };
  } catch {
    // The details are damaged or were copied from another payout. Empty details cannot have the
    // approved digest.
    return { transactionCode: code, money, details: {}, payoutCode: null, callbackUrl: null };
  }
}
