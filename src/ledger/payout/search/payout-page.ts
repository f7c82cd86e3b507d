import { sql } from "kysely";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import { isAboutKind } from "#ledger/integrity/audit-lines.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { IS_BLOCKED } from "#ledger/approval/policy/blocked-batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { EVERY_LANE } from "#payout/lane/lane.ts";
import { type ListedPayout, listPayouts } from "#ledger/payout/search/payouts.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { openPayout } from "#ledger/store/sealed-rows.ts";
import type { PayoutDetails } from "#payout/payout.ts";

/**
 * Context of a payout: its batch, the reason why it waits, and other payouts to the same account.
 */
export interface PayoutContext {
  readonly fileName: string;
  readonly batchName: string | null;
  readonly batchPurpose: string | null;
  readonly batchState: BatchState;
  /** The actor that uploaded the batch. */
  readonly maker: string;
  /** Exact duplicates block the approval of its batch until an uploader gives a reason. */
  readonly isBlocked: boolean;
  readonly bank: string | null;
  readonly sentAt: Date | null;
  readonly settledAt: Date | null;
  /** Reason why its batch or lane is not sent. Null: there is none. */
  readonly stoppedBy: string | null;
  readonly related: readonly ListedPayout[];
}

export const RELATED_DAYS = 30;
const RELATED_MAX = 10;

/**
 * Returns a payout's file, bank and first send time, the reason why it is not being sent, and
 * related payouts to its account. Null: unknown code.
 */
export async function findPayoutContext(
  database: Database,
  sealer: Sealer,
  code: string,
  now: Date,
): Promise<PayoutContext | null> {
  const { rows } = await sql<{
    file_name: string;
    name: string | null;
    purpose: string | null;
    state: BatchState;
    maker: string;
    is_blocked: boolean;
    bank: string | null;
    first_sent_at: Date | null;
    settled_at: Date | null;
    account_digest: Buffer;
    stopped_by: string | null;
  }>`
    select b.file_name, b.name, b.purpose, b.state, b.maker, ${IS_BLOCKED} as is_blocked, d.bank, p.first_sent_at, p.settled_at, d.account_digest, coalesce(
      (select 'the ledger is frozen: ' || coalesce(reason, 'no reason given') from epoch where frozen_at is not null),
      case when b.state = 'paused' then 'its batch is paused' || coalesce(': ' || b.reason, '') end,
      (select 'its lane is paused: ' || w.reason from lane_pauses w
        where w.lane in (p.lane, ${EVERY_LANE}) and (w.until is null or w.until > now()) limit 1),
      (select 'its lane is stopped: ' || l.reason from lanes l where l.lane = p.lane and l.reason is not null)
    ) as stopped_by
    from payout_details d join payouts p on p.id = d.payout_id join batches b on b.id = p.batch_id
    where d.transaction_code = ${code}`.execute(database);
  const [row] = rows;
  if (!row) return null;
  const since = new Date(now.getTime() - RELATED_DAYS * 86_400_000);
  const filter = { accountDigest: row.account_digest, created: { from: since } };
  const page = { sort: "newest", limit: RELATED_MAX + 1, after: null } as const;
  const { items } = await listPayouts(database, sealer, filter, page, "uncounted");
  return {
    fileName: row.file_name,
    batchName: row.name,
    batchPurpose: row.purpose,
    batchState: row.state,
    maker: row.maker,
    isBlocked: row.is_blocked,
    bank: row.bank,
    sentAt: row.first_sent_at,
    settledAt: row.settled_at,
    stoppedBy: row.stopped_by,
    related: items.filter((each) => each.code !== code).slice(0, RELATED_MAX),
  };
}

/** A line of the audit log about one payout: a status query, a view of the account, or a note. */
export interface RecordedAction {
  readonly at: Date;
  readonly actor: string;
  readonly action: string;
  readonly text: string | null;
  /** For an assignment: the user. Null: nobody. */
  readonly to: string | null;
  /** For a snooze: its end. Null: it was ended. */
  readonly until: Date | null;
}

/**
 * Returns the actions of people on one payout except comments, oldest first, with its assignments
 * together with other payouts.
 */
export async function findRecordedActions(
  database: Database,
  code: string,
): Promise<RecordedAction[]> {
  const { rows } = await sql<{ at: string; actor: string; action: string; facts: string }>`
    select at, actor, action, facts from (
      select seq, at, actor, action, facts from audit
      where object = ${code} and ${isAboutKind("payout", "audit")} and action <> 'comment'
      union all
      select audit.seq, audit.at, audit.actor, payout_actions.action, audit.facts
      from payout_details
        join payout_action_outcomes on payout_action_outcomes.payout_id = payout_details.payout_id
          and payout_action_outcomes.outcome = 'changed'
        join payout_actions on payout_actions.id = payout_action_outcomes.action_id
          and payout_actions.action = 'assign'
        join audit on audit.object = payout_actions.id and ${isAboutKind("payout_action", "audit")}
      where payout_details.transaction_code = ${code}
    ) lines
    order by seq`.execute(database);
  return rows.map(({ at, actor, action, facts }) => {
    const { text, reason, to, until } = JSON.parse(facts) as Readonly<Record<string, unknown>>;
    const said = text ?? reason;
    return {
      at: new Date(at),
      actor,
      action,
      text: typeof said === "string" ? said : null,
      to: typeof to === "string" ? to : null,
      until: typeof until === "string" ? new Date(until) : null,
    };
  });
}

interface ByPerson {
  readonly code: string;
  readonly actor: string;
  readonly at: Date;
}

const isKnown = async (database: Database, code: string): Promise<boolean> => {
  const { rows } = await sql`
    select from payout_details where transaction_code = ${code}`.execute(database);
  return rows.length > 0;
};

/** Records an action on a payout on the audit log. Returns false if there is no such payout. */
export async function recordAction(
  database: Database,
  action: "note" | "query_status",
  { code, actor, at }: ByPerson,
  text?: string,
): Promise<boolean> {
  if (!(await isKnown(database, code))) return false;
  const facts = text === undefined ? {} : { text };
  await database
    .transaction()
    .execute((transaction) => appendAudit(transaction, at, { actor, action, object: code, facts }));
  return true;
}

/**
 * Returns the full beneficiary. The view is recorded on the audit log first. Null: there is no such
 * payout.
 */
export async function revealBeneficiary(
  database: Database,
  sealer: Sealer,
  { code, actor, at, reason }: ByPerson & { readonly reason: string },
): Promise<PayoutDetails | null> {
  const row = await database
    .selectFrom("payout_details")
    .select("sealed")
    .where("transaction_code", "=", code)
    .executeTakeFirst();
  if (!row) return null;
  await database
    .transaction()
    .execute((transaction) =>
      appendAudit(transaction, at, { actor, action: "reveal", object: code, facts: { reason } }),
    );
  return openPayout(sealer, code, row.sealed).details;
}
