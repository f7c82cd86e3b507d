import { sql } from "kysely";
import { type BatchState, stateWhenValid } from "#intake/batch/batch-lifecycle.ts";
import { type AuditVerdict, type Hashed, verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import type { AuditPosition } from "#integrity/audit-checkpoint.ts";

/** State of one batch according to the audit log. */
interface LoggedBatch {
  readonly maker: string;
  state: BatchState | null;
  /** Null if the lines were written before the log recorded this number. */
  people: number | null;
  /** Approvals as actor and content digest: "user:US1 9f3c…". */
  readonly approvals: Set<string>;
}

export type LedgerVerdict =
  | AuditVerdict
  /** The chain of the log is intact, but the ledger differs from the log. */
  | {
      readonly intact: false;
      readonly brokenAt: null;
      readonly why: string;
      readonly lines: number;
    };

/** Maximum number of differences that are listed. */
const NAMED_MAX = 5;

/**
 * Recomputes the chain of the audit log and compares the ledger with it, in one snapshot: states,
 * approvals and numbers of people of the batches with their lines, and states of the payouts with
 * their transitions. A state that was set without the flows has no matching line or transition.
 */
export async function verifyLedger(
  database: Database,
  kept?: AuditPosition,
): Promise<LedgerVerdict> {
  return database
    .transaction()
    .setIsolationLevel("repeatable read")
    .execute(async (transaction) => {
      await sql`set local statement_timeout = 0`.execute(transaction);
      const batches = new Map<string, LoggedBatch>();
      const chain = await verifyAudit(transaction, kept, (line) => applyLine(batches, line));
      if (!chain.intact) return chain;
      const found = [
        ...(await findUnexplainedBatches(transaction, batches)),
        ...(await findUnexplainedPayouts(transaction, batches)),
      ];
      if (found.length === 0) return chain;
      const more = found.length > NAMED_MAX ? `; and ${found.length - NAMED_MAX} more` : "";
      const why = `the ledger does not match the audit log: ${found.slice(0, NAMED_MAX).join("; ")}${more}`;
      return { intact: false, brokenAt: null, why, lines: chain.lines };
    });
}

function applyLine(
  batches: Map<string, LoggedBatch>,
  { action, object, actor, facts: text }: Hashed,
): void {
  const unknown = { maker: actor, state: null, people: null, approvals: new Set<string>() };
  const told = batches.get(object) ?? unknown;
  if (action !== "ingest" && !batches.has(object)) return;
  batches.set(object, told);
  const facts = JSON.parse(text) as Facts;
  if (EDITS.has(action)) {
    told.state = facts.still_rejected === 0 ? stateWhenValid(told.maker) : "needs_correction";
  } else if (facts.state === "awaiting_approval" && BEFORE_REQUEST.has(action)) {
    told.state = stateWhenValid(told.maker);
  } else if (REQUESTS.has(action)) {
    told.state = "awaiting_approval";
  } else if (action === "cancel_rest") {
    told.state = "paused";
  } else if (MOVES.has(action) && facts.state) {
    told.state = facts.state;
  }
  if (facts.people !== undefined && CHANGES.has(action)) {
    told.people = facts.people;
  }
  if (action === "approval" || action === "approve") {
    told.approvals.add(`${actor} ${facts.content_digest ?? ""}`);
  }
}

interface Facts {
  readonly state?: BatchState;
  readonly people?: number;
  readonly still_rejected?: number;
  readonly content_digest?: string;
}

/** Actions whose older lines name the state awaiting_approval for a batch that is a draft. */
const BEFORE_REQUEST: ReadonlySet<string> = new Set(["ingest", "leave_out"]);

/** Actions that edit rows. Their lines record how many rows are still rejected. */
const EDITS: ReadonlySet<string> = new Set(["correct", "leave_out_rows", "put_back_rows"]);

/** Actions that change the rows of a batch, and with them the number of people it needs. */
const CHANGES: ReadonlySet<string> = new Set(["ingest", ...EDITS, "add_payout"]);

/** `submit`: lines from before migration 0056. */
const REQUESTS: ReadonlySet<string> = new Set(["request_approval", "submit"]);

/** Actions whose line records the resulting state. */
const MOVES: ReadonlySet<string> = new Set([
  "ingest",
  "leave_out",
  "approve",
  "send_back",
  "withdraw",
  // Lines from before migration 0052.
  "give_back",
  "pause",
  "resume",
  "cancel",
  "finish",
  "finish_cancelled",
  "finish_with_exceptions",
]);

async function findUnexplainedBatches(
  transaction: Database,
  told: ReadonlyMap<string, LoggedBatch>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; state: BatchState; people: number; by: string[] }>`
    select b.id, b.state, b.people_needed as people, array(
      select 'user:' || user_id || ' ' || content_digest from approvals where batch_id = b.id
      union all select actor || ' ' || content_digest from sole_approvals where batch_id = b.id) as by
    from batches b order by b.created_at desc`.execute(transaction);
  return rows.flatMap(({ id, state, people, by }) => {
    const log = told.get(id);
    if (!log) return [`batch ${id} is not in the log`];
    const strange = by.filter((one) => !isLogged(log, one));
    return [
      ...(log.state === null || state === log.state
        ? []
        : [`batch ${id} is ${state}, but the log says ${log.state}`]),
      ...(log.people === null || people === log.people
        ? []
        : [`batch ${id} requires ${people} approvers, but the log says ${log.people}`]),
      ...strange.map(
        (one) => `batch ${id} has an approval by ${one.split(" ")[0]} that is not in the log`,
      ),
    ];
  });
}

/** Lines of the oldest versions did not name the content. */
const isLogged = ({ approvals }: LoggedBatch, approval: string): boolean =>
  approvals.has(approval) || approvals.has(`${approval.split(" ")[0]} `);

async function findUnexplainedPayouts(
  transaction: Database,
  told: ReadonlyMap<string, LoggedBatch>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string; strange: number; sent: number }>`
    select p.batch_id as id,
      (count(*) filter (where case when p.seq = 0 then p.state <> 'awaiting_approval'
        else t.to_state is distinct from p.state end))::int as strange,
      (count(*) filter (where p.state in ('approved', 'held_back') or p.attempts > 0))::int as sent
    from payouts p left join transitions t on t.payout_id = p.id and t.seq = p.seq
    group by p.batch_id order by p.batch_id`.execute(transaction);
  return rows.flatMap(({ id, strange, sent }) => {
    const isApproved = (told.get(id)?.approvals.size ?? 0) > 0;
    return [
      ...(strange > 0
        ? [`${strange} payouts of batch ${id} have a state that no transition explains`]
        : []),
      ...(sent > 0 && !isApproved
        ? [`${sent} payouts of batch ${id} are approved or sent, but the log has no approval of it`]
        : []),
    ];
  });
}
