/**
 * Why a process sends no payouts: the ledger is frozen; LEDGER_EPOCH of this process is lower than
 * the ledger's epoch; or claims wait until a removed synchronous standby can no longer be promoted.
 */
export const FREEZE_CAUSES = ["frozen", "other_epoch", "removed_standby"] as const;
export type FreezeCause = (typeof FREEZE_CAUSES)[number];
