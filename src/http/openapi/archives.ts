/** Descriptions of the fields of archives; the keys are as in repeated.ts. */
// biome-ignore format: one line for each field
export const ARCHIVE_FIELDS = {
  "archived": "Payouts whose details and course are only in archive files; null if there are none.",
  "archived.payouts": "Number of archived payouts.",
  "archived.files": "Names of the archive files.",
  "archive_file": "Name of the archive file; null if the details and the course of the payout are in the ledger.",
  "archive_id": "ID of the archive whose rows are removed from the ledger.",
  "archives": "The archives, oldest first.",
  "archives.until": "Every payout in it last changed before this time.",
  "archives.batches": "Number of batches.",
  "archives.payouts": "Number of payouts.",
  "stored": "`ledger`: the rows are in the ledger. `proposed`: an admin has proposed to remove them. `agreed`: they can be removed. `detaching`: they are partly removed. `file`: they are only in the file.",
} as const satisfies Readonly<Record<string, string>>;
