import { newToken } from "#base/ids.ts";
import type { Database } from "#ledger/store/database.ts";
import { tokenDigest } from "#ledger/people/sessions.ts";
import { Secret } from "#base/secret.ts";

export type LinkPurpose = "setup" | "invite" | "reset";

export interface Link {
  readonly purpose: LinkPurpose;
  readonly userId: string | null;
  readonly expiresAt: Date;
}

const LINK_MS = 24 * 60 * 60_000;

/** Creates a link, and voids earlier links for the same user or for the setup. */
export async function makeLink(
  transaction: Database,
  { purpose, userId, at }: { purpose: LinkPurpose; userId: string | null; at: Date },
): Promise<{ readonly token: Secret; readonly expiresAt: Date }> {
  await voidLinks(transaction, userId, at);
  const token = newToken();
  const expiresAt = new Date(at.getTime() + LINK_MS);
  await transaction
    .insertInto("links")
    .values({
      digest: tokenDigest(token),
      purpose,
      user_id: userId,
      expires_at: expiresAt,
      used_at: null,
      created_at: at,
    })
    .execute();
  return { token: new Secret(token), expiresAt };
}

/** Marks the open links of a user as used; null: the open links without a user. */
export async function voidLinks(
  transaction: Database,
  userId: string | null,
  at: Date,
): Promise<void> {
  await transaction
    .updateTable("links")
    .set({ used_at: at })
    .where("used_at", "is", null)
    .where("user_id", userId === null ? "is" : "=", userId)
    .execute();
}

/** Returns the valid link with this token, or null if there is none. */
export async function findLink(database: Database, token: string, now: Date): Promise<Link | null> {
  const row = await database
    .selectFrom("links")
    .select(["purpose", "user_id", "expires_at"])
    .where("digest", "=", tokenDigest(token))
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row ? { purpose: row.purpose, userId: row.user_id, expiresAt: row.expires_at } : null;
}

/** Uses up the link. Returns false if it was already used, voided or expired. */
export async function useUp(transaction: Database, token: string, at: Date): Promise<boolean> {
  const used = await transaction
    .updateTable("links")
    .set({ used_at: at })
    .where("digest", "=", tokenDigest(token))
    .where("used_at", "is", null)
    .where("expires_at", ">", at)
    .executeTakeFirst();
  return used.numUpdatedRows === 1n;
}
