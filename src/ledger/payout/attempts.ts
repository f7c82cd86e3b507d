import { type RawBuilder, sql } from "kysely";
import { notBehindCanary } from "#ledger/payout/canary-condition.ts";
import type { Database } from "#ledger/store/database.ts";
import { notPaused } from "#ledger/payout/lane/lane-pauses.ts";
import { knownTooLow } from "#ledger/payout/lane/balances.ts";
import { notQuarantined } from "#ledger/payout/quarantine-condition.ts";
import { belowCeiling } from "#ledger/payout/progress.ts";
import { isOvertaken } from "#ledger/payout/retry-batches.ts";
import { letGo } from "#ledger/schedule/send-times.ts";
import { inMs, moneyOf } from "#ledger/store/tables.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import { type Ceiling, SLOW_IN_DOUBT_MAX } from "#payout/circuit-breakers.ts";
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
   * True if the lane is stopped and this payout is sent to find out whether the lane can open
   * again.
   */
  readonly onTrial: boolean;
}

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
  readonly ceiling: Ceiling;
}

/**
 * Claim of one payout that is in doubt. The in-doubt limit does not apply, because it waits for
 * these payouts.
 */
export type Reclaim = Omit<Claim, "sizeMax" | "ceiling">;

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
  gate: RawBuilder<boolean>,
): Promise<OpenAttempt[]> {
  const { batchId, lane, sizeMax } = claim;
  const dueIn = sql`batch_id = ${batchId} and lane = ${lane} and state = 'approved' and due_at <= now()
    and not ${isOvertaken(sql`payouts.id`)}
    and ${belowCeiling(lane, claim.ceiling)}
    and ${notBehindCanary(batchId, lane)}`;
  const { rows } = await sql<ClaimedRow>`
    with due as (
      select id from payouts
      where ${dueIn} and ${mayClaim(claim, gate)}
        and not exists (select from lanes where lane = ${lane} and reason is not null)
      order by line limit ${sizeMax}
      for update skip locked
    )
    ${claimTail(claim, sql`due`, "send", sql`false`)}`.execute(database);
  // Run the probe as a separate statement. Inside the main claim, PostgreSQL would plan the probe
  // on every claim of a healthy lane.
  const claimed =
    rows.length === 0 && (await isTrialDue(database, lane))
      ? await tryOut(database, claim, dueIn, gate)
      : rows;
  return claimed.map((row) => opened(sealer, row));
}

async function isTrialDue(database: Database, lane: string): Promise<boolean> {
  const { rows } = await sql`
    select from lanes where lane = ${lane} and reason is not null and retry_at <= now()`.execute(
    database,
  );
  return rows.length > 0;
}

/**
 * Condition for the probe of a slow lane. Each probe of a slow gateway stays in doubt for a while,
 * so there is no probe while many payouts of the lane are in doubt.
 */
const mayTrySlow = (lane: string) => sql`
  (not exists (select from lanes where lane = ${lane} and breaker = 'slow')
    or ${belowCeiling(lane, { count: SLOW_IN_DOUBT_MAX - 1, minor: null })})`;

async function tryOut(
  database: Database,
  claim: Claim,
  dueIn: RawBuilder<unknown>,
  gate: RawBuilder<boolean>,
): Promise<readonly ClaimedRow[]> {
  const { rows } = await sql<ClaimedRow>`
    with ${trialOf(claim, sql`${dueIn} and ${mayTrySlow(claim.lane)}`, gate)}, due as (
      select id from payouts
      where ${dueIn} and exists (select from trial)
      order by line limit 1
      for update skip locked
    )
    ${claimTail(claim, sql`due`, "send", ON_TRIAL)}`.execute(database);
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
  gate: RawBuilder<boolean>,
): Promise<OpenAttempt | null> {
  const inDoubt = sql`id = ${payout.payoutId} and seq is not distinct from ${payout.seq}
    and state is not distinct from ${LIFECYCLE.resend.from[0]} and not ${isOvertaken(sql`payouts.id`)}`;
  const { rows } = await sql<ClaimedRow>`
    with ${trialOf(claim, inDoubt, gate)}, again as (
      select id from payouts
      where ${inDoubt}
        and ${mayClaim(claim, gate)}
        and (exists (select from trial) or not exists (
          select from lanes where lane = ${claim.lane} and reason is not null
            and (needs <> 'answers' or gateway_pause_until > now())))
      for update
    )
    ${claimTail(claim, sql`again`, "resend", ON_TRIAL)}`.execute(database);
  return rows[0] ? opened(sealer, rows[0]) : null;
}

/**
 * Condition of every claim of new payouts. A cancelled payout is not sent when a person resumes the
 * batch, whether to open a lane or by mistake. The state alone is no approval: the condition reads
 * the approvals, so that a batch whose state was set without the flows is not sent.
 */
const mayClaim = ({ batchId, lane }: Pick<Claim, "batchId" | "lane">, gate: RawBuilder<boolean>) =>
  sql`(${gate} and exists (select from batches where id = ${batchId} and state = 'approved' and not cancelling)
    and exists (select from approved_batches where id = ${batchId}) and ${notPaused(batchId, lane)} and ${letGo(batchId)}
    and ${notQuarantined(batchId)})`;

const ON_TRIAL = sql<boolean>`exists (select from trial)`;

/**
 * Starts the probe of a stopped lane whose retry time has passed. This claim may send one payout,
 * and no other claim may do so for a while.
 */
const trialOf = (
  { batchId, lane, leaseMs }: Pick<Claim, "batchId" | "lane" | "leaseMs">,
  toSend: RawBuilder<unknown>,
  gate: RawBuilder<boolean>,
) => sql`trial as (
      update lanes set retry_at = now() + ${inMs(leaseMs)}
      where lane = ${lane} and reason is not null and retry_at <= now()
        -- Who has nothing to send, or may not, must not use the trial up for those who have.
        and ${mayClaim({ batchId, lane }, gate)}
        and exists (select from payouts where ${toSend})
        and (breaker is distinct from 'balance' or not ${knownTooLow(lane, toSend)})
      returning lane
    )`;

/**
 * Returns the part that both claims share: state, transition and attempt are written in the same
 * commit.
 */
function claimTail(
  claim: Reclaim,
  source: RawBuilder<unknown>,
  event: "send" | "resend",
  onTrial: RawBuilder<boolean>,
) {
  return sql`, moved as (
      update payouts p set
        state         = ${LIFECYCLE[event].to},
        seq           = p.seq + 1,
        attempts      = p.attempts + 1,
        status_queries          = 0,
        status_answer         = null,
        status_answer_times   = 0,
        status_answer_since   = null,
        status_answer_at      = null,
        -- What came before it was waited for; how this attempt ends is not known yet.
        unanswered_at = null,
        repeated      = p.repeated or p.maybe_arrived or p.queried_at is not null,
        check_at      = null,
        silent_since  = null,
        due_at        = now() + ${inMs(claim.leaseMs)},
        first_sent_at = coalesce(p.first_sent_at, now()),
        last_sent_at  = now(),
        updated_at    = now()
      from ${source} c where p.id = c.id
      returning p.id, p.seq, p.attempts, p.lane, p.currency, p.amount_minor, p.minor_digits,
        p.payload_digest, p.maybe_arrived or p.queried_at is not null as maybe_arrived
    ), told as (
      insert into transitions (payout_id, seq, event, from_state, to_state, actor)
      select id, seq, ${event}, ${LIFECYCLE[event].from[0]}, ${LIFECYCLE[event].to}, ${claim.worker} from moved
    ), attempted as (
      -- The move bears the time at which the claim began; the attempt one by which it had seen what it acted on.
      insert into attempts (payout_id, number, payload_digest, key_id, worker, opened_at)
      select id, attempts, payload_digest, ${claim.keyId}, ${claim.worker}, clock_timestamp() from moved
    )
    select moved.*, ${onTrial} as on_trial, coalesce((select number > 1 from epoch), false) as is_restored, d.transaction_code, d.sealed
    from moved join payout_details d on d.payout_id = moved.id
    order by moved.id`;
}

interface ClaimedRow {
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
  on_trial: boolean;
  sealed: Buffer;
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
    onTrial: row.on_trial,
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
