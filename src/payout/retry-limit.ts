/**
 * Maximum number of batches that pay a row again, including cancelled ones. For each of them a
 * frozen ledger has a transaction code to query.
 */
export const RETRIES_MAX = 2;
