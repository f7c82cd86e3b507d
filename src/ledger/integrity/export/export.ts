import { sql } from "kysely";
import { auditLines } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { type ExportedDeposit, exportedDeposits } from "#ledger/integrity/export/deposits.ts";
import { feeOfRow, moneyOf } from "#ledger/store/tables.ts";
import {
  type RecordedAttempt,
  type RecordedHistory,
  readHistory,
  type HistorySource,
} from "#ledger/store/history.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/**
 * One line of the export. It contains no beneficiary and no payer: accounts and names stay sealed.
 */
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

export interface ExportedPayout extends RecordedHistory {
  readonly transactionCode: string;
  readonly batchId: string;
  readonly line: number;
  readonly lane: string;
  readonly money: Money;
  readonly state: PayoutState;
  readonly reason: string | null;
  readonly gatewayNumber: string | null;
  readonly fee: Money | null;
}

export interface ExportedAudit {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  readonly object: string;
  /** The exact text that was hashed. */
  readonly facts: string;
  readonly hash: Buffer;
  /**
   * Number of the ledger key that made the hash. 0: no key, for lines from before the first key.
   */
  readonly key: number;
}

const PAGE = 1_000;

const SOURCE: HistorySource<RecordedAttempt> = {
  tables: { attempts: "attempts", evidence: "evidence", transitions: "transitions" },
  owner: "payout_id",
  attempt: ["number", "opened_at", "key_id", "worker"],
};

/**
 * Exports the whole ledger as of one moment, so that others can check it independently. `write`
 * receives the records one after another, while workers continue.
 */
export async function exportLedger(
  database: Database,
  write: (records: AsyncIterable<ExportRecord>) => Promise<void>,
): Promise<void> {
  await database
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute((snapshot) => write(exportRecords(snapshot)));
}

async function* exportRecords(snapshot: Database): AsyncGenerator<ExportRecord> {
  const batches = await snapshot
    .selectFrom("batches")
    .select(["id", "file_name", "digest", "content_digest", "state", "reason", "rows", "rejected"])
    .select(["created_at", "approved_at", "finished_at"])
    .orderBy("first_id")
    .execute();
  for (const batch of batches) yield { kind: "batch", batch };
  yield* rejectedRows(snapshot);
  for await (const payout of exportedPayouts(snapshot)) yield { kind: "payout", payout };
  for await (const deposit of exportedDeposits(snapshot)) yield { kind: "deposit", deposit };
  for await (const line of auditLines(snapshot)) yield { kind: "audit", line };
}

async function* rejectedRows(snapshot: Database): AsyncGenerator<ExportRecord> {
  for (let after = { batch_id: "", line: 0 }; ; ) {
    const page = await snapshot
      .selectFrom("rejected_rows")
      .select(["batch_id", "line", "codes"])
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("batch_id", "line"), ">", tuple(after.batch_id, after.line)),
      )
      .orderBy("batch_id")
      .orderBy("line")
      .limit(PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    for (const row of page) yield { kind: "rejected_row", row };
    after = last;
  }
}

/**
 * Reads payouts in pages, ordered by ID: all without their sealed details, or those of one batch or
 * with one code with them.
 */
export async function* exportedPayouts(
  snapshot: Database,
  only: { readonly batchId: string; readonly code?: string } | null = null,
): AsyncGenerator<ExportedPayout & { readonly sealed?: Buffer }> {
  for (let after = 0; ; ) {
    const page = await snapshot
      .selectFrom("payouts as p")
      .innerJoin("payout_details as d", "d.payout_id", "p.id")
      .select(["p.id", "d.transaction_code", "p.batch_id", "p.line", "p.lane", "p.currency"])
      .select(["p.amount_minor", "p.minor_digits", "p.state", "p.reason", "p.gateway_number"])
      .select(["p.fee_minor", "p.fee_digits"])
      .$if(only !== null, (is) => is.select("d.sealed"))
      .$if(only !== null, (is) => is.where(isInBatch(only?.batchId ?? "")))
      .$if(only?.code !== undefined, (is) => is.where("d.transaction_code", "=", only?.code ?? ""))
      .where("p.id", ">", after)
      .where("d.payout_id", ">", after)
      .orderBy("p.id")
      .limit(PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    const told = await readHistory(
      snapshot,
      SOURCE,
      page.map(({ id }) => id),
    );
    for (const row of page) {
      yield {
        transactionCode: row.transaction_code,
        batchId: row.batch_id,
        line: row.line,
        lane: row.lane,
        money: moneyOf(row),
        state: row.state,
        reason: row.reason,
        gatewayNumber: row.gateway_number,
        fee: feeOfRow(row),
        ...(row.sealed && { sealed: row.sealed }),
        ...told(row.id),
      };
    }
    after = last.id;
  }
}

/** Returns the condition that payout `p` belongs to the batch, within the range of its IDs. */
const isInBatch = (batchId: string) => sql<boolean>`p.batch_id = ${batchId}
  and p.id >= (select first_id from batches where id = ${batchId})
  and p.id <= (select last_id from batches where id = ${batchId})`;
