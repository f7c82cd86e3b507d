import { hostname } from "node:os";
import { sql } from "kysely";
import { batchRows } from "#ledger/intake/batch-span.ts";
import { type Database, inTransaction } from "#ledger/store/database.ts";
import { ledgerIdOf } from "#ledger/integrity/freeze.ts";
import {
  recordLostBatches,
  quarantineLostFile,
  quarantineLostPayouts,
} from "#ledger/intake/quarantine.ts";
import type { RememberedBatch, RestoreMemory } from "#ledger/integrity/restore-memory.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { lockBatch } from "#ledger/intake/batch-description.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import { formatMoney } from "#money/format.ts";

/** Writes the batches of the ledger to the restore memory of this machine, and compares the two. */
export class BatchMemory {
  readonly #database: Database;
  readonly #sealer: Sealer;
  readonly #memory: RestoreMemory;
  /** Claimable batches that this process has already remembered. */
  readonly #seen = new Set<string>();
  #hasBegun = false;

  constructor(database: Database, sealer: Sealer, memory: RestoreMemory) {
    this.#database = database;
    this.#sealer = sealer;
    this.#memory = memory;
  }

  /**
   * Compares the batch with the batches that the ledger has lost, and puts it in quarantine if it
   * repeats them. Then makes sure that the restore memory of this machine contains the batch, on
   * disk. A batch that was not compared cannot be approved.
   *
   * @throws MemoryNotWritten
   */
  async remember(batchId: string): Promise<void> {
    const ledgerId = await ledgerIdOf(this.#database);
    const record = await this.#recordOf(batchId);
    if (!record) return;
    const known = (await this.#memory.records(ledgerId)).get(batchId);
    const isKnown = known?.contentDigest === record.contentDigest;
    const lost = await this.#lost(ledgerId);
    const isNeeded = (!isKnown && this.#memory.isKept) || lost.length > 0;
    const digests = isNeeded ? await rowDigests(this.#database, batchId) : NONE;
    await this.#compare(ledgerId, record, digests, lost);
    // If the ledger has lost a correction of the batch, the memory keeps its record.
    if (!isKnown && !lost.some((each) => each.batchId === batchId)) {
      await this.#memory.remember(ledgerId, record, digests).catch((error: unknown) => {
        throw new MemoryNotWritten(error);
      });
    }
    await sql`
      update batches set remembered_digest = content_digest
      where id = ${batchId} and content_digest = ${record.contentDigest}
        and remembered_digest is distinct from content_digest`.execute(this.#database);
  }

  /** Does the same once per process, for a worker that is about to send payouts of the batch. */
  async rememberOnce(batchId: string): Promise<void> {
    if (this.#seen.has(batchId)) return;
    await this.remember(batchId);
    this.#seen.add(batchId);
  }

  /** Records in the ledger the batches that it has lost, as far as this machine knows. */
  async reportLost(): Promise<void> {
    const lost = await this.#lost(await ledgerIdOf(this.#database));
    if (lost.length > 0) await recordLostBatches(this.#database, lost, hostname());
  }

  /**
   * Returns the reason why the ledger is an older copy: this machine remembers batches that the
   * ledger lacks, and nobody has acknowledged the loss. Null if none is missing or every missing
   * batch was acknowledged.
   */
  async whyOlderCopy(): Promise<string | null> {
    const lost = await this.#lost(await ledgerIdOf(this.#database));
    if (lost.length === 0) return null;
    const { rows } = await sql<{ id: string }>`
      select batch_id as id from lost_batches
      where acknowledged_at is not null and batch_id = any(${lost.map(({ batchId }) => batchId)})`.execute(
      this.#database,
    );
    const acknowledged = new Set(rows.map(({ id }) => id));
    const unseen = lost.filter(({ batchId }) => !acknowledged.has(batchId));
    const last = unseen.at(-1);
    if (!last) return null;
    const { batchId, fileName, takenInAt } = last;
    const count = unseen.length === 1 ? "a batch" : `${unseen.length} batches`;
    return `it no longer contains ${count} that this machine recorded, most recently ${batchId} (${fileName}, uploaded ${takenInAt}): an older copy was restored`;
  }

  /**
   * Starts the restore memory, once per process.
   *
   * @throws the error of the file system.
   */
  async start(): Promise<void> {
    if (this.#hasBegun) return;
    await this.since();
    this.#hasBegun = true;
  }

  /**
   * Returns the time since which this machine remembers the batches that it handles. A memory that
   * does not exist yet starts now. Null if this machine keeps no memory.
   */
  async since(): Promise<Date | null> {
    return this.#memory.since(await ledgerIdOf(this.#database));
  }

  async #compare(
    ledgerId: string,
    { batchId, files }: RememberedBatch,
    digests: Buffer,
    lost: readonly RememberedBatch[],
  ): Promise<void> {
    const repeats: { lostBatch: string; rows: number }[] = [];
    for (const record of lost) {
      const rows = countIn(digests, await this.#memory.rowsOf(ledgerId, record));
      if (rows > 0) repeats.push({ lostBatch: record.batchId, rows });
    }
    await this.#database.transaction().execute(async (transaction) => {
      await lockBatch(transaction, batchId);
      await recordLostBatches(transaction, lost, hostname());
      await quarantineLostFile(transaction, batchId, files);
      for (const repeat of repeats) await quarantineLostPayouts(transaction, batchId, repeat);
    });
  }

  /**
   * Returns the remembered batches that the ledger lacks, has with fewer payouts, or never had with
   * this content: an edit replaces payouts without changing their number.
   */
  async #lost(ledgerId: string): Promise<readonly RememberedBatch[]> {
    const records = await this.#memory.records(ledgerId);
    if (records.size === 0) return [];
    const { rows } = await sql<{ id: string; good: number; content: string }>`
      select id, rows - rejected as good, content_digest as content
      from batches where id = any(${[...records.keys()]})`.execute(this.#database);
    const known = new Map(rows.map((row) => [row.id, row]));
    const others = [...records.values()].filter(
      ({ batchId, contentDigest }) => known.get(batchId)?.content !== contentDigest,
    );
    const contents = await this.#contentsOf(others.map(({ batchId }) => batchId));
    return others.filter(({ batchId, rows: good, contentDigest }) => {
      const here = known.get(batchId);
      if (here === undefined) return true;
      // Without its payouts that were left out since, a batch is smaller.
      if (here.good < good && !contents.has(`${batchId} left out`)) return true;
      return !contents.has(`${batchId} ${contentDigest}`);
    });
  }

  /**
   * Returns every content that these batches ever had, as ID and digest. Batches from which rows
   * were left out are also in the set as ID and "left out".
   */
  async #contentsOf(batchIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (batchIds.length === 0) return new Set();
    const { rows } = await sql<{ content: string }>`
      select object || ' ' || (facts::json ->> 'content_digest') as content from audit
      where object = any(${[...batchIds]})
        and action in ('ingest', 'correct', 'add_payout', 'leave_out_rows', 'put_back_rows')
      union all
      select object || ' left out' from audit
      where object = any(${[...batchIds]}) and action = 'leave_out_rows'`.execute(this.#database);
    return new Set(rows.map(({ content }) => content));
  }

  async #recordOf(batchId: string): Promise<RememberedBatch | null> {
    const { rows } = await sql<BatchRow>`
      select b.content_digest, b.file_name, b.created_at, b.rows - b.rejected as good,
        array(select b.digest union all
          select c.digest from corrections c where c.batch_id = b.id) as digests,
        coalesce((select jsonb_agg(t) from (
          select currency, minor_digits, sum(total_minor)::text as amount_minor from batch_lanes
          where batch_id = b.id group by currency, minor_digits order by currency
        ) t), '[]') as totals
      from batches b where b.id = ${batchId}`.execute(this.#database);
    const [row] = rows;
    if (!row) return null;
    return {
      batchId,
      files: row.digests.map((digest) => this.#fileKey(digest)),
      contentDigest: row.content_digest,
      fileName: row.file_name,
      takenInAt: row.created_at.toISOString(),
      rows: row.good,
      totals: Object.fromEntries(
        row.totals.map((total) => [total.currency, formatMoney(moneyOf(total))]),
      ),
    };
  }

  /** Keyed name of a file. Without the sealing key, nobody can test which files it names. */
  #fileKey(digest: string): string {
    return this.#sealer.digest(`restore memory file ${digest}`).toString("hex");
  }
}

/** Thrown when the restore memory cannot be written. The batch is not approved then. */
export class MemoryNotWritten extends Error {
  constructor(cause: unknown) {
    const found = cause instanceof Error ? cause.message : String(cause);
    super(
      `The batch was not approved because the record of uploaded files in PAYRUN_DATA, which is kept outside the ledger, cannot be written (${found}). Without it, payrun would not recognise this file after a restore. Free disk space or make the folder writable, then approve the batch again.`,
      { cause },
    );
  }
}

interface BatchRow {
  content_digest: string;
  file_name: string;
  created_at: Date;
  good: number;
  digests: string[];
  totals: { currency: string; minor_digits: number; amount_minor: string }[];
}

const NONE = Buffer.alloc(0);
const DIGEST_BYTES = 8;

/**
 * Returns one digest per payout, made from the keyed digest of the account and from the amount.
 * Line and reference are not included, so that a payout is recognised in a file that was sorted or
 * saved again.
 */
async function rowDigests(database: Database, batchId: string): Promise<Buffer> {
  return inTransaction(database, async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    const { rows } = await sql<{ digests: Buffer | null }>`
      select string_agg(substring(sha256(account_digest
        || convert_to(concat_ws(' ', currency, amount_minor, minor_digits), 'UTF8'))
        from 1 for ${sql.lit(DIGEST_BYTES)}), ''::bytea) as digests
      from (${await batchRows(transaction, batchId)}) r`.execute(transaction);
    return rows[0]?.digests ?? NONE;
  });
}

/** Returns how many of the payouts are among the lost ones. */
function countIn(digests: Buffer, lost: Buffer | null): number {
  if (!lost || digests.length === 0) return 0;
  const known = new Set<bigint>();
  for (let at = 0; at + DIGEST_BYTES <= lost.length; at += DIGEST_BYTES) {
    known.add(lost.readBigUInt64BE(at));
  }
  let found = 0;
  for (let at = 0; at < digests.length; at += DIGEST_BYTES) {
    if (known.has(digests.readBigUInt64BE(at))) found += 1;
  }
  return found;
}
