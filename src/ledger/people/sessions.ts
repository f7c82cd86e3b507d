import { createHash } from "node:crypto";
import { sql } from "kysely";
import { newId, newToken } from "#base/ids.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Role } from "#people/roles.ts";
import { IDLE_MS, type Proof, SESSION_MS, STEP_UP_MS } from "#people/session.ts";
import { Secret } from "#base/secret.ts";

/** Tokens carry 256 random bits, so a plain hash reveals nothing. */
export const tokenDigest = (token: string): Buffer => createHash("sha256").update(token).digest();

export interface Session {
  readonly id: string;
  readonly createdAt: Date;
  readonly seenAt: Date;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly steppedUpUntil: Date | null;
  readonly steppedUpBy: Proof | null;
  readonly secure: boolean;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly email: string;
    readonly roles: readonly Role[];
    readonly isDisabled: boolean;
    readonly hasTotp: boolean;
    /** The user's roles that require a second factor. */
    readonly factorRoles: readonly Role[];
    /** The time zone of the dashboard, such as Asia/Kolkata. Null: that of the browser. */
    readonly timeZone: string | null;
    /** Whether the user gets an e-mail about what is assigned to them. */
    readonly mailsAssignments: boolean;
  };
}

export interface NewSession {
  readonly userId: string;
  readonly secure: boolean;
  readonly address: string;
  readonly agent: string;
  readonly at: Date;
  /** How the user signed in, which counts as a step-up. Null: it does not count. */
  readonly proof?: Proof | null;
}

/**
 * Creates a new session for every sign-in, so that nobody can give a user a session whose token
 * they know (fixation).
 */
export async function openSession(
  database: Database,
  { userId, secure, address, agent, at, proof = null }: NewSession,
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
      stepped_up_until: proof === null ? null : new Date(at.getTime() + STEP_UP_MS),
      stepped_up_by: proof,
      ended_at: null,
    })
    .execute();
  return { id, token: new Secret(token) };
}

/** Returns the session of a token with its user as of now, whether or not the session has ended. */
export async function findSession(database: Database, token: string): Promise<Session | null> {
  const row = await database
    .selectFrom("sessions")
    .innerJoin("users", "users.id", "sessions.user_id")
    .where("digest", "=", tokenDigest(token))
    .select((select) => [
      "sessions.id",
      "sessions.created_at",
      "sessions.seen_at",
      "expires_at",
      "ended_at",
      "stepped_up_until",
      "stepped_up_by",
      "secure",
      "user_id",
      "name",
      "email",
      "roles",
      "time_zone",
      "mails_assignments",
      select("disabled_at", "is not", null).as("is_disabled"),
      select("totp", "is not", null).as("has_totp"),
      sql<
        Role[]
      >`array(select role from second_factor_roles where role = any (roles) order by role)`.as(
        "factor_roles",
      ),
    ])
    .executeTakeFirst();
  if (!row) return null;
  return {
    id: row.id,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    endedAt: row.ended_at,
    steppedUpUntil: row.stepped_up_until,
    steppedUpBy: row.stepped_up_by,
    secure: row.secure,
    user: {
      id: row.user_id,
      name: row.name,
      email: row.email,
      roles: row.roles,
      isDisabled: Boolean(row.is_disabled),
      hasTotp: Boolean(row.has_totp),
      factorRoles: row.factor_roles,
      timeZone: row.time_zone,
      mailsAssignments: row.mails_assignments,
    },
  };
}

/** Updates the time of last use. Called once a minute, not with every request. */
export async function touchSession(database: Database, id: string, at: Date): Promise<void> {
  await database.updateTable("sessions").set({ seen_at: at }).where("id", "=", id).execute();
}

/**
 * Records that the user of a session has entered their password or code again, which one, and until
 * when that counts.
 */
export async function stepUpSession(
  database: Database,
  id: string,
  { until, by }: { readonly until: Date; readonly by: Proof },
): Promise<void> {
  await database
    .updateTable("sessions")
    .set({ stepped_up_until: until, stepped_up_by: by })
    .where("id", "=", id)
    .execute();
}

/** Ends all sessions of a user, or a single one. Returns how many were open. */
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
 * Ends other sessions after a change of the second factor. Users signed in with the old factor must
 * sign in again, and this session must verify its user again before the next step that requires it.
 * Returns how many other sessions were open.
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
    .set({ stepped_up_until: null, stepped_up_by: null })
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

/** Returns the open sessions of one user, latest first. */
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
