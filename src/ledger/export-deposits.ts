import type { DepositState } from "#deposit/lifecycle.ts";
import type { Database } from "#ledger/database.ts";
import { moneyOf } from "#ledger/tables.ts";
import type { Money } from "#money/money.ts";

/** A deposit of the export, without user and payer: who they are stays sealed, as does where to pay. */
export interface ExportedDeposit {
  readonly transactionCode: string;
  readonly lane: string;
  /** What was asked for; what the payer was told to pay; what the gateway reports of a completed one. */
  readonly money: Money;
  readonly payable: Money | null;
  readonly paid: Money | null;
  readonly state: DepositState;
  readonly reason: string | null;
  readonly gatewayNumber: string | null;
  readonly expiresAt: Date | null;
  readonly createdAt: Date;
  readonly attempts: readonly {
    number: number;
    kind: string;
    opened_at: Date;
    key_id: string;
    worker: string;
  }[];
  readonly evidence: readonly { kind: string; attempt: number | null; at: Date; facts: unknown }[];
  readonly transitions: readonly {
    seq: number;
    event: string;
    from_state: string;
    to_state: string;
    reason: string | null;
    actor: string;
    at: Date;
  }[];
}

const PAGE = 1_000;

export async function* exportedDeposits(snapshot: Database): AsyncGenerator<ExportedDeposit> {
  for (let after = 0; ; ) {
    const page = await snapshot
      .selectFrom("deposits")
      .select(["id", "transaction_code", "lane", "currency", "amount_minor", "minor_digits"])
      .select(["payable_minor", "paid_minor", "state", "reason", "gateway_number"])
      .select(["expires_at", "created_at"])
      .where("id", ">", after)
      .orderBy("id")
      .limit(PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    const told = await storiesOf(snapshot, after, last.id);
    for (const row of page) {
      const money = moneyOf(row);
      const inMoney = (minor: string | null) =>
        minor === null ? null : { ...money, minor: BigInt(minor) };
      yield {
        transactionCode: row.transaction_code,
        lane: row.lane,
        money,
        payable: inMoney(row.payable_minor),
        paid: row.state === "completed" ? inMoney(row.paid_minor) : null,
        state: row.state,
        reason: row.reason,
        gatewayNumber: row.gateway_number,
        expiresAt: row.expires_at,
        createdAt: row.created_at,
        attempts: told.attempts.get(row.id) ?? [],
        evidence: told.evidence.get(row.id) ?? [],
        transitions: told.transitions.get(row.id) ?? [],
      };
    }
    after = last.id;
  }
}

/** Attempts, evidence and moves of the deposits after one id up to another, by deposit. */
async function storiesOf(snapshot: Database, after: number, upTo: number) {
  const attempts = await snapshot
    .selectFrom("deposit_attempts")
    .select(["deposit_id", "number", "kind", "opened_at", "key_id", "worker"])
    .where("deposit_id", ">", after)
    .where("deposit_id", "<=", upTo)
    .orderBy("deposit_id")
    .orderBy("number")
    .execute();
  const evidence = await snapshot
    .selectFrom("deposit_evidence")
    .select(["deposit_id", "kind", "attempt", "at", "facts"])
    .where("deposit_id", ">", after)
    .where("deposit_id", "<=", upTo)
    .orderBy("id")
    .execute();
  const transitions = await snapshot
    .selectFrom("deposit_transitions")
    .select(["deposit_id", "seq", "event", "from_state", "to_state", "reason", "actor", "at"])
    .where("deposit_id", ">", after)
    .where("deposit_id", "<=", upTo)
    .orderBy("deposit_id")
    .orderBy("seq")
    .execute();
  const byDeposit = <Row extends { deposit_id: number }>(rows: readonly Row[]) =>
    Map.groupBy(rows, (row) => row.deposit_id);
  return {
    attempts: byDeposit(attempts),
    evidence: byDeposit(evidence),
    transitions: byDeposit(transitions),
  };
}
