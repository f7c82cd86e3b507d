import { sql } from "kysely";
import { ACTIONS_ON } from "#integrity/audit-actions.ts";
import { auditSealOf } from "#ledger/integrity/audit-seal.ts";
import type { Database } from "#ledger/store/database.ts";
import { openComment } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A line of the audit log as people read it. */
export interface ReadableAuditLine {
  readonly seq: number;
  readonly at: string;
  readonly actor: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly object: string;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly hash: string;
}

export interface AuditFilter {
  /** The actor itself, or a part of a user's name. */
  readonly actor?: string | undefined;
  readonly object?: string | undefined;
  /** Only lines about one of these objects. */
  readonly objects?: readonly string[] | undefined;
  /** Only lines about this kind of object: objects of several kinds can have the same ID. */
  readonly kind?: keyof typeof ACTIONS_ON | undefined;
  readonly action?: string | undefined;
  /** ISO 8601 in UTC, the format of the lines. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Returns the SQL condition that a line of the audit log is about this kind of object. Comments are
 * made on batches and payouts, and results are proposed for payouts and deposits.
 *
 * @param table the name of the audit log in the statement.
 */
export function isAboutKind(kind: keyof typeof ACTIONS_ON, table: string) {
  const [action, facts] = [sql.ref(`${table}.action`), sql.ref(`${table}.facts`)];
  return sql<boolean>`${action} = any(${[...ACTIONS_ON[kind]]}::text[]) and case
    when ${action} = 'comment' then exists (
      select from comments c
      where c.id = ${facts}::jsonb ->> 'comment'
        and case when c.payout_id is null then 'batch' else 'payout' end = ${kind})
    when ${action} in ('propose_resolution', 'refuse_resolution')
      then ${facts}::jsonb ->> 'finding' in ('arrived', 'not arrived')
    else true end`;
}

/**
 * Returns a page of audit lines.
 *
 * @param page lines before this one, newest first, or lines after it, oldest first.
 */
export async function findAuditLines(
  database: Database,
  { actor, object, objects, kind, action, from, to }: AuditFilter,
  page: { readonly before?: number; readonly after?: number; readonly limit: number },
): Promise<ReadableAuditLine[]> {
  const where = [
    sql`true`,
    ...(actor === undefined
      ? []
      : [
          // Look up the users by name first. Comparing the actor of each line would take seconds
          // for half a million lines.
          sql`a.actor = any(array(select ${actor}
            union all select 'user:' || id from users where strpos(lower(name), lower(${actor})) > 0))`,
        ]),
    ...(object === undefined ? [] : [sql`a.object = ${object}`]),
    ...(objects === undefined ? [] : [sql`a.object = any(${[...objects]}::text[])`]),
    ...(kind === undefined ? [] : [isAboutKind(kind, "a")]),
    ...(action === undefined ? [] : [sql`a.action = ${action}`]),
    // All times have one format and zone, so their texts sort in the order of time.
    ...(from === undefined ? [] : [sql`a.at >= ${from}`]),
    ...(to === undefined ? [] : [sql`a.at < ${to}`]),
    ...(page.before === undefined ? [] : [sql`a.seq < ${page.before}`]),
    ...(page.after === undefined ? [] : [sql`a.seq > ${page.after}`]),
  ];
  const order = page.after === undefined ? sql`desc` : sql`asc`;
  const { rows } = await sql<Omit<ReadableAuditLine, "facts"> & { facts: string }>`
    select a.seq, a.at, a.actor, u.name as "actorName", a.action, a.object, a.facts,
      encode(a.hash, 'hex') as hash
    from (
      select * from audit a where ${sql.join(where, sql` and `)}
      order by a.seq ${order} limit ${page.limit}
    ) a left join users u on 'user:' || u.id = a.actor
    order by a.seq ${order}`.execute(database);
  const { sealer } = auditSealOf(database);
  return rows.map((row) => ({ ...row, facts: readableFacts(sealer, JSON.parse(row.facts)) }));
}

/** Opens the text of a comment. It is empty if it was erased. */
function readableFacts(
  sealer: Sealer,
  facts: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { sealed_text: sealed, ...others } = facts;
  if (typeof sealed !== "string") return facts;
  const text = openComment(sealer, String(facts["comment"]), Buffer.from(sealed, "base64"));
  return { ...others, text: text ?? "" };
}

const PAGE = 1_000;

/** Yields every matching line, oldest first. */
export async function* readAllAuditLines(
  database: Database,
  filter: AuditFilter,
): AsyncGenerator<ReadableAuditLine> {
  let after = 0;
  for (;;) {
    const page = await findAuditLines(database, filter, { after, limit: PAGE });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.seq ?? after;
  }
}

/**
 * Returns all actions on the audit log. It costs one index lookup per action, regardless of the
 * length of the log.
 */
export async function findAuditActions(database: Database): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive found as (
      (select action from audit order by action limit 1)
      union all
      select (select a.action from audit a where a.action > f.action order by a.action limit 1)
      from found f where f.action is not null
    ) select action from found where action is not null`.execute(database);
  return rows.map(({ action }) => action);
}
