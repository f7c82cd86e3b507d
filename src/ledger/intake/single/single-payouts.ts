import { createHash } from "node:crypto";
import { sql } from "kysely";
import { recordPeopleNeeded } from "#ledger/approval/policy/approval-policy.ts";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { ledgerIdOf } from "#ledger/integrity/freeze.ts";
import { addToLanes, laneTotals } from "#ledger/intake/lane-totals.ts";
import { quarantineIfFrozen } from "#ledger/intake/quarantine.ts";
import { RowStore } from "#ledger/intake/row-store.ts";
import type { RowWriter } from "#ledger/intake/row-writer.ts";
import { findActorNames } from "#ledger/people/names.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A payout that a program orders by itself, without a file. */
export interface SinglePayout {
  readonly actor: string;
  /** Owner of the request's key. It stays the same when an API key is rotated. */
  readonly owner: string;
  /** Idempotency key of the request: each key of an owner names one payout, permanently. */
  readonly key: string;
  /** Hex SHA-256 of the row that the request contains. */
  readonly requestDigest: string;
  readonly lane: string;
  readonly currency: string;
  /** ID of the day's batch if this payout opens it. */
  readonly newBatchId: string;
  /** How rows of single payouts are read, stored with the day's batch. */
  readonly facts: Readonly<Record<string, unknown>>;
  /** Number of payouts of a lane that are sent first. */
  readonly canary: number;
  readonly at: Date;
}

export type AddedPayout =
  /** Stored now, or by an earlier request with this key. */
  | {
      readonly kind: "stored";
      readonly transactionCode: string;
      readonly batchId: string;
      readonly line: number;
    }
  /** The owner has used this key for another payout. */
  | { readonly kind: "other_request" };

/** The first line below the header, as in a file. */
const FIRST_LINE = 2;

/**
 * Adds a payout to the actor's batch of the day, lane and currency, in one transaction. The batch
 * takes rows until a person edits or sends it; then the next one of the day is opened.
 * An error from `fill`, which writes the row on the given line, leaves no trace.
 */
export async function addSinglePayout(
  transaction: Database,
  sealer: Sealer,
  payout: SinglePayout,
  fill: (writer: RowWriter, line: number) => Promise<void>,
): Promise<AddedPayout> {
  const { actor, owner, key, lane, requestDigest, at } = payout;
  const queue = `payrun single payouts ${owner}`;
  await sql`select pg_advisory_xact_lock(hashtext(${queue}))`.execute(transaction);
  const known = await findSinglePayout(transaction, payout);
  if (known) return known;
  const open = await findOpenBatch(transaction, actor, lane);
  const batch = open ?? (await openBatch(transaction, payout));
  // A payout that a restored ledger has lost gets the same code when its request is repeated, and
  // the gateway refuses it. So the code depends on the key instead of the batch or the line.
  const digest = createHash("sha256").update(`single ${owner} ${key}`).digest("hex");
  const ledgerId = await ledgerIdOf(transaction);
  const line = batch.rows + FIRST_LINE;
  const source = { id: batch.id, ledgerId, digest, linesMove: true };
  const store = new RowStore(transaction, sealer, source, batch.content_digest);
  await store.begin();
  await store.fillWith((writer) => fill(writer, line));
  const { rows, firstId, lastId, lanes, contentDigest } = await store.end();
  if (rows !== 1) throw new Error(`${rows} rows were written instead of one`);
  await addToLanes(transaction, batch.id, lanes);
  await transaction
    .updateTable("batches")
    .set({
      rows: batch.rows + rows,
      content_digest: contentDigest,
      first_id: batch.first_id || firstId,
      last_id: lastId,
      updated_at: at,
    })
    .where("id", "=", batch.id)
    .execute();
  await transaction
    .insertInto("single_payouts")
    .values({ owner, key, digest: requestDigest, batch_id: batch.id, line })
    .execute();
  const people = await recordPeopleNeeded(transaction, batch.id);
  await quarantineIfFrozen(transaction, batch.id);
  await appendAudit(transaction, at, {
    actor,
    action: open ? "add_payout" : "ingest",
    object: batch.id,
    facts: {
      content_digest: contentDigest,
      line,
      rows: batch.rows + rows,
      totals: await laneTotals(transaction, batch.id),
      people,
      ...(!open && { file: batch.file_name, rejected: 0, state: "draft" }),
    },
  });
  return storedAt(transaction, { batch_id: batch.id, line });
}

/** Returns the payout of this key, if the owner has used it before. */
export async function findSinglePayout(
  database: Database,
  { owner, key, requestDigest }: Pick<SinglePayout, "owner" | "key" | "requestDigest">,
): Promise<AddedPayout | null> {
  const known = await database
    .selectFrom("single_payouts")
    .select(["digest", "batch_id", "line"])
    .where("owner", "=", owner)
    .where("key", "=", key)
    .executeTakeFirst();
  if (!known) return null;
  return known.digest === requestDigest ? storedAt(database, known) : { kind: "other_request" };
}

interface OpenBatch {
  readonly id: string;
  readonly content_digest: string;
  readonly file_name: string;
  readonly rows: number;
  readonly first_id: number;
}

/**
 * Finds and locks today's batch, so that it cannot be sent for approval before it gets the row.
 * Days are in UTC. Only the newest batch can be open, because the next one is opened after a batch
 * that takes no more rows.
 */
async function findOpenBatch(
  transaction: Database,
  actor: string,
  lane: string,
): Promise<OpenBatch | undefined> {
  const { rows } = await sql<OpenBatch>`
    select b.id, b.content_digest, b.file_name, b.rows, b.first_id
    from batches b join batch_lanes l on l.batch_id = b.id and l.lane = ${lane}
    where b.state = 'draft' and b.source = 'payouts' and b.maker = ${actor}
      and b.created_at >= date_trunc('day', now(), 'UTC')
    order by b.created_at desc limit 1
    for update of b`.execute(transaction);
  const [batch] = rows;
  return batch && !(await isClosed(transaction, batch.id)) ? batch : undefined;
}

/**
 * Returns whether a person has edited the draft, or sent it for approval before, or it is or was in
 * quarantine: people decide about the rows that they saw. A statement of its own, because a
 * statement that waits for the lock of the batch does not see what others committed meanwhile.
 */
async function isClosed(transaction: Database, batchId: string): Promise<boolean> {
  const { rows } = await sql<{ closed: boolean }>`
    select exists (select from corrections where batch_id = ${batchId})
      or exists (select from quarantine where batch_id = ${batchId})
      or exists (select from audit where object = ${batchId} and action = 'request_approval') as closed`.execute(
    transaction,
  );
  return rows[0]?.closed !== false;
}

async function openBatch(
  transaction: Database,
  { actor, currency, newBatchId: id, facts, canary }: SinglePayout,
): Promise<OpenBatch> {
  const nameOf = await findActorNames(transaction, [actor]);
  const batch = { id, content_digest: "", file_name: nameOf(actor), rows: 0, first_id: 0 };
  await transaction
    .insertInto("batches")
    .values({
      ...batch,
      maker: actor,
      source: "payouts",
      name: sql`${`Single payouts in ${currency}, `} || (now() at time zone 'UTC')::date`,
      // The batch has no file: each row is identified by its key.
      digest: createHash("sha256").update(`single payouts ${id}`).digest("hex"),
      state: "draft",
      rejected: 0,
      facts: JSON.stringify(facts),
      canary,
      last_id: 0,
    })
    .execute();
  return batch;
}

/** The ID of a payout changes if its row is edited, but its line stays. */
async function storedAt(
  transaction: Database,
  { batch_id: batchId, line }: { readonly batch_id: string; readonly line: number },
): Promise<AddedPayout> {
  const { rows } = await sql<{ code: string }>`
    select d.transaction_code as code
    from batches b join payouts p on p.id between b.first_id and b.last_id and p.batch_id = b.id
    join payout_details d on d.payout_id = p.id
    where b.id = ${batchId} and p.line = ${line}`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error(`line ${line} of batch ${batchId} has no payout`);
  return { kind: "stored", transactionCode: row.code, batchId, line };
}
