import type { ListedFile } from "#integrity/evidence-pack/archive.ts";
import type { LogRoot } from "#integrity/evidence-pack/manifest.ts";

export const ARCHIVE_FORMAT = "payrun archive 1";
export const BATCHES = "batches.jsonl";

/** A part of an archive: up to a thousand payouts of one batch, one line each, in order of ID. */
export interface ArchivePart extends ListedFile {
  readonly batch_id: string;
  readonly first_id: number;
  readonly last_id: number;
  readonly payouts: number;
}

/** Payouts and amount of one currency in one state. */
export interface ArchiveTotal {
  readonly currency: string;
  readonly state: string;
  readonly payouts: number;
  readonly amount: string;
}

/** Lists the content of an archive. The signature covers it. */
export interface ArchiveManifest {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly id: string;
  /** ID of the ledger whose rows it contains. */
  readonly ledger_id: string;
  readonly created_at: string;
  /** Every payout in it last changed before this time. */
  readonly until: string;
  /** The audit log at that time. */
  readonly log: LogRoot;
  readonly totals: readonly ArchiveTotal[];
  readonly parts: readonly ArchivePart[];
  readonly batches: ListedFile;
  /** Size and SHA-256 of all bytes of the file before the manifest. */
  readonly archive: { readonly size: number; readonly sha256: string };
  /** The Ed25519 public key of the installation, in hexadecimal. */
  readonly key: string;
}

/** Returns the text that is signed. */
export const archiveManifestText = (manifest: ArchiveManifest): string =>
  `${JSON.stringify(manifest, null, 1)}\n`;

/** Name of a part, counted from 1. */
export const partName = (number: number): string =>
  `payouts/${String(number).padStart(6, "0")}.jsonl`;
