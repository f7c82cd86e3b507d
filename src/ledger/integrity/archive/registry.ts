import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { refusalIn } from "#ledger/store/database-errors.ts";
import type { Database } from "#ledger/store/database.ts";
import type { ArchivePart } from "#integrity/archive/manifest.ts";

/** An archive file that the ledger knows. */
export interface RegisteredArchive {
  readonly id: string;
  readonly fileName: string;
  readonly until: Date;
  /** SHA-256 of the signed manifest. */
  readonly digest: Buffer;
  readonly batches: number;
  readonly payouts: number;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Number of parts in total, of parts whose rows were removed, and of parts that have changed. */
  readonly parts: number;
  readonly detached: number;
  readonly changed: number;
  /** Two admins have agreed to remove its rows. */
  readonly isAgreed: boolean;
  /** An admin has proposed to remove its rows, and the proposal is not decided. */
  readonly isProposed: boolean;
}

/** Returns the archives, oldest first. */
export async function findArchives(
  database: Database,
  id: string | null = null,
): Promise<RegisteredArchive[]> {
  const { rows } = await sql<RegisteredArchive>`
    select a.id, a.file_name as "fileName", a.until, a.digest, a.batches, a.payouts, a.created_by as "createdBy",
      a.created_at as "createdAt", p.parts, p.detached, p.changed, is_archive_agreed(a.id) as "isAgreed",
      exists (
        select from pending_changes
        where outcome is null and expires_at > now() and change ->> 'kind' = 'detach_archive' and change ->> 'archive_id' = a.id) as "isProposed"
    from archives a
      cross join lateral (
        select count(*)::int as parts, count(detached_at)::int as detached, count(changed_at)::int as changed
        from archive_parts where archive_id = a.id) p
    where a.id = ${id} or ${id}::text is null
    order by a.created_at, a.id`.execute(database);
  return rows;
}

/** Returns the digest of an archive's manifest, in hexadecimal. Null: the archive is unknown. */
export async function findArchiveDigest(database: Database, id: string): Promise<string | null> {
  const [found] = await findArchives(database, id);
  return found?.digest.toString("hex") ?? null;
}

/** Returns whether the removal of an archive's rows is proposed or agreed already. */
export async function isRemovalKnown(database: Database, id: string): Promise<boolean> {
  const [found] = await findArchives(database, id);
  return found !== undefined && (found.isAgreed || found.isProposed);
}

/** A finished archive file. */
export type NewArchive = Pick<
  RegisteredArchive,
  "id" | "fileName" | "until" | "digest" | "batches" | "payouts" | "createdBy" | "createdAt"
> & { readonly parts: readonly ArchivePart[] };

/** Registers a file that is complete on disk, with an entry on the audit log, in one commit. */
export function registerArchive(database: Database, archive: NewArchive): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const { id, fileName, until, digest, batches, payouts, createdBy, createdAt } = archive;
    await sql`
      insert into archives (id, file_name, until, digest, batches, payouts, created_by, created_at)
      values (${id}, ${fileName}, ${until}, ${digest}, ${batches}, ${payouts}, ${createdBy}, ${createdAt})`.execute(
      transaction,
    );
    const parts = archive.parts.map((part, index) => ({ ...part, number: index + 1 }));
    await sql`
      insert into archive_parts (archive_id, number, batch_id, first_id, last_id, payouts, digest)
      select ${id}, number, batch_id, first_id, last_id, payouts, decode(sha256, 'hex')
      from jsonb_to_recordset(${JSON.stringify(parts)}::jsonb)
        as p (number integer, batch_id text, first_id bigint, last_id bigint, payouts integer, sha256 text)`.execute(
      transaction,
    );
    const facts = {
      file: fileName,
      manifest: digest.toString("hex"),
      until: until.toISOString(),
      batches,
      payouts,
    };
    const line = { actor: createdBy, action: "create_archive", object: id, facts } as const;
    await appendAudit(transaction, createdAt, line);
  });
}

/** Result of a request to remove the rows of a part. */
export type DetachedPart = "detached" | "already" | "changed";

/** Reasons why the ledger refuses to remove or restore rows of an archive, by constraint. */
const REFUSALS = {
  archive_verified: "other_lines",
  archive_agreed: "not_agreed",
  archive_frozen: "frozen",
} as const;
export type ArchiveRefusal = (typeof REFUSALS)[keyof typeof REFUSALS];

/** Returns why the ledger refused to remove or restore rows. Null: another error. */
export const refusedArchive = (error: unknown): ArchiveRefusal | null => refusalIn(error, REFUSALS);

/**
 * Removes the rows of one part in one transaction, if they are exactly the lines with this digest.
 *
 * @param digest SHA-256 of the lines as they were read from the file just now.
 */
export async function detachPart(
  database: Database,
  { id, number, digest }: { readonly id: string; readonly number: number; readonly digest: Buffer },
): Promise<DetachedPart> {
  const { rows } = await sql<{ outcome: DetachedPart }>`
    select detach_archive_part(${id}, ${number}, ${digest}) as outcome`.execute(database);
  return rows[0]?.outcome ?? "already";
}

/** Puts the rows of one part back in one transaction. */
export async function restorePart(
  database: Database,
  { id, number, text }: { readonly id: string; readonly number: number; readonly text: string },
): Promise<"restored" | "already"> {
  const { rows } = await sql<{ outcome: "restored" | "already" }>`
    select restore_archive_part(${id}, ${number}, ${text}) as outcome`.execute(database);
  return rows[0]?.outcome ?? "already";
}

/** The archive that contains the details of a payout or of payouts of a batch. */
export interface ArchivePlace {
  readonly id: string;
  readonly fileName: string;
  readonly number: number;
  readonly payouts: number;
}

/** Returns the parts whose rows were removed, for one batch, or for the payout with this code. */
export async function findArchivePlaces(
  database: Database,
  of: { readonly batchId: string } | { readonly code: string },
): Promise<ArchivePlace[]> {
  const which =
    "batchId" in of
      ? sql`p.batch_id = ${of.batchId}`
      : sql`(select o.batch_id = p.batch_id and o.id between p.first_id and p.last_id
          from payouts o where o.id = (select payout_id from payout_details where transaction_code = ${of.code}))`;
  const { rows } = await sql<ArchivePlace>`
    select a.id, a.file_name as "fileName", p.number, p.payouts
    from archive_parts p join archives a on a.id = p.archive_id
    where p.detached_at is not null and ${which}
    order by p.archive_id, p.number`.execute(database);
  return rows;
}
