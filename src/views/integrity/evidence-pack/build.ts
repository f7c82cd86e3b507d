import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "#api/app/problems.ts";
import {
  ArchiveWriter,
  type ListedFile,
  type PackFile,
  PackTooLargeError,
} from "#integrity/evidence-pack/archive.ts";
import { LogItems, OtherCheckpointError, type Shown } from "#integrity/evidence-pack/log-items.ts";
import {
  type LogRoot,
  type Manifest,
  MANIFEST,
  manifestText,
  PACK_FORMAT,
  SIGNATURE,
} from "#integrity/evidence-pack/manifest.ts";
import { CSV_HEADER, csvLine, PackTotals } from "#integrity/evidence-pack/records.ts";
import { findApprovalEvidence } from "#ledger/approval/approval-evidence.ts";
import { findArchivePlaces } from "#ledger/integrity/archive/registry.ts";
import { BrokenAuditError, intactAuditLines } from "#ledger/integrity/audit-hash-chain.ts";
import { findPackLines } from "#ledger/integrity/export/pack-lines.ts";
import { type Batch, findBatch } from "#ledger/payout/batches.ts";
import { type DisplayName, findDisplayNames } from "#ledger/people/names.ts";
import type { Database } from "#ledger/store/database.ts";
import { amountOf } from "#money/format.ts";
import type { ServerDeps } from "#views/deps.ts";
import { PAGE_ROWS_MAX, type PackPage, pageHtml } from "#views/integrity/evidence-pack/page.ts";
import {
  type PackedPayout,
  packPayouts,
  type PackScope,
} from "#views/integrity/evidence-pack/payouts.ts";
import type { Person } from "#views/person.ts";

/** The subject of a pack, its reader, and the published checkpoint that it must lead to. */
export interface PackOrder extends PackScope {
  readonly person: Pick<Person, "id" | "permissions">;
  readonly checkpoint: LogRoot | null;
}

/** A finished pack in a temporary file that has no name, and its manifest. */
export interface FinishedPack {
  readonly file: FileHandle;
  readonly manifest: Manifest;
}

type Deps = Pick<ServerDeps, "database" | "sealer" | "clock">;
type SnapshotDeps = Deps & { readonly snapshot: Database };

/**
 * Creates an evidence pack from one snapshot of the ledger, in a file, with memory for one page of
 * payouts. The caller closes the file.
 *
 * @throws Problem if the audit log is not intact or does not contain the checkpoint, or the pack is
 * too large.
 */
export async function buildPack(order: PackOrder, deps: Deps): Promise<FinishedPack> {
  await refuseArchived(order, deps);
  const file = await namelessFile();
  try {
    const manifest = await deps.database
      .transaction()
      .setIsolationLevel("repeatable read")
      .setAccessMode("read only")
      .execute((snapshot) => new PackBuilder(order, { ...deps, snapshot }).write(file));
    return { file, manifest };
  } catch (error) {
    await file.close();
    throw problemOf(error);
  }
}

/** @throws Problem if evidence of the subject is only in an archive file. */
async function refuseArchived({ batchId, code }: PackOrder, { database }: Deps): Promise<void> {
  const of = code === null ? { batchId } : { code };
  const [archive] = await findArchivePlaces(database, of);
  if (!archive) return;
  const detail = `The evidence is in the archive file ${archive.fileName}. Read it with payrun archive show, or restore it first.`;
  throw new Problem("wrong_state", { detail });
}

function problemOf(error: unknown): unknown {
  if (error instanceof OtherCheckpointError) {
    const message = `must be on the audit log of this installation, but ${error.message}`;
    return new Problem("invalid_request", { places: [{ place: "query.checkpoint", message }] });
  }
  if (error instanceof PackTooLargeError)
    return new Problem("too_large", { detail: error.message });
  if (error instanceof BrokenAuditError) {
    const detail = `The audit log is broken at line ${error.brokenAt}: ${error.message}. payrun signs no evidence from a broken log.`;
    return new Problem("wrong_state", { detail });
  }
  return error;
}

/** Opens a new file and removes its name, so that the file is gone when it is closed. */
async function namelessFile(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "payrun-pack-"));
  try {
    return await open(join(folder, "pack.zip"), "wx+", 0o600);
  } finally {
    await rm(folder, { recursive: true });
  }
}

class PackBuilder {
  readonly #order: PackOrder;
  readonly #deps: SnapshotDeps;
  readonly #totals = new PackTotals();
  readonly #log: LogItems;
  /** The rows of the page. */
  readonly #payouts: PackedPayout[] = [];
  readonly #audit: { line: number; at: string; actor: string; action: string; object: string }[] =
    [];
  #payoutCount = 0;
  #auditCount = 0;

  constructor(order: PackOrder, deps: SnapshotDeps) {
    this.#order = order;
    this.#deps = deps;
    this.#log = new LogItems(order.checkpoint);
  }

  async write(file: FileHandle): Promise<Manifest> {
    const { sealer, clock, snapshot } = this.#deps;
    const { batchId, code, isFull } = this.#order;
    const batch = await findBatch(snapshot, { id: batchId });
    if (!batch) throw new Problem("not_found");
    const about = {
      created_at: new Date(clock.nowMs()).toISOString(),
      subject: { kind: code === null ? "batch" : "payout", id: code ?? batchId },
      beneficiaries: isFull ? "in full" : "masked",
    } as const;
    const archive = new ArchiveWriter();
    const files: ListedFile[] = [];
    const add = async (name: PackFile["name"], content: PackFile["content"]) => {
      const pieces = archive.deflated({ name, content });
      for (;;) {
        const { done, value } = await pieces.next();
        if (done) return files.push(value);
        await file.write(value);
      }
    };
    await add("payouts.jsonl", this.#jsonLines());
    await add("payouts.csv", this.#csvLines());
    await add("audit.jsonl", this.#auditItems());
    const log = this.#provenLog();
    const page = await this.#page({ ...about, log, key: sealer.publicKeys().at(-1) ?? "" });
    await add("summary.json", once(`${JSON.stringify(this.#summary(batch, page), null, 2)}\n`));
    await add("page.html", once(pageHtml(page)));
    const manifest: Manifest = {
      format: PACK_FORMAT,
      ...about,
      log,
      files,
      archive: archive.written(),
      key: page.key,
    };
    const signed = Buffer.from(manifestText(manifest));
    const signature = Buffer.from(`${sealer.signPack(signed).toString("hex")}\n`);
    for (const piece of archive.stored(MANIFEST, signed)) await file.write(piece);
    for (const piece of archive.stored(SIGNATURE, signature)) await file.write(piece);
    await file.write(archive.end());
    return manifest;
  }

  #packed() {
    const { snapshot, sealer } = this.#deps;
    return packPayouts(snapshot, sealer, this.#order);
  }

  async *#jsonLines(): AsyncGenerator<string> {
    for await (const packed of this.#packed()) {
      this.#totals.add(packed.document);
      this.#payoutCount += 1;
      if (this.#payoutCount <= PAGE_ROWS_MAX) this.#payouts.push(packed);
      yield `${JSON.stringify(packed.document)}\n`;
    }
  }

  async *#csvLines(): AsyncGenerator<string> {
    yield CSV_HEADER;
    for await (const { document } of this.#packed()) yield csvLine(document);
  }

  async *#auditItems(): AsyncGenerator<string> {
    const { snapshot } = this.#deps;
    const own = await findPackLines(snapshot, this.#order);
    const { isFull, person } = this.#order;
    // Facts can contain texts of people.
    const showsFacts = isFull && person.permissions.has("audit");
    for await (const line of intactAuditLines(snapshot)) {
      const found: Shown = own.get(line.seq) ?? "digest";
      const shown = found === "entry" && !showsFacts ? "without facts" : found;
      const { seq, at, actor, action, object, facts, key, hash } = line;
      if (shown !== "digest") this.#auditCount += 1;
      if (shown !== "digest" && this.#auditCount <= PAGE_ROWS_MAX)
        this.#audit.push({ line: seq, at, actor, action, object });
      const leaf = { seq, at, actor, action, object, facts, key, hash: hash.toString("hex") };
      for (const item of this.#log.add(leaf, shown)) yield `${JSON.stringify(item)}\n`;
    }
    for (const item of this.#log.end()) yield `${JSON.stringify(item)}\n`;
  }

  /** @throws OtherCheckpointError if the log is shorter than the checkpoint. */
  #provenLog(): Manifest["log"] {
    const { checkpoint } = this.#order;
    const { root } = this.#log;
    if (checkpoint && checkpoint.line > root.line)
      throw new OtherCheckpointError(`it ends at line ${root.line}`);
    return { ...root, checkpoint };
  }

  async #page(
    about: Pick<PackPage, "created_at" | "subject" | "beneficiaries" | "log" | "key">,
  ): Promise<PackPage> {
    const { snapshot } = this.#deps;
    const { person, batchId } = this.#order;
    const approvals = await findApprovalEvidence(snapshot, batchId);
    const displayOf: (actor: string) => DisplayName = await findDisplayNames(
      snapshot,
      [...approvals, ...this.#audit].map(({ actor }) => actor),
      { id: person.id, isAdmin: person.permissions.has("administer") },
    );
    return {
      ...about,
      totals: this.#totals.list(),
      approvals: approvals.map((approval) => ({
        name: displayOf(approval.actor).name,
        at: approval.at.toISOString(),
        method: person.permissions.has("audit") ? approval.method : null,
        content_digest: approval.contentDigest,
        withdrawn_at: approval.withdrawnAt?.toISOString() ?? null,
      })),
      payouts: this.#payouts,
      payoutCount: this.#payoutCount,
      audit: this.#audit.map(({ actor, ...entry }) => ({ ...entry, name: displayOf(actor).name })),
      auditCount: this.#auditCount,
    };
  }

  /** The pack of one payout does not contain the totals, the name or the state of its batch. */
  #summary(batch: Batch, { created_at, subject, beneficiaries, approvals, totals }: PackPage) {
    const { id, digest: file_digest, contentDigest: content_digest } = batch;
    const isBatch = subject.kind === "batch";
    return {
      created_at,
      subject,
      beneficiaries,
      batch: {
        id,
        file_digest,
        content_digest,
        ...(isBatch && { file_name: batch.fileName, name: batch.name, state: batch.state }),
      },
      lanes: isBatch ? approvedTotals(batch) : null,
      totals,
      approvals,
    };
  }
}

function approvedTotals({ lanes }: Batch) {
  const totals = new PackTotals();
  for (const { lane, rows, total } of lanes.filter((each) => each.rows > 0))
    totals.add({ lane, ...amountOf(total), outcome: "" }, rows);
  return totals.listByLane();
}

async function* once(content: string | Iterable<string>): AsyncGenerator<string> {
  if (typeof content === "string") yield content;
  else yield* content;
}
