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
}

/**
 * Milliseconds for which a record of synchronous replication is trusted. A removed standby keeps
 * its record. Claims therefore wait for this long after a standby was removed, and a standby with
 * an older record freezes the ledger when it is promoted.
 */
export const REPLICATION_MS = 300_000;
/** Milliseconds after which a process confirms the record again. */
const CONFIRM_MS = 30_000;

/** The setting that decides whether a commit of this session waits for standbys. */
export const REPLICATION_NOW = sql<string>`(case
  when current_setting('synchronous_commit') in ('on', 'remote_apply') then current_setting('synchronous_standby_names')
  else '' end)`;

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

/** Thrown for claims whose commits may be missing on a standby. None of them may be sent. */
export class NotReplicated extends Error {
  constructor() {
    super(
      "synchronous replication changed during a claim: its payouts are queried before they are sent",
    );
  }
}

/** Returns whether this server, if it was promoted, has every claim that was sent. */
export const isReplicated = ({ recorded, serverName, isRecent }: Replication): boolean =>
  isRecent &&
  serverName !== "" &&
  requiredStandbys(recorded ?? "").includes(serverName.toLowerCase());

/** Returns the setting to record: null if no standby is certain to have every commit. */
const toRecord = (now: string): string | null => (requiredStandbys(now).length > 0 ? now : null);

/**
 * Returns whether claims must wait: a standby that was removed still has a recent record, and would
 * not freeze the ledger if it were promoted.
 */
export function mustWait({ recorded, now, serverName, isRecent }: Replication): boolean {
  const kept = [...requiredStandbys(now), serverName.toLowerCase()];
  return isRecent && requiredStandbys(recorded ?? "").some((name) => !kept.includes(name));
}

/** The recorded setting, and a position in the log that every named standby has. */
export interface RecordedReplication {
  readonly replication: string | null;
  /** Null: not confirmed this time. */
  readonly wal: string | null;
}

/**
 * Records the setting of this moment if it changed, or confirms it. The confirmation is a commit of
 * its own, which itself waits for the standbys. A new record is confirmed only later, when no claim
 * from before is still being committed.
 */
export async function recordReplication(
  database: Database,
  { recorded, now, confirmedAt }: Replication,
): Promise<RecordedReplication> {
  const replication = toRecord(now);
  if (recorded !== replication) {
    // A confirmation may have been waiting for its standby, and shows only now.
    await sql`update epoch set replication = ${replication}, replicated_at = null
      where frozen_at is null and replication is not distinct from ${recorded}
        and replicated_at::text is not distinct from ${confirmedAt}`.execute(database);
    return { replication, wal: null };
  }
  if (replication === null) return { replication, wal: null };
  const { rows } = await sql<{ wal: string }>`
    update epoch set replicated_at = now()
    where frozen_at is null and replication = ${replication} and ${replicationIs(replication)}
      and (replicated_at is null or replicated_at < now() - make_interval(secs => ${CONFIRM_MS / 1_000}))
    returning pg_current_wal_insert_lsn()::text as wal`.execute(database);
  return { replication, wal: rows[0]?.wal ?? null };
}
