import { systemClock } from "#clock.ts";
import { beginSigning } from "#ledger/audit.ts";
import { checkpointIn, saveCheckpoint } from "#ledger/audit-checkpoint.ts";
import { withAuditSeal } from "#ledger/audit-seal.ts";
import { type Config, ConfigError, dataFolder } from "#config.ts";
import { type Connections, divide } from "#connections.ts";
import { type Database, openDatabase, openPrepared } from "#ledger/database.ts";
import { ledgerIdOf } from "#ledger/epoch.ts";
import { startEmbedded } from "#ledger/embedded/start.ts";
import { FolderError, makeFolder } from "#ledger/folder.ts";
import { bindKey, keyBesideData, KeyError, ringOf } from "#ledger/key.ts";
import { createLedger } from "#ledger/create-ledger.ts";
import type { Ledger } from "#ledger/ledger.ts";
import { migrate, UnfitDatabase } from "#ledger/migrate.ts";
import { memoryIn, tellingMemory } from "#ledger/restore-memory.ts";
import { createSealer, type Sealer } from "#ledger/sealed.ts";
import { telling, witnessIn } from "#ledger/witness.ts";
import { createLog, type Log } from "#log.ts";
import { announceNeed } from "#postgres-pool.ts";
import type { Secret } from "#secret.ts";

/** The ledger by itself. Most commands need no more, and start in half the time without queue and gateway. */

export interface OpenLedger {
  readonly config: Config;
  readonly log: Log;
  readonly database: Database;
  readonly databaseUrl: string;
  readonly sealer: Sealer;
  readonly ledger: Ledger;
  /** Made by this very start: it knows nothing of what another ledger has paid. */
  readonly isNew: boolean;
  close(): Promise<void>;
}

const FIRST_MIGRATION = "0001-";

/** Opens the ledger: the given PostgreSQL, or the embedded one, brought up to this version. */
export async function openLedger(
  config: Config,
  connections = connectionsOf(config, false),
): Promise<OpenLedger> {
  assertKey(config);
  const log = createLog(config.LOG_LEVEL);
  const folder = dataFolder(config);
  if (!config.DATABASE_URL) await makeDataFolder(folder);
  const key = keyOf(config);
  const databaseUrl = config.DATABASE_URL ?? (await startEmbedded(folder)).url;
  announceNeed(connections.total);
  let database = openDatabase(databaseUrl, connections.ledger);
  let sealer: Sealer;
  let isNew: boolean;
  try {
    const ran = await migrate(database);
    isNew = ran.some((name) => name.startsWith(FIRST_MIGRATION));
    if (ran.length > 0) log.debug({ migrations: ran }, "ledger migrated");
    await bindKey(database, createSealer(key).keyCheck);
    sealer = createSealer(key, await ringOf(database));
    // Transaction codes follow from it: no backup may be older than it.
    await ledgerIdOf(database);
    database = withAuditSeal(database, sealer, checkpointIn(folder));
    await beginSigning(database, new Date(systemClock.nowMs()));
  } catch (error) {
    await database.destroy();
    throw asConfigError(error);
  }
  const canary = Number(config.BRAKES.get("canary_payouts") ?? 0);
  const witness = telling(witnessIn(folder), (words) =>
    log.warn(
      { err: words, folder },
      "the witness of the ledger cannot be written: a restore is harder to notice",
    ),
  );
  const memory = tellingMemory(memoryIn(folder, systemClock), (words) =>
    log.warn(
      { err: words, folder },
      "the restore memory cannot be written: no batch can be approved here",
    ),
  );
  const outside = { witness, memory, epoch: config.LEDGER_EPOCH };
  const sending = openPrepared(databaseUrl, connections.sending, "sending");
  const asking = openPrepared(databaseUrl, connections.asking, "asking");
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

/** @param works whether this process sends and asks. */
export const connectionsOf = (config: Config, works: boolean): Connections =>
  divide(config.DATABASE_CONNECTIONS, { works, inRedis: config.REDIS_URL !== undefined });

/** PAYRUN_KEY, or the one beside the data of the embedded ledger. @throws ConfigError where that one was lost. */
export function keyOf(config: Config): Secret {
  try {
    return config.PAYRUN_KEY ?? keyBesideData(dataFolder(config));
  } catch (error) {
    throw asConfigError(error);
  }
}

const asConfigError = (error: unknown): unknown =>
  error instanceof KeyError || error instanceof UnfitDatabase
    ? new ConfigError([error.message])
    : error;

/** @throws ConfigError where a ledger that is given comes without its key. */
export function assertKey({ DATABASE_URL, PAYRUN_KEY }: Config): void {
  if (!DATABASE_URL || PAYRUN_KEY) return;
  throw new ConfigError([
    "PAYRUN_KEY is not set: the key that beneficiary details are sealed with (make one: openssl rand -hex 32)",
  ]);
}

/** @throws ConfigError when PAYRUN_DATA cannot be a folder. */
export async function makeDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderError)) throw error;
    throw new ConfigError([
      `PAYRUN_DATA ${error.message}. Name a folder that this user may write to, or set DATABASE_URL.`,
    ]);
  }
}
