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
  "hold": "Reason for the legal hold, during which payrun deletes no data and erases no person; null: there is none.",
  "ran_at": "Time of the last daily run; null: none yet.",
  "expired": "Rows that the next daily run deletes, by kind.",
  "rules.payout_details": "Days that details of payouts are kept at least: a person is not erased earlier. Null: no rule.",
  "rules.rejected_rows": "Days after the end of their batch that rejected rows and rows with findings are kept. Null: for ever.",
  "rules.deliveries": "Days that finished deliveries are kept. Null: for ever.",
  "rules.notifications": "Days that read notifications are kept. Null: for ever.",
  "rules.sessions": "Days that ended sessions are kept. Null: for ever.",
  "stored": "`ledger`: the rows are in the ledger. `proposed`: an admin has proposed to remove them. `agreed`: they can be removed. `detaching`: they are partly removed. `file`: they are only in the file.",
} as const satisfies Readonly<Record<string, string>>;
