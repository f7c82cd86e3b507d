import type { Database } from "#ledger/store/database.ts";

/** Returns the encrypted TOTP secret of a user. Null: the user has no second factor. */
export async function findSealedTotp(database: Database, userId: string): Promise<Buffer | null> {
  const row = await database
    .selectFrom("users")
    .select("totp")
    .where("id", "=", userId)
    .executeTakeFirst();
  return row?.totp ?? null;
}

/** Records the use of a code. Returns false if this code or a later one was used before. */
export async function useTotpStep(
  database: Database,
  { userId, step }: { readonly userId: string; readonly step: number },
): Promise<boolean> {
  const spent = await database
    .updateTable("users")
    .set({ totp_step: step })
    .where("id", "=", userId)
    .where("totp_step", "<", step)
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}

/** Marks a recovery code as used. False: it is unknown or already used. */
export async function useRecoveryCode(
  database: Database,
  { userId, digest, at }: { readonly userId: string; readonly digest: Buffer; readonly at: Date },
): Promise<boolean> {
  const spent = await database
    .updateTable("recovery_codes")
    .set({ used_at: at })
    .where("user_id", "=", userId)
    .where("digest", "=", digest)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}

/** Stores a new second factor and replaces the recovery codes. */
export async function storeTotp(
  transaction: Database,
  factor: {
    readonly userId: string;
    readonly sealed: Buffer;
    readonly step: number;
    readonly recovery: readonly Buffer[];
  },
): Promise<void> {
  const { userId, sealed, step, recovery } = factor;
  await removeTotp(transaction, userId);
  await transaction
    .updateTable("users")
    .set({ totp: sealed, totp_step: step })
    .where("id", "=", userId)
    .execute();
  await transaction
    .insertInto("recovery_codes")
    .values(recovery.map((digest) => ({ user_id: userId, digest, used_at: null })))
    .execute();
}

/** Removes the second factor of a user with its recovery codes. */
export async function removeTotp(transaction: Database, userId: string): Promise<void> {
  await transaction.updateTable("users").set({ totp: null }).where("id", "=", userId).execute();
  await transaction.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}
