import { createHash } from "node:crypto";
import { newId, newToken } from "#ids.ts";
import type { Database } from "#ledger/database.ts";
import type { Role } from "#people/roles.ts";
import { IDLE_MS, SESSION_MS } from "#people/session.ts";
import { Secret } from "#secret.ts";

/** Tokens carry 256 random bits, so a plain hash tells nobody anything. */
export const tokenDigest = (token: string): Buffer => createHash("sha256").update(token).digest();

export interface Session {
  readonly id: string;
  readonly seenAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly steppedUpUntil: Date | null;
  readonly secure: boolean;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly roles: readonly Role[];
    readonly isDisabled: boolean;
    readonly hasTotp: boolean;
  };
}

export interface NewSession {
  readonly userId: string;
  readonly secure: boolean;
  readonly address: string;
  readonly agent: string;
  readonly at: Date;
}

/** A session of its own for every sign-in: nobody can hand a user one that they know (fixation). */
export async function openSession(
  database: Database,
  { userId, secure, address, agent, at }: NewSession,
): Promise<{ readonly id: string; readonly token: Secret }> {
  const token = newToken();
  const id = newId("SE");
  await database
    .insertInto("sessions")
    .values({
      id,
      digest: tokenDigest(token),
      user_id: userId,
      secure,
      address,
      agent: agent.slice(0, 200),
      seen_at: at,
      created_at: at,
      expires_at: new Date(at.getTime() + SESSION_MS),
      stepped_up_until: null,
      ended_at: null,
    })
    .execute();
  return { id, token: new Secret(token) };
}

/** The session of a token with its user as they are now, whether it has ended or not. */
export async function findSession(database: Database, token: string): Promise<Session | null> {
  const row = await database
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .where("digest", "=", tokenDigest(token))
    .select((select) => [
      "sessions.id",
      "sessions.seen_at",
      "expires_at",
      "ended_at",
      "stepped_up_until",
      "secure",
      "user_id",
      "name",
      "email",
      "roles",
      select("disabled_at", "is not", null).as("is_disabled"),
      select("totp", "is not", null).as("has_totp"),
    ])
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    steppedUpUntil: row.stepped_up_until,
    secure: row.secure,
    user: {
      id: row.user_id,
      name: row.name,
      email: row.email,
      roles: row.roles,
      isDisabled: Boolean(row.is_disabled),
      hasTotp: Boolean(row.has_totp),
    },
  };
}

/** Seen again; written once a minute, not with every request. */
export async function touchSession(database: Database, id: string, at: Date): Promise<void> {
  await database.updateTable("sessions").set({ seen_at: at }).where("id", "=", id).execute();
}

export async function stepUpSession(database: Database, id: string, until: Date): Promise<void> {
  await database
    .updateTable("sessions")
    .set({ stepped_up_until: until })
    .where("id", "=", id)
    .execute();
}

/** Ends the sessions of a user, or one of them. Returns how many were open. */
export async function endSessions(
  database: Database,
  which: { readonly userId: string; readonly id?: string },
  at: Date,
): Promise<number> {
  const ended = await database
    .updateTable("sessions")
    .set({ ended_at: at })
    .where("user_id", "=", which.userId)
    .where("ended_at", "is", null)
    .$if(which.id !== undefined, (update) => update.where("id", "=", which.id ?? ""))
    .executeTakeFirst();
  return Number(ended.numUpdatedRows);
}

/**
 * After a change of the second factor: whoever else was signed in by the old one signs in again, and this session
 * proves anew who is there before the next step that asks for it. Returns how many other sessions were open.
 */
export async function endOtherSessions(
  transaction: Database,
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  at: Date,
): Promise<number> {
  const ended = await transaction
    .updateTable("sessions")
    .set({ ended_at: at })
    .where("user_id", "=", userId)
    .where("id", "!=", sessionId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  await transaction
    .updateTable("sessions")
    .set({ stepped_up_until: null })
    .where("id", "=", sessionId)
    .execute();
  return Number(ended.numUpdatedRows);
}

export interface OpenSession {
  readonly id: string;
  readonly address: string;
  readonly agent: string;
  readonly created_at: Date;
  readonly seen_at: Date;
  readonly expires_at: Date;
}

/** Of one user, those that still stand, the latest first. */
export const openSessions = (
  database: Database,
  userId: string,
  now: Date,
): Promise<OpenSession[]> =>
  database
    .selectFrom("sessions")
    .select(["id", "address", "agent", "created_at", "seen_at", "expires_at"])
    .where("user_id", "=", userId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .where("seen_at", ">", new Date(now.getTime() - IDLE_MS))
    .orderBy("seen_at", "desc")
    .orderBy("id")
    .execute();
