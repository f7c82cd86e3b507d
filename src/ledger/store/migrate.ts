import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { type Database, SCHEMA } from "#ledger/store/database.ts";
import { asOwner, createApplicationRole, type RoleAddresses } from "#ledger/store/owner-role.ts";
import { grantRights, type LedgerRole, ledgerRole } from "#ledger/store/rights.ts";
import { systemClock } from "#base/clock.ts";
import { version as ownVersion } from "#base/version.ts";

const FOLDER = new URL("../../../migrations/", import.meta.url);
const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/**
 * Migrates the tables to this version, one process at a time (advisory lock), each migration in a
 * transaction of its own. Refuses a ledger that a newer payrun has written, and a migration that
 * was edited after it ran.
 *
 * @param roles set if the ledger has a separate owner, which migrates and grants the application's
 * role its rights.
 * @returns the names of the migrations that ran now.
 */
export async function migrate(
  database: Database,
  roles: RoleAddresses | null = null,
): Promise<string[]> {
  const known = await readMigrations();
  if (roles) await createApplicationRole(database, roles);
  await refuseUnfit(database);
  // A read-only ledger on a standby can still be read.
  const applied = await appliedSoFar(database);
  refuseUnknownMigrations(known, applied);
  const behind = known.length - applied.length;
  const role = await ledgerRole(database);
  if (roles) {
    const isDone = role.lacks.length === 0 && (role.exceeds.length === 0 || role.powers.length > 0);
    if (behind === 0 && isDone) return [];
    return asOwner(database, roles.ownerUrl, (owner) => runMissing(owner, known, role.name));
  }
  refuseWeak(role, behind);
  return behind === 0 ? [] : runMissing(database, known);
}

/**
 * Refuses a role that cannot use the ledger.
 *
 * @throws UnfitDatabase if tables are missing or inaccessible to this role, and no owner is
 * configured that could change that.
 */
function refuseWeak({ name, mayMigrate, lacks }: LedgerRole, behind: number): void {
  if (mayMigrate || (behind === 0 && lacks.length === 0)) return;
  const found =
    behind > 0
      ? `${behind} migrations have not run, and this role may not run them`
      : `it has no right to ${lacks.slice(0, NAMED_MAX).join(", ")}${lacks.length > NAMED_MAX ? ` and ${lacks.length - NAMED_MAX} more` : ""}`;
  throw new UnfitDatabase(
    `DATABASE_URL connects as ${name}, which cannot be used by payrun ${ownVersion}: ${found}. Run: DATABASE_OWNER_URL=postgres://OWNER… payrun migrate (docs/operate/production.md)`,
  );
}

/** Maximum number of rights that are named. Others are only counted. */
const NAMED_MAX = 3;

/**
 * @param application role that gets its rights afterwards. Undefined: the migrating role is the
 * only one.
 */
function runMissing(
  database: Database,
  known: readonly Migration[],
  application?: string,
): Promise<string[]> {
  return database.connection().execute(async (connection) => {
    await connection.transaction().execute(async (transaction) => {
      // Wait for another process that migrates a large ledger. The lock remains after these
      // settings have ended.
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`set local lock_timeout = 0`.execute(transaction);
      await sql`select pg_advisory_lock(hashtext('payrun migrate'))`.execute(transaction);
    });
    try {
      await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(connection);
      await sql`create table if not exists migrations (
        number integer primary key, name text not null, checksum text not null,
        at timestamptz not null default now())`.execute(connection);
      // The payrun version that ran the migration. Null: run before this column existed.
      await sql`alter table migrations add column if not exists version text`.execute(connection);
      const applied = await appliedSoFar(connection);
      refuseUnknownMigrations(known, applied);

      const done = new Set(applied.map(({ number }) => number));
      const ran: string[] = [];
      for (const { number, name, text, checksum } of known) {
        if (done.has(number)) continue;
        await runBetweenStatements(connection, async (transaction) => {
          // A migration of a large ledger may take minutes.
          await sql`set local statement_timeout = 0`.execute(transaction);
          await sql.raw(text).execute(transaction);
          await sql`insert into migrations (number, name, checksum, version)
            values (${number}, ${name}, ${checksum}, ${ownVersion})`.execute(transaction);
        });
        ran.push(name);
      }
      if (application !== undefined) await separate(connection, application);
      return ran;
    } finally {
      await releaseLock(connection);
    }
  });
}

/** Milliseconds that a migration waits for each lock. All later statements wait behind it. */
const LOCK_MS = 1_000;
const LOCK_PAUSE_MS = 500;
const LOCK_TRIES = 10;
/** SQLSTATE of a lock that was not free in time. */
const LOCKED = "55P03";

/**
 * Runs a migration while other processes work. It waits for locks only briefly, because every
 * statement on the table queues behind it, and tries again after they have run.
 */
async function runBetweenStatements(
  connection: Database,
  work: (transaction: Database) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await connection.transaction().execute(async (transaction) => {
        await sql.raw(`set local lock_timeout = ${LOCK_MS}`).execute(transaction);
        await work(transaction);
      });
    } catch (error) {
      const isLocked = error instanceof Error && "code" in error && error.code === LOCKED;
      if (!isLocked || tries === LOCK_TRIES) throw error;
      await systemClock.sleep(LOCK_PAUSE_MS);
    }
  }
}

const separate = (owner: Database, application: string): Promise<void> =>
  owner.transaction().execute(async (transaction) => {
    const { rows } = await sql`select current_user = ${application} as is_one`.execute(transaction);
    // An owner would revoke its own rights.
    if (!(rows[0] as { is_one: boolean }).is_one) await grantRights(transaction, application);
  });

/**
 * Releases the lock. It belongs to the session, which the pool keeps while the process runs, so a
 * session that cannot release it is terminated. If that fails as well, the session has ended
 * already, and the lock with it.
 */
async function releaseLock(connection: Database): Promise<void> {
  const unlock = sql`select pg_advisory_unlock(hashtext('payrun migrate'))`.execute(connection);
  await unlock.catch(async () => {
    const end = sql.raw("rollback; select pg_terminate_backend(pg_backend_pid())");
    await end.execute(connection).catch(() => {});
  });
}

type Applied = Pick<Migration, "number" | "name" | "checksum"> & {
  /** The payrun version that ran the migration, if known. */
  readonly version: string | null;
};

/** Returns the migrations that have run; none if there is no ledger yet. */
async function appliedSoFar(database: Database): Promise<readonly Applied[]> {
  const place = sql<{
    is_there: boolean;
  }>`select to_regclass('migrations') is not null as is_there`;
  if (!(await place.execute(database)).rows[0]?.is_there) return [];
  // A ledger from before this column has no version.
  const all = sql<Applied>`select number, name, checksum, to_jsonb(m) ->> 'version' as version
    from migrations m order by number`;
  return (await all.execute(database)).rows;
}

/** Returns the migrations that have run on this ledger, oldest first. */
export const appliedMigrations = (database: Database): Promise<{ name: string; at: Date }[]> =>
  database.selectFrom("migrations").select(["name", "at"]).orderBy("number").execute();

async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(FOLDER)).filter((name) => NAME.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, FOLDER), "utf8");
      const checksum = createHash("sha256").update(text).digest("hex");
      return { number: Number(NAME.exec(name)?.[1]), name, text, checksum };
    }),
  );
}

/**
 * Thrown when another version of payrun has migrated the ledger. The ledger is intact, and this
 * version does not change it.
 */
export class OtherVersion extends Error {
  readonly advice: string;

  constructor(found: string, advice: string) {
    super(`${found} No changes were made.`);
    this.advice = advice;
  }
}

/** Thrown for a database that cannot hold a ledger. */
export class UnfitDatabase extends Error {}

async function refuseUnfit(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string; encoding: string; path: string; is_here: boolean }>`
    select current_database() as name, current_setting('server_encoding') as encoding,
      current_setting('search_path') as path,
      to_regclass('migrations') is not null as is_here`.execute(database);
  for (const { name, encoding, path, is_here } of rows) {
    if (path !== SCHEMA) {
      // An empty ledger in its place would pay its files again.
      const first = is_here
        ? ` The ledger of this database is outside the schema ${SCHEMA}. Move it there first: alter schema NAME rename to ${SCHEMA}.`
        : "";
      throw new UnfitDatabase(
        `The connection of DATABASE_URL to the database ${name} drops session settings: expected search_path ${SCHEMA}, found ${path}. Set DATABASE_URL to PostgreSQL itself, not to a pooler, which also loses locks and prepared statements.${first}`,
      );
    }
    if (encoding !== "UTF8" && !is_here) {
      throw new UnfitDatabase(
        `The database ${name} of DATABASE_URL has the encoding ${encoding}, which cannot store every name. Create one with UTF8: create database NAME encoding 'UTF8' template template0`,
      );
    }
  }
}

function refuseUnknownMigrations(known: readonly Migration[], applied: readonly Applied[]): void {
  const own = new Map(known.map((migration) => [migration.number, migration]));
  const unknown = applied.filter(({ number }) => !own.has(number));
  if (unknown.length > 0) {
    throw new OtherVersion(
      `A newer version of payrun last migrated this ledger: payrun ${ownVersion} does not know ${listed(unknown)}.`,
      "start the newer version; to go back, restore the backup from before its migration (docs/operate/upgrade.md)",
    );
  }
  const changed = applied.filter(({ number, checksum }) => own.get(number)?.checksum !== checksum);
  if (changed.length > 0) {
    throw new OtherVersion(
      `A different version of payrun migrated this ledger: in payrun ${ownVersion}, the checksum differs for ${listed(changed)}.`,
      "start that version, which is probably newer; if a file in migrations/ was edited, restore the released file",
    );
  }
}

/** Returns a text such as "migration 0045-a.sql, run by payrun 0.2.0". */
function listed(migrations: readonly Applied[]): string {
  const names = migrations.map(({ name, version }) =>
    version === null ? name : `${name}, run by payrun ${version}`,
  );
  return `${names.length === 1 ? "migration" : "migrations"} ${names.join("; ")}`;
}
