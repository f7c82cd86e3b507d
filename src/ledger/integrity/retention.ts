import { sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { Database } from "#ledger/store/database.ts";
import { readSettings, writeSettings } from "#ledger/store/settings.ts";
import {
  RETENTION_KIND_NAMES,
  type RetentionKind,
  type RetentionPolicy,
  type RetentionRules,
} from "#integrity/retention.ts";

/** Returns the rules and the legal hold. */
export async function readRetention(database: Database): Promise<RetentionPolicy> {
  const rows = await database.selectFrom("retention_rules").selectAll().execute();
  const hold = await database.selectFrom("retention_hold").select("reason").executeTakeFirst();
  const days = new Map(rows.map((row) => [row.kind, row.days]));
  return { rules: rulesOf((kind) => days.get(kind) ?? null), hold: hold?.reason ?? null };
}

const rulesOf = (daysOf: (kind: RetentionKind) => number | null): RetentionRules =>
  Object.fromEntries(
    RETENTION_KIND_NAMES.map((kind) => [kind, daysOf(kind)]),
  ) as unknown as RetentionRules;

/** Replaces the rules and the legal hold. */
export async function writeRetention(
  transaction: Database,
  { rules, hold }: RetentionPolicy,
  { actor, at }: { readonly actor: string; readonly at: Date },
): Promise<void> {
  const before = await readRetention(transaction);
  const after = { rules: rulesOf((kind) => rules[kind]), hold };
  await transaction.deleteFrom("retention_rules").execute();
  const rows = RETENTION_KIND_NAMES.flatMap((kind) => {
    const days = rules[kind];
    return days === null ? [] : [{ kind, days }];
  });
  if (rows.length > 0) await transaction.insertInto("retention_rules").values(rows).execute();
  await transaction.deleteFrom("retention_hold").execute();
  if (hold !== null)
    await transaction.insertInto("retention_hold").values({ reason: hold }).execute();
  await appendAudit(transaction, at, {
    actor,
    action: "retention_policy",
    object: "retention",
    facts: { before, after },
  });
}

/** Returns how many rows of each kind a run would delete now. */
export async function countExpired(database: Database): Promise<Record<RetentionKind, number>> {
  const counts: [RetentionKind, number][] = [];
  for (const kind of RETENTION_KIND_NAMES)
    counts.push([kind, await workExpired(database, kind, 0)]);
  return Object.fromEntries(counts) as Record<RetentionKind, number>;
}

/** Maximum number of rows that one transaction deletes. */
const ROWS_MAX = 10_000;
/** The rows that a run has deleted so far, in the settings. */
const DELETED = "retention_deleted";
/** The time at which the last run ended, in the settings. */
const RAN_AT = "retention_ran_at";

export type DeletedRows = Readonly<Partial<Record<RetentionKind, number>>>;

/**
 * Deletes some rows of a kind whose time has passed, and counts them in the same transaction, so
 * that a run that was killed is recorded by the next one.
 *
 * @returns the number of deleted rows. 0: none is left.
 */
export async function deleteExpired(transaction: Database, kind: RetentionKind): Promise<number> {
  const count = await workExpired(transaction, kind, ROWS_MAX);
  if (count === 0) return 0;
  const deleted = await readDeleted(transaction);
  const next = { ...deleted, [kind]: (deleted[kind] ?? 0) + count };
  await writeSettings(transaction, { [DELETED]: JSON.stringify(next) });
  return count;
}

/** @param rowsMax 0: counts all rows instead. */
async function workExpired(
  database: Database,
  kind: RetentionKind,
  rowsMax: number,
): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select delete_expired(${kind}::text, ${rowsMax === 0 ? 2 ** 31 - 1 : rowsMax}::int, ${rowsMax === 0}) as rows`.execute(
    database,
  );
  return rows[0]?.rows ?? 0;
}

async function readDeleted(database: Database): Promise<DeletedRows> {
  const settings = await readSettings(database, DELETED);
  return JSON.parse(settings.get(DELETED) ?? "{}") as DeletedRows;
}

/** Records a run on the audit log, and returns what it has deleted. */
export async function recordRetentionRun(
  transaction: Database,
  { actor, at }: { readonly actor: string; readonly at: Date },
): Promise<DeletedRows> {
  const deleted = await readDeleted(transaction);
  await writeSettings(transaction, { [DELETED]: "{}", [RAN_AT]: at.toISOString() });
  await appendAudit(transaction, at, {
    actor,
    action: "retention_run",
    object: "retention",
    facts: { deleted },
  });
  return deleted;
}

/** Returns when the last run ended. Null: there was none. */
export async function lastRetentionRun(database: Database): Promise<Date | null> {
  const at = (await readSettings(database, RAN_AT)).get(RAN_AT);
  return at === undefined ? null : new Date(at);
}
