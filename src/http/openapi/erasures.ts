/** Descriptions of the fields of erasures; the keys are as in repeated.ts. */
// biome-ignore format: one line for each field
export const ERASURE_FIELDS = {
  "path.erasures.id": "Number of the erasure.",
  "erasures.code": "Transaction code of any payout to the person's account, or of any deposit of the payer.",
  "erasures.reason": "Reason, which the audit log keeps. It must not contain data of the person.",
  "erasures.id": "Number of the erasure.",
  "erasures.state": "`erased`: the data is removed from the ledger. `complete`: the key was rotated after that, so no backup can be decrypted once the old key is destroyed.",
  "erasures.payouts": "Number of erased payouts or deposits; null if the erasure is not confirmed.",
  "file_rows": "Number of erased rows that were rejected, corrected or had warnings; null if the erasure is not confirmed.",
  "erasures.kind": "`beneficiary` of payouts, or `payer` of deposits.",
  "erasures.comments": "Number of erased comments; null if the erasure is not confirmed, or an older version made it.",
  "erasures/decide.kind": "`beneficiary` of payouts, or `payer` of deposits.",
  "erasures/decide.comments": "Number of erased comments; null if the erasure is not confirmed, or an older version made it.",
  "is_erased": "Whether the data of the beneficiary, or of the payer of a deposit, was erased.",
  "comments.is_erased": "Whether the comment was erased. Its text is empty then.",
  "completed_at": "Time of the first key rotation after the erasure; null if there was none.",
} as const;
