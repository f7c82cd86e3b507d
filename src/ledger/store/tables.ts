import { type ColumnType, type Generated, type RawBuilder, sql } from "kysely";
import type { ApprovalRule, People } from "#approval/approval-policy.ts";
import type { PayoutLimit } from "#approval/payout-limits.ts";
import type { Priority } from "#payout/priority.ts";
import type { BatchSource, BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { ProblemCode, Severity } from "#intake/text/problems.ts";
import type { DepositTables } from "#ledger/store/deposit-tables.ts";
import type { ColumnMappingKey, PeopleTables } from "#ledger/store/people-tables.ts";
import type { Money } from "#money/money.ts";
import type { CircuitBreaker } from "#payout/circuit-breakers.ts";
import type { PayoutEvent, PayoutState } from "#payout/payout-lifecycle.ts";
import type { InconclusiveAnswer } from "#payout/decision.ts";

/**
 * The rows of migrations/, as Kysely reads and writes them. Numeric columns are exact decimal text.
 */
export interface Tables extends DepositTables, PeopleTables {
  settings: { name: string; value: string };
  batches: BatchTable;
  batch_lanes: BatchLaneTable;
  lanes: LaneTable;
  merchant_accounts: { merchant_code: string; name: string; set_by: string; set_at: Stamp };
  payouts: PayoutTable;
  payout_details: DetailsTable;
  single_payouts: { owner: string; key: string; digest: string; batch_id: string; line: number };
  batch_findings: BatchFindingTable;
  batch_anomalies: AnomalyTable;
  row_findings: { batch_id: string; number: number; line: number };
  warned_rows: { batch_id: string; line: number; sealed: Buffer };
  left_out_rows: { batch_id: string; line: number; sealed: Buffer; actor: string; at: Date };
  corrections: CorrectionTable;
  column_mappings: { mapping: Json; used_at: Stamp } & ColumnMappingKey;
  retry_batches: { batch_id: string; parent_id: string; unchanged_reason: string | null };
  idempotency: IdempotencyTable;
  payout_terms: { term: number; ids: string[] };
  rejected_rows: { batch_id: string; line: number; codes: string[]; sealed: Buffer };
  attempts: AttemptTable;
  evidence: EvidenceTable;
  transitions: TransitionTable;
  epoch: { ledger_id: string; number: number; frozen_at: Date | null; reason: string | null };
  stray_callbacks: { id: Generated<number>; at: Stamp; facts: Json };
  audit: AuditTable;
  batch_editors: { batch_id: string; actor: string; at: Stamp };
  approval_rules: RuleTable;
  payout_limits: PayoutLimit;
  approvals: ApprovalTable;
  live_approvals: ApprovalTable;
  batch_totals: { batch_id: string; total: string | null };
  migrations: { number: number; name: string; checksum: string; at: Stamp };
}

/** Set by the database if omitted. */
type Stamp = ColumnType<Date, Date | undefined, Date>;
type Json<Value = unknown> = ColumnType<Value, string, string>;
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

interface BatchTable {
  id: string;
  digest: string;
  content_digest: string;
  remembered_digest: Optional<string>;
  file_name: string;
  source: Generated<BatchSource>;
  state: BatchState;
  rows: number;
  rejected: number;
  cancelling: Generated<boolean>;
  canary: Optional<number>;
  facts: Json;
  first_id: number;
  last_id: number;
  reason: Optional<string>;
  name: Optional<string>;
  purpose: Optional<string>;
  expected: ColumnType<unknown, string | null | undefined, string | null>;
  approval_requested_at: Optional<Date>;
  approval_requested_by: Optional<string>;
  outcome: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Stamp;
  approved_at: Optional<Date>;
  finished_at: Optional<Date>;
  updated_at: Stamp;
  maker: Generated<string>;
  people_needed: Generated<People>;
  people_reason: Generated<string>;
  limit_people: Generated<0 | 1>;
  priority: Generated<Priority>;
}

interface BatchLaneTable {
  batch_id: string;
  lane: string;
  currency: string;
  minor_digits: number;
  rows: number;
  total_minor: string;
  largest_minor: Generated<string>;
}

interface RuleTable extends ApprovalRule {
  place: number;
}

interface ApprovalTable {
  id: Generated<number>;
  batch_id: string;
  user_id: string;
  content_digest: string;
  totals: Json;
  at: Stamp;
  expires_at: Date;
  withdrawn_at: Optional<Date>;
  withdrawn_reason: Optional<string>;
}

interface BatchFindingTable {
  batch_id: string;
  number: number;
  severity: Severity;
  code: ProblemCode;
  /** "": the row as a whole. */
  column_name: string;
  /** The message, if about one currency; "": the same for every row. */
  sentence: string;
  count: number;
}

interface AnomalyTable {
  batch_id: string;
  content_digest: string;
  limits: string;
  flags: Json;
  flagged_rows: number | null;
  possible_duplicates: Json | null;
  at: Date;
}

interface CorrectionTable {
  digest: string;
  batch_id: string;
  file_name: string;
  actor: string;
  rows: number;
  corrected: number;
  first_id: number;
  last_id: number;
  at: Stamp;
}

interface IdempotencyTable {
  person: string;
  key: string;
  operation: string;
  digest: string;
  status: number | null;
  answer: Optional<Buffer>;
  at: Stamp;
}

interface LaneTable {
  lane: string;
  reason: string | null;
  needs: "wait" | "person" | "answers" | null;
  breaker: CircuitBreaker | null;
  probes: Generated<number>;
  retry_at: Date | null;
  gateway_pause_until: Date | null;
  stops: number;
  updated_at: Stamp;
}

interface PayoutTable {
  id: Generated<number>;
  batch_id: string;
  line: number;
  lane: string;
  currency: string;
  amount_minor: string;
  minor_digits: number;
  payload_digest: Buffer;
  state: PayoutState;
  reason: Optional<string>;
  due_at: Stamp;
  seq: Generated<number>;
  attempts: Generated<number>;
  crashes: Generated<number>;
  status_queries: Generated<number>;
  status_answer: Optional<InconclusiveAnswer>;
  status_answer_times: Generated<number>;
  maybe_arrived: Generated<boolean>;
  gateway_number: Optional<string>;
  first_sent_at: Optional<Date>;
  last_sent_at: Optional<Date>;
  queried_at: Optional<Date>;
  silent_since: Optional<Date>;
  unanswered_at: Optional<Date>;
  in_doubt_since: Optional<Date>;
  status_answer_since: Optional<Date>;
  status_answer_at: Optional<Date>;
  resent: Generated<boolean>;
  double_payment_check_at: Optional<Date>;
  fee_minor: Optional<string>;
  fee_digits: Optional<number>;
  unreadable_fee: Optional<string>;
  settled_at: Optional<Date>;
  updated_at: Stamp;
}

interface DetailsTable {
  payout_id: number;
  transaction_code: string;
  account_digest: Buffer;
  amount_minor: string;
  /** The value of one minor unit, such as 0.01. */
  minor_unit: string;
  bank: string | null;
  account_tail: number | null;
  name_key: number | null;
  user_key: number | null;
  mixed_scripts: boolean;
  sealed: Buffer;
}

interface AttemptTable {
  payout_id: number;
  number: number;
  opened_at: Stamp;
  payload_digest: Buffer;
  key_id: string;
  worker: string;
}

interface EvidenceTable {
  id: Generated<number>;
  payout_id: number;
  attempt: number | null;
  kind: string;
  at: Stamp;
  facts: Json<Readonly<Record<string, unknown>>>;
}

interface TransitionTable {
  payout_id: number;
  seq: number;
  event: PayoutEvent;
  from_state: PayoutState;
  to_state: PayoutState;
  reason: string | null;
  actor: string;
  at: Stamp;
}

interface AuditTable {
  seq: number;
  at: string;
  actor: string;
  action: string;
  object: string;
  facts: string;
  hash: Buffer;
  /** Number of the ledger key that made the hash. 0: no key, from before the first one. */
  key: number;
}

/** Returns the amount of a row, whose numeric columns arrive as exact text. */
export const moneyOf = (row: {
  readonly currency: string;
  readonly amount_minor: string;
  readonly minor_digits: number;
}): Money => ({
  currency: row.currency,
  minor: BigInt(row.amount_minor),
  minorDigits: row.minor_digits,
});

/** Returns the reported fee of a row; null for none. */
export const feeOfRow = (row: {
  readonly currency: string;
  readonly fee_minor: string | null;
  readonly fee_digits: number | null;
}): Money | null =>
  row.fee_minor === null || row.fee_digits === null
    ? null
    : { currency: row.currency, minor: BigInt(row.fee_minor), minorDigits: row.fee_digits };

/** Returns another amount of the same currency, or null if there is none. */
export const moneyOfSameCurrency = (money: Money, minor: string | null): Money | null =>
  minor === null ? null : { ...money, minor: BigInt(minor) };
/** Returns an interval to add to a time. */
export const inMs = (ms: number | null): RawBuilder<unknown> =>
  sql`${ms}::double precision * interval '1 millisecond'`;

/**
 * Condition of the index payouts_to_query. It must be complete even for fewer states; otherwise the
 * planner cannot use the index.
 */
export const AT_GATEWAY = sql`state in ('submitting', 'in_doubt', 'accepted')`;

/** The time since which payout `p` has been in doubt. A resend does not change it. */
export const IN_DOUBT_SINCE = sql<Date>`coalesce(p.in_doubt_since, p.last_sent_at, p.updated_at)`;
