import type { ListedFile } from "#integrity/evidence-pack/archive.ts";

export const PACK_FORMAT = "payrun evidence pack 1";

/** The files that the manifest lists, in the order of the archive. */
export const PACK_FILES = [
  "payouts.jsonl",
  "payouts.csv",
  "audit.jsonl",
  "summary.json",
  "page.html",
] as const;
export const MANIFEST = "manifest.json";
export const SIGNATURE = "manifest.sig";

/** A line of the audit log and the root of the Merkle tree over all lines up to it. */
export interface LogRoot {
  readonly line: number;
  readonly root: string;
}

/** Lists the content of a pack. The signature covers it. */
export interface Manifest {
  readonly format: typeof PACK_FORMAT;
  readonly created_at: string;
  readonly subject: { readonly kind: "payout" | "batch"; readonly id: string };
  /** Whether account numbers, names and references are masked. */
  readonly beneficiaries: "masked" | "in full";
  /** The whole audit log at that time, and a checkpoint that was published before. */
  readonly log: LogRoot & { readonly checkpoint: LogRoot | null };
  readonly files: readonly ListedFile[];
  /** Size and SHA-256 of all bytes of the archive before the manifest. */
  readonly archive: { readonly size: number; readonly sha256: string };
  /** The Ed25519 public key of the installation, in hexadecimal. */
  readonly key: string;
}

/** Returns the text that is signed. */
export const manifestText = (manifest: Manifest): string =>
  `${JSON.stringify(manifest, null, 2)}\n`;
