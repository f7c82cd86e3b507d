import type { ColumnType, Generated } from "kysely";
import type { DepositEvent, DepositState } from "#deposit/lifecycle.ts";
import type { InconclusiveAnswer } from "#payout/decision.ts";

/** The rows of deposits, as Kysely reads and writes them. */
export interface DepositTables {
  deposits: DepositTable;
  deposit_attempts: DepositAttemptTable;
  deposit_evidence: DepositEvidenceTable;
  deposit_transitions: DepositTransitionTable;
}

type Stamp = ColumnType<Date, Date | undefined, Date>;
type Optional<T> = ColumnType<T | null, T | null | undefined, T | null>;

interface DepositTable {
  id: Generated<number>;
  transaction_code: string;
  lane: string;
  currency: string;
  amount_minor: string;
  minor_digits: number;
  payable_minor: Optional<string>;
  paid_minor: Optional<string>;
  state: Generated<DepositState>;
  reason: Optional<string>;
  step: Generated<1 | 2>;
  due_at: Optional<Date>;
  lease_until: Optional<Date>;
  seq: Generated<number>;
  attempts: Generated<number>;
  status_queries: Generated<number>;
  status_answer: Optional<InconclusiveAnswer>;
  status_answer_times: Generated<number>;
  maybe_arrived: Generated<boolean>;
  gateway_number: Optional<string>;
  expires_at: Optional<Date>;
  expires_text: Optional<string>;
  expires_zone: Optional<string>;
  first_sent_at: Stamp;
  last_sent_at: Stamp;
  created_at: Stamp;
  updated_at: Stamp;
  created_by: string;
  payload_digest: Buffer;
  user_digest: Buffer;
  reference_digest: Buffer | null;
  request_digest: Buffer | null;
  link_digest: Buffer;
  sealed: Buffer;
  payment_details: Optional<Buffer>;
  depositor: Optional<Buffer>;
}

/** Purpose of a request to the gateway about a deposit. */
type DepositAttemptKind = "request" | "account" | "reference";

interface DepositAttemptTable {
  deposit_id: number;
  number: number;
  kind: DepositAttemptKind;
  opened_at: Stamp;
  payload_digest: Buffer;
  key_id: string;
  worker: string;
}

interface DepositEvidenceTable {
  id: Generated<number>;
  deposit_id: number;
  attempt: number | null;
  kind: string;
  at: Stamp;
  facts: ColumnType<Readonly<Record<string, unknown>>, string, string>;
}

interface DepositTransitionTable {
  deposit_id: number;
  seq: number;
  event: DepositEvent;
  from_state: DepositState;
  to_state: DepositState;
  reason: string | null;
  actor: string;
  at: Stamp;
}
