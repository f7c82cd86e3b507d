import { type RawBuilder, sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * Synchronous replication, as it was recorded in the ledger and as it is now. A claim is sent only
 * after its commit. If every commit waits for every named standby, each of these has every claim
 * that was sent.
 */
export interface Replication {
  /** The `synchronous_standby_names` under which claims are made. Null: claims do not wait. */
  readonly recorded: string | null;
  /** The setting now. Empty: commits do not wait. */
  readonly now: string;
  /** The `cluster_name` of this server, which is also its name as a standby. */
  readonly serverName: string;
  /** Time of the last confirmation of `recorded`, as PostgreSQL writes it. */
  readonly confirmedAt: string | null;
  /**
   * True if that was within the last REPLICATION_MS, and this server was not restored to a point in
   * time.
   */
  readonly isRecent: boolean;
  /** True while a standby may still trust this record or an earlier one, by its own clock. */
  readonly mayBeTrusted: boolean;
}

/**
 * Milliseconds for which a record of synchronous replication is trusted. A removed standby keeps
 * its record. Claims therefore wait after a standby was removed, and a standby with an older record
 * freezes the ledger when it is promoted.
 */
export const REPLICATION_MS = 300_000;
/** Milliseconds by which the clocks of two database servers may differ. */
export const CLOCKS_MS = 60_000;
/** Milliseconds after which no standby trusts a record, whatever its clock shows. */
export const TRUSTED_MS = REPLICATION_MS + CLOCKS_MS;
/** Milliseconds after which a process confirms the record again. */
const CONFIRM_MS = 30_000;

/** The setting that decides whether a commit of this session waits for standbys. */
export const REPLICATION_NOW = sql<string>`(case
  when current_setting('synchronous_commit') in ('on', 'remote_apply') then current_setting('synchronous_standby_names')
  else '' end)`;

/**
 * Timeline of the current write position. Directly after a promotion the control file still names
 * the old timeline.
 */
export const TIMELINE = sql`left(pg_walfile_name(pg_current_wal_lsn()), 8)`;

/** Condition: the server started without a point in time at which recovery ends. */
export const HAS_NO_TARGET = sql<boolean>`concat(current_setting('recovery_target', true),
  current_setting('recovery_target_lsn', true), current_setting('recovery_target_name', true),
  current_setting('recovery_target_time', true), current_setting('recovery_target_xid', true)) = ''`;

/** Condition: commits of this session wait for the same standbys. */
export const replicationIs = (names: string): RawBuilder<boolean> =>
  sql<boolean>`${REPLICATION_NOW} = ${names}`;

const LIST = /^\s*(?:(first|any)\s+)?(?:(\d+)\s*\()?(.*?)\)?\s*$/is;
const NAME = /\s*(?:"((?:[^"]|"")+)"|([a-z_\u0080-\uffff][\w$\u0080-\uffff]*))\s*(?:,|$)/giy;

/**
 * Returns the standbys that every commit waits for, in lower case, from the setting
 * `synchronous_standby_names`. Empty if commits wait for none, or only for some of the named
 * standbys: then it is unknown which one has a commit. Like PostgreSQL, ignores the case of names.
 */
export function requiredStandbys(setting: string): readonly string[] {
  const [, kind, count, list = ""] = LIST.exec(setting) ?? [];
  if (kind !== undefined && count === undefined) return [];
  return requiredNames(list, Number(count ?? 1));
}

function requiredNames(list: string, count: number): readonly string[] {
  const names = [...list.matchAll(NAME)];
  const isWhole = names.reduce((length, [text]) => length + text.length, 0) === list.length;
  if (!isWhole || names.length !== count) return [];
  return names.map(([, quoted, plain]) =>
    (quoted?.replaceAll('""', '"') ?? plain ?? "").toLowerCase(),
  );
}

/** Thrown if a commit may be missing on a standby. Claimed payouts may then not be sent. */
export class NotReplicated extends Error {
  constructor() {
    super(
      "synchronous replication changed during a commit, which a standby may lack: claimed payouts are queried before they are sent, and a cancellation is not certain",
    );
  }
}

/** Returns whether this server, if it was promoted, has every claim that was sent. */
export const isReplicated = ({ recorded, serverName, isRecent }: Replication): boolean =>
  isRecent &&
  serverName !== "" &&
  requiredStandbys(recorded ?? "").includes(serverName.toLowerCase());

/** Returns the setting to record: null if no standby is certain to have every commit. */
export const toRecord = (now: string): string | null =>
  requiredStandbys(now).length > 0 ? now : null;

/**
 * Returns whether claims must wait: a standby that was removed may still trust a record, and would
 * not freeze the ledger if it were promoted.
 */
export function mustWait({ recorded, now, serverName, mayBeTrusted }: Replication): boolean {
  const kept = [...requiredStandbys(now), serverName.toLowerCase()];
  return mayBeTrusted && requiredStandbys(recorded ?? "").some((name) => !kept.includes(name));
}

/**
 * Records the setting of this moment if it changed, or confirms it. The confirmation is a commit of
 * its own, which itself waits for the standbys. A new record is confirmed only later, when no claim
 * from before is still being committed. Another process may be waiting in its confirmation.
 *
 * @returns a position in the log that every named standby has. Null: not confirmed this time.
 */
export async function recordReplication(
  database: Database,
  { recorded, now, confirmedAt }: Replication,
): Promise<string | null> {
  const replication = toRecord(now);
  if (recorded !== replication) {
    // A confirmation may have been waiting for its standby, and shows only now.
    await sql`update epoch set replication = ${replication}, replicated_at = null,
        replicated_before = greatest(replicated_before, replicated_at)
      where frozen_at is null and replication is not distinct from ${recorded} and timeline = ${TIMELINE}
        and replicated_at::text is not distinct from ${confirmedAt}`.execute(database);
    return null;
  }
  if (replication === null) return null;
  const { rows } = await sql<{ wal: string }>`
    with free as (
      select ledger_id from epoch
      where frozen_at is null and timeline = ${TIMELINE}
        and replication = ${replication} and ${replicationIs(replication)}
        and (replicated_at is null or replicated_at < now() - make_interval(secs => ${CONFIRM_MS / 1_000}))
      for update skip locked)
    update epoch e set replicated_at = now() from free where e.ledger_id = free.ledger_id
    returning pg_current_wal_insert_lsn()::text as wal`.execute(database);
  return rows[0]?.wal ?? null;
}
