import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "#base/clock.ts";
import { newId } from "#base/ids.ts";
import {
  ARCHIVE_FORMAT,
  type ArchiveManifest,
  archiveManifestText,
  type ArchivePart,
  BATCHES,
  partName,
} from "#integrity/archive/manifest.ts";
import type { ArchivedPayout } from "#integrity/archive/read.ts";
import { ArchiveTotals } from "#integrity/archive/totals.ts";
import { ArchiveWriter, type ListedFile } from "#integrity/evidence-pack/archive.ts";
import { type LogRoot, MANIFEST, SIGNATURE } from "#integrity/evidence-pack/manifest.ts";
import {
  batchLine,
  type Candidates,
  findCandidates,
  partsOfBatch,
} from "#ledger/integrity/archive/candidates.ts";
import { registerArchive } from "#ledger/integrity/archive/registry.ts";
import { verifyAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { withLock } from "#ledger/store/advisory-locks.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

export interface ArchiveOrder {
  /** Existing folder for the files. */
  readonly folder: string;
  /** Payouts that changed at this time or later stay in the ledger. */
  readonly until: Date;
  readonly actor: string;
  /**
   * Maximum number of parts of a file.
   * @default 2000
   */
  readonly partsMax?: number;
}

interface Deps {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

export interface CreatedArchive {
  readonly id: string;
  readonly fileName: string;
  readonly batches: number;
  readonly payouts: number;
  readonly bytes: number;
}

export interface ArchiveRun {
  readonly created: readonly CreatedArchive[];
  readonly left: Candidates["left"];
}

/** A file has at most two million payouts, so that it stays below the limit of ZIP. */
const PARTS_MAX = 2_000;
/** A new file begins once a file has this size in bytes. */
const BYTES_MAX = 2 ** 31;
const PARTIAL = ".partial";

/** Thrown if the audit log is not intact. */
export class LogNotIntactError extends Error {}

/**
 * Archives the finished batches of a period in one or more files. A file that is not complete has
 * the ending `.partial`, and the next run deletes it. The ledger knows a file only after all its
 * bytes are on disk.
 *
 * @returns null if another process creates archives of this ledger.
 * @throws LogNotIntactError
 */
export const createArchives = (order: ArchiveOrder, deps: Deps): Promise<ArchiveRun | null> =>
  withLock(deps.database, "archive", async () => {
    const ledger = await deps.database
      .selectFrom("epoch")
      .select("ledger_id")
      .executeTakeFirstOrThrow();
    await deletePartial(order.folder, ledger.ledger_id);
    const log = await logRoot(deps.database);
    const { ready, left } = await findCandidates(deps.database, order.until);
    const created: CreatedArchive[] = [];
    for (const batches = [...ready]; batches.length > 0; ) {
      const id = newId("AR");
      const name = fileNameOf(ledger.ledger_id, order.until, id);
      const path = join(order.folder, name);
      const file = await open(`${path}${PARTIAL}`, "wx", 0o600);
      try {
        const about = { id, ledgerId: ledger.ledger_id, log, file };
        const written = await new ArchiveFile(order, deps, about).write(batches);
        if (written.payouts === 0) continue;
        await rename(`${path}${PARTIAL}`, path);
        await syncFolder(order.folder);
        await registerArchive(deps.database, { ...written, fileName: name });
        created.push({ ...written, fileName: name });
      } finally {
        await file.close();
        await rm(`${path}${PARTIAL}`, { force: true });
      }
    }
    return { created, left };
  });

async function logRoot(database: Database): Promise<LogRoot> {
  const verdict = await verifyAudit(database);
  if (!verdict.intact) throw new LogNotIntactError(verdict.why);
  return { line: verdict.lines, root: verdict.root };
}

/** Named after the last day of the period. */
const fileNameOf = (ledgerId: string, until: Date, id: string): string =>
  `payrun-archive-${ledgerId}-${new Date(until.getTime() - 1).toISOString().slice(0, 10)}-${id}.zip`;

async function deletePartial(folder: string, ledgerId: string): Promise<void> {
  const own = (await readdir(folder)).filter(
    (name) => name.startsWith(`payrun-archive-${ledgerId}-`) && name.endsWith(PARTIAL),
  );
  for (const name of own) await rm(join(folder, name));
}

/** Writes the new names of a folder to the disk. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder);
  try {
    await opened.sync();
  } finally {
    await opened.close();
  }
}

interface About {
  readonly id: string;
  readonly ledgerId: string;
  readonly log: LogRoot;
  readonly file: FileHandle;
}

/** One archive file. Memory for one part. */
class ArchiveFile {
  readonly #order: ArchiveOrder;
  readonly #deps: Deps;
  readonly #about: About;
  readonly #writer = new ArchiveWriter();
  readonly #totals = new ArchiveTotals();
  readonly #parts: ArchivePart[] = [];
  readonly #batches = new Set<string>();
  #payouts = 0;

  constructor(order: ArchiveOrder, deps: Deps, about: About) {
    this.#order = order;
    this.#deps = deps;
    this.#about = about;
  }

  /** Writes batches until the file is full, and removes those that are complete from the list. */
  async write(batches: string[]) {
    for (;;) {
      const [batchId] = batches;
      if (batchId === undefined || !(await this.#addBatch(batchId))) break;
      batches.shift();
    }
    const { id, file } = this.#about;
    const { until, actor } = this.#order;
    const listed = await this.#add(BATCHES, this.#batchLines());
    const createdAt = new Date(this.#deps.clock.nowMs());
    const signed = Buffer.from(archiveManifestText(this.#manifest(listed, createdAt)));
    const signature = Buffer.from(`${this.#deps.sealer.signPack(signed).toString("hex")}\n`);
    for (const piece of this.#writer.stored(MANIFEST, signed)) await file.write(piece);
    for (const piece of this.#writer.stored(SIGNATURE, signature)) await file.write(piece);
    await file.write(this.#writer.end());
    await file.sync();
    return {
      id,
      until,
      createdAt,
      createdBy: actor,
      digest: createHash("sha256").update(signed).digest(),
      batches: this.#batches.size,
      payouts: this.#payouts,
      parts: this.#parts,
      bytes: this.#writer.written().size,
    };
  }

  /** Returns false if the file is full before the batch is complete. */
  async #addBatch(batchId: string): Promise<boolean> {
    const { partsMax = PARTS_MAX } = this.#order;
    for await (const { firstId, lastId, lines } of partsOfBatch(this.#deps.database, batchId)) {
      if (this.#parts.length >= partsMax || this.#writer.written().size > BYTES_MAX) return false;
      for (const line of lines) this.#totals.add((JSON.parse(line) as ArchivedPayout).payout);
      const name = partName(this.#parts.length + 1);
      const listed = await this.#add(name, textOf(lines));
      const range = { batch_id: batchId, first_id: firstId, last_id: lastId };
      this.#parts.push({ ...listed, ...range, payouts: lines.length });
      this.#batches.add(batchId);
      this.#payouts += lines.length;
    }
    return true;
  }

  async *#batchLines(): AsyncGenerator<string> {
    for (const id of this.#batches) yield `${await batchLine(this.#deps.database, id)}\n`;
  }

  async #add(name: string, content: AsyncIterable<string>): Promise<ListedFile> {
    const pieces = this.#writer.deflated({ name, content });
    for (;;) {
      const { done, value } = await pieces.next();
      if (done) return value;
      await this.#about.file.write(value);
    }
  }

  #manifest(batches: ListedFile, createdAt: Date): ArchiveManifest {
    return {
      format: ARCHIVE_FORMAT,
      id: this.#about.id,
      ledger_id: this.#about.ledgerId,
      created_at: createdAt.toISOString(),
      until: this.#order.until.toISOString(),
      log: this.#about.log,
      totals: this.#totals.list(),
      parts: this.#parts,
      batches,
      archive: this.#writer.written(),
      key: this.#deps.sealer.publicKeys().at(-1) ?? "",
    };
  }
}

async function* textOf(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) yield `${line}\n`;
}
