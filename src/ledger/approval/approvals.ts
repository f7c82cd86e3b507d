import { sql } from "kysely";
import {
  type Acknowledgement,
  acknowledgedFact,
  type DecisiveFinding,
  notAcknowledged,
} from "#approval/acknowledgements.ts";
import { type AuditLine, appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { type BatchMove, moveBatch, moveState } from "#ledger/payout/batches.ts";
import {
  LimitsRefused,
  type LimitsExceeded,
  describeLimitBreach,
} from "#approval/payout-limits.ts";
import {
  type ExactDuplicatesRefusal,
  ExactDuplicatesRefused,
} from "#intake/batch/exact-duplicates.ts";
import type { Database } from "#ledger/store/database.ts";
import { type ApproverRefusal, approverRefusal } from "#ledger/approval/maker-checker.ts";
import { enforceLimits } from "#ledger/approval/limit-use.ts";
import { mayBeApproved } from "#ledger/payout/quarantine-condition.ts";
import { refuseExactDuplicates } from "#ledger/intake/exact-duplicates.ts";
import { SendTimeDiffers, applySendTime } from "#ledger/schedule/send-times.ts";
import { lockBatch } from "#ledger/intake/batch-description.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { SendTime } from "#schedule/release.ts";

/** An approval as it was given, even if it no longer counts. */
export interface GivenApproval {
  readonly userId: string;
  readonly name: string;
  readonly at: Date;
  readonly expiresAt: Date;
  readonly withdrawnAt: Date | null;
  readonly withdrawnWhy: string | null;
  /** True if it is for the current content and its approver may still approve. */
  readonly live: boolean;
}

/** Returns all approvals of a batch, oldest first, and whether each still counts. */
export async function approvalsOf(database: Database, batchId: string): Promise<GivenApproval[]> {
  const { rows } = await sql<GivenApproval>`
    select a.user_id as "userId", u.name, a.at, a.expires_at as "expiresAt", a.withdrawn_at as "withdrawnAt",
      a.withdrawn_reason as "withdrawnWhy", l.id is not null as live
    from approvals a join users u on u.id = a.user_id left join live_approvals l on l.id = a.id
    where a.batch_id = ${batchId} order by a.id`.execute(database);
  return rows;
}

/** Returns whether the batch has an approval that counts. The caller has locked the batch. */
export async function hasLiveApproval(transaction: Database, batchId: string): Promise<boolean> {
  const { rows } = await sql`
    select from live_approvals where batch_id = ${batchId} limit 1`.execute(transaction);
  return rows.length > 0;
}

export type RecordRefusal =
  | { readonly kind: ApproverRefusal }
  | { readonly kind: "send_time_differs"; readonly why: string }
  | { readonly kind: "findings_not_acknowledged"; readonly findings: readonly DecisiveFinding[] }
  | LimitsExceeded
  | ExactDuplicatesRefusal;

/** Rolls back an approval that lacks an acknowledgement. */
class FindingsNotAcknowledged extends Error {
  readonly findings: readonly DecisiveFinding[];

  constructor(findings: readonly DecisiveFinding[]) {
    super("a finding is not acknowledged");
    this.findings = findings;
  }
}

export interface ApprovalRecord {
  readonly batchId: string;
  readonly userId: string;
  /** Session of the approval. The database checks that its step-up used the second factor. */
  readonly sessionId?: string | undefined;
  readonly contentDigest: string;
  /** Minor units per currency, as the approver typed them. */
  readonly totals: Readonly<Record<string, string>>;
  /** The findings that an approver must acknowledge. Undefined: none. */
  readonly decisive?: readonly DecisiveFinding[] | undefined;
  /** The findings that this approver has acknowledged. Undefined: none. */
  readonly acknowledged?: readonly Acknowledgement[] | undefined;
  readonly at: Date;
  /** Number of hours for which the approval counts. */
  readonly hours: number;
  /** Send time. Null: send immediately. Undefined: keep the current send time. */
  readonly send?: SendTime | null | undefined;
}

/**
 * Records an approval, and approves the batch if no more approvals are missing. Both happen in one
 * transaction, so the approved content is what is sent. Returns how many approvals are missing.
 */
export async function recordApproval(
  database: Database,
  approval: ApprovalRecord,
): Promise<Result<{ readonly missing: number }, RecordRefusal>> {
  try {
    const missing = await database
      .transaction()
      .execute((transaction) => record(transaction, approval));
    return ok({ missing });
  } catch (error) {
    if (error instanceof SendTimeDiffers) {
      return err({ kind: "send_time_differs", why: error.message });
    }
    if (error instanceof FindingsNotAcknowledged) {
      return err({ kind: "findings_not_acknowledged", findings: error.findings });
    }
    if (error instanceof ExactDuplicatesRefused || error instanceof LimitsRefused) {
      return err(error.refusal);
    }
    const kind = approverRefusal(error);
    if (!kind) throw error;
    return err({ kind });
  }
}

async function record(transaction: Database, approval: ApprovalRecord): Promise<number> {
  const { batchId, userId, sessionId, contentDigest, totals, at, hours, decisive = [] } = approval;
  await lockBatch(transaction, batchId);
  // Withdraw an approval that no longer counts, to make room for the new one.
  await sql`
    update approvals a set withdrawn_at = ${at},
      withdrawn_reason = case when expires_at <= now() then 'expired'
        when content_digest <> ${contentDigest} then 'the batch was changed'
        else 'given without the second factor' end
    where batch_id = ${batchId} and user_id = ${userId} and withdrawn_at is null
      and (expires_at <= now() or content_digest <> ${contentDigest}
        or not second_factor and second_factor_demanded(user_id))`.execute(transaction);
  const given = await sql<{ withFactor: boolean }>`
    insert into approvals (batch_id, user_id, session_id, content_digest, totals, at, expires_at)
    values (${batchId}, ${userId}, ${sessionId ?? null}, ${contentDigest}, ${JSON.stringify(totals)}, ${at},
      ${at}::timestamptz + ${hours} * interval '1 hour')
    returning second_factor as "withFactor"`.execute(transaction);
  // After the rules about who may approve, because others cannot acknowledge anything.
  const findings = notAcknowledged(decisive, approval.acknowledged ?? []);
  if (findings.length > 0) throw new FindingsNotAcknowledged(findings);
  const { rows } = await sql<{ needed: number; by: string[] }>`
    select people_needed as needed,
      array(select user_id from live_approvals where batch_id = b.id order by id) as by
    from batches b where id = ${batchId}`.execute(transaction);
  const { needed = 1, by = [] } = rows[0] ?? {};
  const sendAt = await applySendTime(transaction, approval, by.length > 1);
  const { extra, breaches } = await enforceLimits(transaction, batchId, at);
  await refuseExactDuplicates(transaction, batchId, at);
  const missing = Math.max(approversNeeded(needed, extra) - by.length, 0);
  const actor = `user:${userId}`;
  const facts = {
    content_digest: contentDigest,
    totals,
    approvals: by,
    second_factor: given.rows[0]?.withFactor ?? false,
    send_at: sendAt,
    ...acknowledgedFact(decisive),
    ...(extra > 0 && { limits: breaches.map(describeLimitBreach) }),
  };
  if (missing > 0) {
    await appendAudit(transaction, at, {
      actor,
      action: "approval",
      object: batchId,
      facts: { ...facts, missing },
    });
  } else {
    await moveBatch(transaction, { id: batchId, event: "approve", reason: null, actor, at, facts });
  }
  return missing;
}

/**
 * Returns the number of approvers. On the dashboard nobody pays alone: a batch that one person may
 * pay is approved by another person. A soft payout limit adds one approver.
 */
export const approversNeeded = (people: number, limitPeople: number): number =>
  Math.max(people - 1, 1) + limitPeople;

/** Rolls back the moves that precede an approval by one person. */
class ApprovalMissed extends Error {}

/** Returns the number of moved payouts. Null: the approval was too late. */
export const nullIfMissed = (approval: Promise<number>): Promise<number | null> =>
  approval.catch((error: unknown) => {
    if (error instanceof ApprovalMissed) return null;
    throw error;
  });

/**
 * Approves on the decision of one person. Returns the number of moved payouts.
 *
 * @throws ApprovalMissed if the batch does not wait for approval, or its content has changed.
 * @throws LimitsRefused above any limit. A soft limit needs an additional approver.
 * @throws ExactDuplicatesRefused for exact duplicates that nobody has allowed, or only this person.
 */
export async function approveByOnePerson(
  transaction: Database,
  { precededBy = [], ...move }: BatchMove,
): Promise<number> {
  const { id, actor, at } = move;
  const earlier: AuditLine[] = [];
  for (const event of precededBy) {
    const state = await moveState(transaction, { id, event, reason: null, actor, at });
    // A batch from the command line needs no request: it waits for approval once it is valid.
    if (state === null) continue;
    const facts = { state, reason: null, payouts: 0 };
    earlier.push({ actor, action: event, object: id, facts });
  }
  const send = move.send === undefined ? undefined : (move.send?.at ?? null);
  const { breaches } = await enforceLimits(transaction, move.id, move.at, send);
  if (breaches.length > 0) throw new LimitsRefused(breaches);
  await refuseExactDuplicates(transaction, move.id, move.at, move.actor);
  await sql`
    insert into sole_approvals (batch_id, content_digest, actor, at)
    select id, content_digest, ${move.actor}, ${move.at} from batches
    where id = ${move.id} and state = 'awaiting_approval' and people_needed = 1
      and content_digest = ${move.contentDigest ?? sql`content_digest`} and ${mayBeApproved(move.id)}
    on conflict do nothing`.execute(transaction);
  const moved = await moveBatch(transaction, move, earlier);
  if (moved === null) throw new ApprovalMissed();
  return moved;
}

/** Withdraws an approval while the batch still waits. False if there is none to withdraw. */
export async function withdrawApproval(
  transaction: Database,
  { batchId, userId, at }: Pick<ApprovalRecord, "batchId" | "userId" | "at">,
): Promise<boolean> {
  const { rows } = await sql`
    update approvals a set withdrawn_at = ${at}, withdrawn_reason = 'taken back'
    from (select id from batches where id = ${batchId} and state = 'awaiting_approval' for update) b
    where a.batch_id = b.id and user_id = ${userId} and withdrawn_at is null
    returning a.id`.execute(transaction);
  if (rows.length === 0) return false;
  await appendAudit(transaction, at, {
    actor: `user:${userId}`,
    action: "withdraw_approval",
    object: batchId,
    facts: {},
  });
  return true;
}

/** Takes a batch out of approval. */
export interface ReturnOrder {
  readonly batchId: string;
  readonly actor: string;
  readonly reason: string;
  readonly at: Date;
}

/** Sends a batch back to its maker and voids its approvals. False if it does not wait. */
export const sendBack = (
  transaction: Database,
  { batchId: id, ...order }: ReturnOrder,
): Promise<boolean> =>
  endRequest(transaction, { id, event: "send_back", ...order }, "the batch was sent back");

/** Ends the request for approval and voids the approvals. False if the batch does not wait. */
export async function endRequest(
  transaction: Database,
  move: BatchMove & { readonly event: "send_back" | "withdraw" },
  why: string,
): Promise<boolean> {
  if ((await moveBatch(transaction, move)) === null) return false;
  await transaction
    .updateTable("batches")
    .set({ approval_requested_at: null, approval_requested_by: null })
    .where("id", "=", move.id)
    .execute();
  await sql`
    update approvals set withdrawn_at = ${move.at}, withdrawn_reason = ${why}
    where batch_id = ${move.id} and withdrawn_at is null`.execute(transaction);
  return true;
}

/** Records a question about a waiting batch on the audit log, which also records the answer. */
export async function recordQuestion(
  transaction: Database,
  { batchId, actor, question, at }: { batchId: string; actor: string; question: string; at: Date },
): Promise<void> {
  const facts = { question };
  await appendAudit(transaction, at, { actor, action: "question", object: batchId, facts });
}
