import { type RawBuilder, sql } from "kysely";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import type { FreezeCause } from "#integrity/freeze-causes.ts";
import type { Database } from "#ledger/store/database.ts";
import { inMs } from "#ledger/store/tables.ts";
import {
  CLOCKS_MS,
  HAS_NO_TARGET,
  isReplicated,
  REPLICATION_MS,
  REPLICATION_NOW,
  type Replication,
  replicationIs,
  TIMELINE,
  TRUSTED_MS,
} from "#ledger/integrity/replication.ts";
import type { AttemptKey, RestoreMarker } from "#ledger/integrity/restore-marker.ts";

/** Reason why the ledger sends no payout. */
export interface Freeze {
  readonly epoch: number;
  readonly cause: FreezeCause;
  readonly reason: string;
  /**
   * Null: the ledger is not frozen, but this process has the LEDGER_EPOCH of an earlier epoch, or a
   * synchronous standby was removed a moment ago.
   */
  readonly since: Date | null;
}

/** The recorded place of the ledger and its actual place. */
export interface EpochInspection {
  readonly ledgerId: string;
  readonly epoch: number;
  readonly frozenAt: Date | null;
  readonly reason: string | null;
  readonly recordedPlace: LedgerPlace;
  readonly currentPlace: LedgerPlace;
  /** Identifies the running server and this very table. It changes with every start. */
  readonly server: string;
  /**
   * Position up to which the server's write-ahead log is on disk. It never moves back, even in a
   * crash.
   */
  readonly wal: string;
  /**
   * True if the ledger contains what the restore marker recorded, or if the marker is of another
   * epoch.
   */
  readonly hasWal: boolean;
  readonly hasAttempt: boolean;
  readonly replication: Replication;
}

interface LedgerPlace {
  readonly systemIdentifier: string;
  readonly timeline: string;
  readonly databaseOid: string;
  readonly tableOid: string;
}

const DATABASE_OID = sql`(select oid::text from pg_database where datname = current_database())`;
const SYSTEM = sql`(select system_identifier::text from pg_control_system())`;
const SERVER = sql`concat_ws(' ', extract(epoch from pg_postmaster_start_time()), ${DATABASE_OID}, e.tableoid)`;

/** An attempt that was moved to an archive file is not missing. */
const hasAttempt = ({ payoutId, number }: AttemptKey) => sql`(exists (
    select from attempts a where a.payout_id = ${payoutId} and a.number = ${number})
  or exists (
    select from payouts o join archive_parts r on r.batch_id = o.batch_id and o.id between r.first_id and r.last_id
    where o.id = ${payoutId} and r.detached_at is not null))`;

/**
 * Values that a claim compares: the verified server and epoch, and the last attempt of this
 * process.
 */
export interface VerifiedEpoch {
  readonly server: string;
  readonly epoch: number;
  readonly attempt: AttemptKey | null;
  /** Null: claims do not wait for standbys. */
  readonly replication: string | null;
}

/**
 * Returns the condition for sending, as part of the claiming statement. A check before that
 * statement could not be as reliable.
 */
export const maySend = ({
  server,
  epoch,
  attempt,
  replication,
}: VerifiedEpoch): RawBuilder<boolean> =>
  sql<boolean>`(exists (
    select from epoch e where e.frozen_at is null and e.number = ${epoch} and ${SERVER} = ${server}
      and ${replication === null ? sql`e.replication is null` : sql`e.replication = ${replication} and ${replicationIs(replication)}`})
    and ${attempt ? hasAttempt(attempt) : sql`true`})`;

/** Returns whether this condition holds in the database at the moment. */
export async function doesHold(
  database: Database,
  condition: RawBuilder<boolean>,
): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`select ${condition} as open`.execute(database);
  return rows[0]?.open === true;
}

/** Returns the ledger's id. A ledger without one gets an id, and its current place is recorded. */
export async function ledgerIdOf(database: Database): Promise<string> {
  const known = await database.selectFrom("epoch").select("ledger_id").executeTakeFirst();
  if (known) return known.ledger_id;
  await sql`
    insert into epoch (ledger_id, number, system_identifier, timeline, database_oid, table_oid)
    select gen_random_uuid(), 1, ${SYSTEM}, ${TIMELINE}, ${DATABASE_OID}, 'epoch'::regclass::oid
    where not exists (select from epoch)
    on conflict do nothing`.execute(database);
  const { ledger_id } = await database
    .selectFrom("epoch")
    .select("ledger_id")
    .executeTakeFirstOrThrow();
  return ledger_id;
}

/** Returns the number of the epoch, for display. */
export async function epochOf(database: Database): Promise<number> {
  return (await database.selectFrom("epoch").select("number").executeTakeFirstOrThrow()).number;
}

/** A standby, which can be read, uses another function for its position. */
const WAL = sql`(case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end)`;

/** Compares the ledger's epoch and place with the running server and the restore marker. */
export async function inspectEpoch(
  database: Database,
  witness: RestoreMarker | null,
): Promise<EpochInspection> {
  const { rows } = await sql<SeenRow>`
    select e.*, ${SYSTEM} as system_now, ${TIMELINE} as timeline_now, ${DATABASE_OID} as database_now,
      e.tableoid::text as table_now, ${SERVER} as server, ${WAL}::text as wal,
      e.number <> ${witness?.epoch ?? 0}
        or ${WAL} >= ${witness?.wal ?? "0/0"}::pg_lsn as has_wal,
      e.number <> ${witness?.epoch ?? 0}
        or ${witness?.attempt ? hasAttempt(witness.attempt) : sql`true`} as has_attempt,
      ${REPLICATION_NOW} as replication_now, current_setting('cluster_name') as server_name,
      coalesce(e.replicated_at between now() - ${inMs(REPLICATION_MS)} and now() + ${inMs(CLOCKS_MS)} and ${HAS_NO_TARGET}, false) as is_recent,
      coalesce(greatest(e.replicated_at, e.replicated_before) > now() - ${inMs(TRUSTED_MS)}, false) as may_be_trusted,
      e.replicated_at::text as confirmed_at
    from epoch e`.execute(database);
  const [row] = rows;
  if (!row) throw new Error("the ledger has lost its epoch");
  return {
    ledgerId: row.ledger_id,
    epoch: row.number,
    frozenAt: row.frozen_at,
    reason: row.reason,
    recordedPlace: {
      systemIdentifier: row.system_identifier,
      timeline: row.timeline,
      databaseOid: row.database_oid,
      tableOid: row.table_oid,
    },
    currentPlace: {
      systemIdentifier: row.system_now,
      timeline: row.timeline_now,
      databaseOid: row.database_now,
      tableOid: row.table_now,
    },
    server: row.server,
    wal: row.wal,
    hasWal: row.has_wal,
    hasAttempt: row.has_attempt,
    replication: {
      recorded: row.replication,
      now: row.replication_now,
      serverName: row.server_name,
      confirmedAt: row.confirmed_at,
      isRecent: row.is_recent,
      mayBeTrusted: row.may_be_trusted,
    },
  };
}

interface SeenRow {
  ledger_id: string;
  number: number;
  frozen_at: Date | null;
  reason: string | null;
  system_identifier: string;
  timeline: string;
  database_oid: string;
  table_oid: string;
  system_now: string;
  timeline_now: string;
  database_now: string;
  table_now: string;
  server: string;
  wal: string;
  has_wal: boolean;
  has_attempt: boolean;
  replication: string | null;
  replication_now: string;
  server_name: string;
  is_recent: boolean;
  may_be_trusted: boolean;
  confirmed_at: string | null;
}

/** Returns whether the ledger is in the place that was recorded. */
export const isInPlace = ({ recordedPlace: was, currentPlace: is }: EpochInspection): boolean =>
  was.systemIdentifier === is.systemIdentifier &&
  was.timeline === is.timeline &&
  was.databaseOid === is.databaseOid &&
  was.tableOid === is.tableOid;

/** Returns the reason why this is not the database that was written last, or null if it is. */
export function whyFrozen(
  {
    ledgerId,
    epoch,
    recordedPlace,
    currentPlace,
    hasWal,
    hasAttempt: attempted,
    replication,
  }: EpochInspection,
  witness: RestoreMarker | null,
  wantedEpoch: number,
): string | null {
  if (witness && witness.ledgerId !== ledgerId)
    return "the database now contains a different ledger from the one that this process used";
  if (recordedPlace.systemIdentifier !== currentPlace.systemIdentifier)
    return "it is in a different PostgreSQL cluster than before: it was moved or restored from a dump";
  if (recordedPlace.timeline !== currentPlace.timeline && !isReplicated(replication))
    return `its PostgreSQL changed from timeline ${recordedPlace.timeline} to ${currentPlace.timeline}: a standby was promoted, or the server was restored to a point in time`;
  if (recordedPlace.databaseOid !== currentPlace.databaseOid)
    return "it is in a different database than before: it was copied or restored from a dump";
  if (recordedPlace.tableOid !== currentPlace.tableOid)
    return "its tables were created again: it was restored from a dump";
  if (witness && witness.epoch > epoch)
    return `it is at epoch ${epoch}, but epoch ${witness.epoch} was recorded outside it: an older copy was restored`;
  if (wantedEpoch > epoch)
    return `LEDGER_EPOCH is ${wantedEpoch}, but the ledger is at epoch ${epoch}: an older copy was restored`;
  if (!attempted)
    return "a recorded attempt is missing: an older copy was restored, or commits were lost";
  if (!hasWal)
    return "its PostgreSQL is behind a position that was already on disk: an older copy was restored, or commits were lost";
  return null;
}

export interface FreezeOrder {
  readonly reason: string;
  readonly actor: string;
}

/**
 * Starts a new, frozen epoch in the current place of the ledger. Returns its number, or null if
 * somebody else was first. The freeze has the time of the ledger's clock, because this time
 * determines which occurrences were due before it, and the clock of this machine may be an hour
 * off.
 *
 * @param from the epoch found to be wrong, and the LEDGER_EPOCH of this process. Without it, a
 * ledger that may send is frozen manually.
 */
export async function freeze(
  transaction: Database,
  { reason, actor }: FreezeOrder,
  from?: { readonly epoch: number; readonly wantedEpoch: number },
): Promise<number | null> {
  const { rows } = await sql<{ number: number; frozen_at: Date }>`
    update epoch set number = greatest(number + 1, ${from?.wantedEpoch ?? 0}), frozen_at = now(), reason = ${reason},
      system_identifier = ${SYSTEM}, timeline = ${TIMELINE}, database_oid = ${DATABASE_OID}, table_oid = tableoid,
      replication = null, replicated_at = null, replicated_before = null
    where ${from ? sql`number = ${from.epoch}` : sql`frozen_at is null`} returning number, frozen_at`.execute(
    transaction,
  );
  const [begun] = rows;
  if (!begun) return null;
  // Status queries that were scheduled for later are due now.
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`update payouts set due_at = now()
    where state in ('awaiting_approval', 'approved', 'held_back', 'in_doubt', 'accepted') and due_at > now()`.execute(
    transaction,
  );
  // The lost history may have sent payouts until now, and earlier answers say nothing about them.
  await sql`update payouts set status_answer = null, status_answer_times = 0, status_answer_since = null, status_answer_at = null,
      unanswered_at = case when state = 'in_doubt' then now() else unanswered_at end
    where state in ('awaiting_approval', 'approved', 'held_back', 'in_doubt', 'accepted')
      and (state = 'in_doubt' or status_answer is not null)`.execute(transaction);
  const facts = { epoch: begun.number, reason };
  await appendAudit(transaction, begun.frozen_at, {
    actor,
    action: "freeze",
    object: "ledger",
    facts,
  });
  return begun.number;
}
