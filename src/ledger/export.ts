import type { Database } from "#ledger/database.ts";
import { type ExportedDeposit, exportedDeposits } from "#ledger/export-deposits.ts";
import { moneyOf } from "#ledger/tables.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/lifecycle.ts";

/** One line of the export. No beneficiary and no payer is in it: accounts and names stay sealed. */
export type ExportRecord =
  | { readonly kind: "batch"; readonly batch: ExportedBatch }
  | {
      readonly kind: "rejected_row";
      readonly row: { batch_id: string; line: number; codes: string[] };
    }
  | { readonly kind: "payout"; readonly payout: ExportedPayout }
  | { readonly kind: "deposit"; readonly deposit: ExportedDeposit }
  | { readonly kind: "audit"; readonly line: ExportedAudit };

interface ExportedBatch {
  readonly id: string;
  readonly file_name: string;
  readonly digest: string;
  readonly content_digest: string;
  readonly state: string;
  readonly reason: string | null;
  readonly rows: number;
  readonly rejected: number;
  readonly created_at: Date;
  readonly approved_at: Date | null;
  readonly finished_at: Date | null;
}

export interface ExportedPayout {
  readonly transactionCode: string;
  readonly batchId: string;
  readonly line: number;
  readonly lane: string;
  readonly money: Money;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly gatewayNumber: string | null;
  readonly attempts: readonly {
    number: number;
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

export interface ExportedAudit {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  /** The very text that was hashed. */
  readonly facts: string;
  readonly hash: Buffer;
}

const PAGE = 1_000;

/**
 * The whole ledger as of one moment, for others to check it without a word of ours: `write` gets the records one after
 * another, while workers go on.
 */
export async function exportLedger(
  database: Database,
  write: (records: AsyncIterable<ExportRecord>) => Promise<void>,
): Promise<void> {
  await database
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((snapshot) => write(records(snapshot)));
}

async function* records(snapshot: Database): AsyncGenerator<ExportRecord> {
  const batches = await snapshot
    .selectFrom("batches")
    .select(["id", "file_name", "digest", "content_digest", "state", "reason", "rows", "rejected"])
    .select(["created_at", "approved_at", "finished_at"])
    .orderBy("first_id")
    .execute();
  for (const batch of batches) yield { kind: "batch", batch };
  const rejected = await snapshot
    .selectFrom("rejected_rows")
    .select(["batch_id", "line", "codes"])
    .orderBy("batch_id")
    .orderBy("line")
    .execute();
  for (const row of rejected) yield { kind: "rejected_row", row };
  yield* payouts(snapshot);
  for await (const deposit of exportedDeposits(snapshot)) yield { kind: "deposit", deposit };
  const audit = await snapshot.selectFrom("audit").selectAll().orderBy("seq").execute();
  for (const line of audit) yield { kind: "audit", line };
}

async function* payouts(snapshot: Database): AsyncGenerator<ExportRecord> {
  for (let after = 0; ; ) {
    const page = await snapshot
      .selectFrom("payouts as p")
      .innerJoin("payout_details as d", "d.payout_id", "p.id")
      .select(["p.id", "d.transaction_code", "p.batch_id", "p.line", "p.lane", "p.currency"])
      .select(["p.amount_minor", "p.minor_digits", "p.state", "p.reason", "p.gateway_number"])
      .where("p.id", ">", after)
      .orderBy("p.id")
      .limit(PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    const told = await storiesOf(snapshot, after, last.id);
    for (const row of page) {
      yield {
        kind: "payout",
        payout: {
          transactionCode: row.transaction_code,
          batchId: row.batch_id,
          line: row.line,
          lane: row.lane,
          money: moneyOf(row),
          state: row.state,
          reason: row.reason,
          gatewayNumber: row.gateway_number,
          attempts: told.attempts.get(row.id) ?? [],
          evidence: told.evidence.get(row.id) ?? [],
          transitions: told.transitions.get(row.id) ?? [],
        },
      };
    }
    after = last.id;
  }
}

/** Attempts, evidence and moves of the payouts after one id up to another, by payout. */
async function storiesOf(snapshot: Database, after: number, upTo: number) {
  const attempts = await snapshot
    .selectFrom("attempts")
    .select(["payout_id", "number", "opened_at", "key_id", "worker"])
    .where("payout_id", ">", after)
    .where("payout_id", "<=", upTo)
    .orderBy("payout_id")
    .orderBy("number")
    .execute();
  const evidence = await snapshot
    .selectFrom("evidence")
    .select(["payout_id", "kind", "attempt", "at", "facts"])
    .where("payout_id", ">", after)
    .where("payout_id", "<=", upTo)
    .orderBy("id")
    .execute();
  const transitions = await snapshot
    .selectFrom("transitions")
    .select(["payout_id", "seq", "event", "from_state", "to_state", "reason", "actor", "at"])
    .where("payout_id", ">", after)
    .where("payout_id", "<=", upTo)
    .orderBy("payout_id")
    .orderBy("seq")
    .execute();
  const byPayout = <Row extends { payout_id: number }>(rows: readonly Row[]) =>
    Map.groupBy(rows, (row) => row.payout_id);
  return {
    attempts: byPayout(attempts),
    evidence: byPayout(evidence),
    transitions: byPayout(transitions),
  };
}
