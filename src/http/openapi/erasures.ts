/** Descriptions of the fields of erasures; the keys are as in repeated.ts. */
// biome-ignore format: one line for each field
export const ERASURE_FIELDS = {
  "path.erasures.id": "Number of the erasure.",
  "erasures.code": "Transaction code of any payout to the person's account.",
  "erasures.reason": "Reason, which the audit log keeps. It must not contain data of the person.",
  "erasures.id": "Number of the erasure.",
  "erasures.state": "`erased`: the data is removed from the ledger. `complete`: the key was rotated after that, so no backup can be decrypted once the old key is destroyed.",
  "erasures.payouts": "Number of erased payouts; null if the erasure is not confirmed.",
  "file_rows": "Number of erased rows that were rejected, corrected or had warnings; null if the erasure is not confirmed.",
  "completed_at": "Time of the first key rotation after the erasure; null if there was none.",
} as const;
