import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { FORGET_AFTER_MS, type TryLimit, signInWaitMs } from "#people/sign-in-throttle.ts";

/**
 * Counts a try before it is evaluated, so that a thousand simultaneous tries count like a thousand
 * successive ones. Returns for how many milliseconds no try is evaluated; 0: this try may be
 * evaluated.
 */
export async function countTry(
  database: Database,
  key: Buffer,
  limit: TryLimit,
  at: Date,
): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key.toString("hex")}, 0))`.execute(
      transaction,
    );
    const row = await transaction
      .selectFrom("throttles")
      .select(["failures", "until", "updated_at"])
      .where("key", "=", key)
      .executeTakeFirst();
    const waitMs = (row?.until.getTime() ?? 0) - at.getTime();
    if (waitMs > 0) return waitMs;
    const isOld = !row || at.getTime() - row.updated_at.getTime() > FORGET_AFTER_MS;
    const failures = isOld ? 1 : row.failures + 1;
    const values = {
      failures,
      until: new Date(at.getTime() + signInWaitMs(failures, limit)),
      updated_at: at,
    };
    await transaction
      .insertInto("throttles")
      .values({ key, ...values })
      .onConflict((conflict) => conflict.column("key").doUpdateSet(values))
      .execute();
    await deleteExpired(transaction, at);
    return 0;
  });
}

/**
 * Deletes expired counts. It skips locked rows, because two simultaneous deletions could otherwise
 * deadlock.
 */
async function deleteExpired(transaction: Database, at: Date): Promise<void> {
  await transaction
    .deleteFrom("throttles")
    .where("key", "in", (old) =>
      old
        .selectFrom("throttles")
        .select("key")
        .where("updated_at", "<", new Date(at.getTime() - FORGET_AFTER_MS))
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}

/** Deletes the count after a successful try. */
export async function deleteTries(database: Database, key: Buffer): Promise<void> {
  await database.deleteFrom("throttles").where("key", "=", key).execute();
}

/** Uncounts one failed attempt, whose request turned out to be valid. */
export async function uncountTry(database: Database, key: Buffer, at: Date): Promise<void> {
  await database
    .updateTable("throttles")
    .set((row) => ({ failures: sql<number>`greatest(${row.ref("failures")} - 1, 0)`, until: at }))
    .where("key", "=", key)
    .execute();
}
