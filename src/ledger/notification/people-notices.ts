import { sql } from "kysely";
import type { Hashed } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { insertNotices } from "#ledger/notification/insert-notices.ts";
import type { Role } from "#people/roles.ts";

/** A line of the audit log with one of the actions that cause a message. */
export interface NotifiedAuditLine
  extends Readonly<Pick<Hashed, "seq" | "at" | "actor" | "action" | "object">> {
  readonly facts: Readonly<Record<string, unknown>>;
  readonly hash: Buffer;
}

/**
 * Moves the position in the audit log forward by at most `sizeMax` lines, in the caller's
 * transaction. A second server waits for that transaction. Lines are committed in the order of
 * their numbers, so no line appears before the position later.
 *
 * @returns the lines with these actions; null: there is no further line.
 */
export async function claimAuditLines(
  transaction: Database,
  { actions, sizeMax }: { readonly actions: readonly string[]; readonly sizeMax: number },
): Promise<NotifiedAuditLine[] | null> {
  const { rows } = await sql<{ seq: number }>`select seq from audit_notified for update`.execute(
    transaction,
  );
  const lines = await transaction
    .selectFrom("audit")
    .select(["seq", "at", "actor", "action", "object", "hash"])
    .select(
      sql<string>`case when action = any (${[...actions]}) then facts else '{}' end`.as("facts"),
    )
    .where("seq", ">", rows[0]?.seq ?? 0)
    .orderBy("seq")
    .limit(sizeMax)
    .execute();
  const last = lines.at(-1);
  if (!last) return null;
  await sql`update audit_notified set seq = ${last.seq}`.execute(transaction);
  return lines
    .filter(({ action }) => actions.includes(action))
    .map((line) => ({ ...line, facts: JSON.parse(line.facts) as NotifiedAuditLine["facts"] }));
}

/**
 * Creates the message about one line: for each channel that selected the event `people`, and for
 * these users. The hash is in its key, because a restored ledger uses the numbers of lost lines
 * again.
 */
export async function createPersonNotice(
  transaction: Database,
  { seq, object, hash }: NotifiedAuditLine,
  {
    facts,
    userIds,
    canMail,
  }: {
    readonly facts: Readonly<Record<string, unknown>>;
    readonly userIds: readonly string[];
    readonly canMail: boolean;
  },
): Promise<void> {
  const key = `people ${seq} ${hash.toString("hex")}`;
  await sql`
    with noticed_facts as (
      select
        'people' as event,
        ${object}::text as object,
        ${JSON.stringify(facts)}::jsonb as facts,
        ${key}::text as key
    ) ${insertNotices({ userIds: sql`${[...userIds]}::text[]`, canMail })}`.execute(transaction);
}

const DECIDING_ROLES: readonly Role[] = ["approver", "admin"];

/** Returns the users who can reject the change of a sole admin. */
export async function findDecidingUsers(database: Database): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from users where roles && ${[...DECIDING_ROLES]}::text[] and disabled_at is null and password is not null
    order by id`.execute(database);
  return rows.map(({ id }) => id);
}
