import { sql } from "kysely";
import type { Shown } from "#integrity/evidence-pack/log-items.ts";
import { isAboutKind } from "#ledger/integrity/audit-lines.ts";
import { selectActionsOn } from "#ledger/payout/action/actions-on.ts";
import type { Database } from "#ledger/store/database.ts";

/**
 * Returns the numbers of the audit log lines that belong to an evidence pack, with what it shows.
 * Facts of batch lines contain totals of other payouts, so a pack for one payout omits them. Facts
 * of actions on many payouts contain totals of payouts of any batch, so every pack omits them.
 *
 * @param code the transaction code, for the pack of one payout. Null: the whole batch.
 */
export async function findPackLines(
  snapshot: Database,
  { batchId, code }: { readonly batchId: string; readonly code: string | null },
): Promise<ReadonlyMap<number, Shown>> {
  const payouts =
    code === null
      ? sql`select p.id from batches b
          join payouts p on p.batch_id = b.id and p.id between b.first_id and b.last_id
          where b.id = ${batchId}`
      : sql`select payout_id as id from payout_details where transaction_code = ${code}`;
  const codes =
    code === null
      ? sql`select d.transaction_code from (${payouts}) p join payout_details d on d.payout_id = p.id`
      : sql`select ${code}::text`;
  const { rows } = await sql<{ seq: number; of: "batch" | "payout" | "payout_action" }>`
    select a.seq, 'batch' as of from audit a
    where a.object = ${batchId} and ${isAboutKind("batch", "a")}
    union all
    select a.seq, 'payout' from audit a
    where a.object in (${codes}) and ${isAboutKind("payout", "a")}
    union all
    select a.seq, 'payout_action' from audit a
    where a.object in (${selectActionsOn(payouts)}) and ${isAboutKind("payout_action", "a")}`.execute(
    snapshot,
  );
  const isOwn = (of: string): boolean => of === "payout" || (of === "batch" && code === null);
  return new Map(rows.map(({ seq, of }) => [seq, isOwn(of) ? "entry" : "without facts"]));
}

/** Returns the ID of the batch that contains this payout. Null: no payout has this code. */
export async function findBatchId(database: Database, code: string): Promise<string | null> {
  const found = await database
    .selectFrom("payout_details as d")
    .innerJoin("payouts as p", "p.id", "d.payout_id")
    .select("p.batch_id")
    .where("d.transaction_code", "=", code)
    .executeTakeFirst();
  return found?.batch_id ?? null;
}
