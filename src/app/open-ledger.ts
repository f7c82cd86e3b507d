import { systemClock } from "#base/clock.ts";
import { startSigning } from "#ledger/integrity/audit-hash-chain.ts";
import { createCheckpointStore, saveCheckpoint } from "#ledger/integrity/audit-checkpoint.ts";
import { withAuditSeal } from "#ledger/integrity/audit-seal.ts";
import { type Config, ConfigError, dataFolder } from "#app/config.ts";
import { type Connections, divideConnections } from "#app/connections.ts";
import { type Database, openDatabase, openPrepared } from "#ledger/store/database.ts";
import { ledgerIdOf } from "#ledger/integrity/freeze.ts";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { FolderError, makeFolder } from "#ledger/store/folder.ts";
import {
  bindKey,
  readOrCreateKeyFile,
  KeyError,
  findKeyRing,
} from "#ledger/integrity/sealing-keys.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { migrate, UnfitDatabase } from "#ledger/store/migrate.ts";
import { type RoleAddresses, WrongOwner } from "#ledger/store/owner-role.ts";
import { createRestoreMemory, reportingMemory } from "#ledger/integrity/restore-memory.ts";
import { readSubjectKeys } from "#ledger/integrity/stored-keys.ts";
import { createSealer, type Sealer } from "#ledger/store/sealing.ts";
import { reportingMarkerStore, createMarkerStore } from "#ledger/integrity/restore-marker.ts";
import { createLog, type Log } from "#base/log.ts";
import { announceConnectionNeed } from "#postgres/pool.ts";
import type { Secret } from "#base/secret.ts";

/**
 * The ledger alone. Most commands need nothing else, and start in half the time without queue and
 * gateway.
 */

export interface OpenLedger {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly sealer: Sealer;
  readonly ledger: Ledger;
  /** True: this start created the ledger, so it does not know what another ledger has paid. */
  readonly isNew: boolean;
  close(): Promise<void>;
}

const FIRST_MIGRATION = "0001-";

/** Opens the given PostgreSQL database or the embedded one, migrated to this version. */
export async function openLedger(
  config: Config,
  connections = connectionsOf(config, false),
): Promise<OpenLedger> {
  assertKey(config);
  assertOwnedDatabase(config);
  const log = createLog(config.LOG_LEVEL);
  const folder = dataFolder(config);
  if (!config.DATABASE_URL) await makeDataFolder(folder);
  const key = keyOf(config);
  const { url: databaseUrl, roles } = await addressesOf(config, folder);
  announceConnectionNeed(connections.total);
  let database = openDatabase(databaseUrl, connections.ledger);
  let sealer: Sealer;
  let isNew: boolean;
  try {
    const ran = await migrate(database, roles);
    isNew = ran.some((name) => name.startsWith(FIRST_MIGRATION));
    if (ran.length > 0) log.debug({ migrations: ran }, "ledger migrated");
    await bindKey(database, createSealer(key).keyCheck);
    sealer = createSealer(key, await findKeyRing(database));
    await readSubjectKeys(database, sealer);
    // Transaction codes are derived from the ledger id, so no backup may be older than it.
    await ledgerIdOf(database);
    database = withAuditSeal(database, sealer, createCheckpointStore(folder));
    await startSigning(database, new Date(systemClock.nowMs()));
  } catch (error) {
    await database.destroy();
    throw asConfigError(error);
  }
  const canary = Number(config.CIRCUIT_BREAKERS.get("canary_payouts") ?? 0);
  const restoreMarker = reportingMarkerStore(createMarkerStore(folder), (words) =>
    log.warn(
      { err: words, folder },
      "cannot write the restore marker: restoring an old backup may go unnoticed",
    ),
  );
  const restoreMemory = reportingMemory(createRestoreMemory(folder, systemClock), (words) =>
    log.warn(
      { err: words, folder },
      "cannot write the record of uploaded files, which is kept outside the ledger: batches cannot be approved on this server",
    ),
  );
  const outside = { restoreMarker, restoreMemory, epoch: config.LEDGER_EPOCH };
  const sending = openPrepared(databaseUrl, connections.sending, "sending");
  const asking = openPrepared(databaseUrl, connections.queries, "asking");
  const options = { ...outside, canary, sending, asking };
  const ledger = createLedger(database, sealer, systemClock, options);
  const close = async () => {
    await saveCheckpoint(database).catch(() => {});
    await sending.destroy();
    await asking.destroy();
    await database.destroy();
  };
  return { config, log, database, databaseUrl, sealer, ledger, isNew, close };
}

/**
 * Opens a restored ledger whose keys PAYRUN_KEY does not open, migrated to this version, to give it
 * other keys.
 */
export async function withUnopenedLedger<T>(
  config: Config,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  assertKey(config);
  const { url, roles } = await addressesOf(config, dataFolder(config));
  const database = openDatabase(url);
  try {
    await migrate(database, roles);
    return await work(database);
  } catch (error) {
    throw asConfigError(error);
  } finally {
    await database.destroy();
  }
}

/** Returns the address of the ledger, and of its owner role if there are two roles. */
async function addressesOf(
  { DATABASE_URL: url, DATABASE_OWNER_URL: ownerUrl }: Config,
  folder: string,
): Promise<{ readonly url: string; readonly roles: RoleAddresses | null }> {
  if (url !== undefined) return { url, roles: ownerUrl === undefined ? null : { url, ownerUrl } };
  const roles = await startEmbedded(folder);
  return { url: roles.url, roles };
}

/**
 * Divides the connections of this process.
 * @param works whether this process sends payouts and queries their status.
 */
export const connectionsOf = (config: Config, works: boolean): Connections =>
  divideConnections(config.DATABASE_CONNECTIONS, {
    works,
    inRedis: config.REDIS_URL !== undefined,
  });

/**
 * Returns PAYRUN_KEY, or the key next to the data of the embedded ledger.
 * @throws ConfigError if that key was lost.
 */
export function keyOf(config: Config): Secret {
  try {
    return config.PAYRUN_KEY ?? readOrCreateKeyFile(dataFolder(config));
  } catch (error) {
    throw asConfigError(error);
  }
}

const asConfigError = (error: unknown): unknown =>
  error instanceof KeyError || error instanceof UnfitDatabase || error instanceof WrongOwner
    ? new ConfigError([error.message])
    : error;

/**
 * Requires the key of an external ledger.
 * @throws ConfigError if DATABASE_URL is set without PAYRUN_KEY.
 */
export function assertKey({ DATABASE_URL, PAYRUN_KEY }: Config): void {
  if (!DATABASE_URL || PAYRUN_KEY) return;
  throw new ConfigError([
    "PAYRUN_KEY is not set. This key encrypts beneficiary details. To create one, run: openssl rand -hex 32",
  ]);
}

/**
 * Requires DATABASE_URL together with DATABASE_OWNER_URL.
 * @throws ConfigError if DATABASE_OWNER_URL is set alone, in which case the embedded ledger would
 * be used instead.
 */
function assertOwnedDatabase({ DATABASE_URL, DATABASE_OWNER_URL }: Config): void {
  if (DATABASE_URL !== undefined || DATABASE_OWNER_URL === undefined) return;
  throw new ConfigError([
    "DATABASE_OWNER_URL is set, but DATABASE_URL is not. Set DATABASE_URL to the application's role of the same database",
  ]);
}

/**
 * Creates the data folder.
 * @throws ConfigError if PAYRUN_DATA cannot be a folder.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    throw new ConfigError([
      `PAYRUN_DATA ${error.message}. Set it to a folder that this user may write to, or set DATABASE_URL.`,
    ]);
  }
}
