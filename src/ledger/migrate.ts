import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { sql } from "kysely";
import { type Database, SCHEMA } from "#ledger/database.ts";

const FOLDER = new URL("../../migrations/", import.meta.url);
const NAME = /^(\d{4})-[a-z0-9-]+\.sql$/;

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/**
 * Brings the tables up to this version, one process at a time (advisory lock), each migration in a transaction
 * of its own. Refuses a ledger that a newer payrun has written, and a migration that was edited after it ran.
 *
 * @returns the names of the migrations that ran now.
 */
export async function migrate(database: Database): Promise<string[]> {
  const known = await readMigrations();
  await refuseUnfit(database);
  // A ledger that takes no writes, on a standby, can be read all the same.
  const applied = await appliedSoFar(database);
  refuseSurprises(known, applied);
  return applied.length === known.length ? [] : catchUp(database, known);
}

function catchUp(database: Database, known: readonly Migration[]): Promise<string[]> {
  return database.connection().execute(async (connection) => {
    await connection.transaction().execute(async (transaction) => {
      // Another process that migrates a large ledger is waited for. The lock stays when the settings have gone.
      await sql`set local statement_timeout = 0`.execute(transaction);
      await sql`set local lock_timeout = 0`.execute(transaction);
      await sql`select pg_advisory_lock(hashtext('payrun migrate'))`.execute(transaction);
    });
    try {
      await sql`create schema if not exists ${sql.id(SCHEMA)}`.execute(connection);
      await sql`create table if not exists migrations (
        number integer primary key, name text not null, checksum text not null,
        at timestamptz not null default now())`.execute(connection);
      const applied = await appliedSoFar(connection);
      refuseSurprises(known, applied);

      const done = new Set(applied.map(({ number }) => number));
      const ran: string[] = [];
      for (const { number, name, text, checksum } of known) {
        if (done.has(number)) continue;
        await connection.transaction().execute(async (transaction) => {
          // On a large ledger it may take minutes.
          await sql`set local statement_timeout = 0`.execute(transaction);
          await sql.raw(text).execute(transaction);
          await sql`insert into migrations (number, name, checksum) values (${number}, ${name}, ${checksum})`.execute(
            transaction,
          );
        });
        ran.push(name);
      }
      return ran;
    } finally {
      await letGo(connection);
    }
  });
}

/**
 * The lock is the session's, and the pool keeps a session for as long as the process runs: one that cannot let go is ended.
 * Where that fails as well, the session has ended before, and the lock with it.
 */
async function letGo(connection: Database): Promise<void> {
  const unlock = sql`select pg_advisory_unlock(hashtext('payrun migrate'))`.execute(connection);
  await unlock.catch(async () => {
    const end = sql.raw("rollback; select pg_terminate_backend(pg_backend_pid())");
    await end.execute(connection).catch(() => {});
  });
}

type Applied = Pick<Migration, "number" | "name" | "checksum">;

/** None where there is no ledger yet. */
async function appliedSoFar(database: Database): Promise<readonly Applied[]> {
  const place = sql<{
    is_there: boolean;
  }>`select to_regclass('migrations') is not null as is_there`;
  if (!(await place.execute(database)).rows[0]?.is_there) return [];
  const all = sql<Applied>`select number, name, checksum from migrations order by number`;
  return (await all.execute(database)).rows;
}

/** The migrations that have run on this ledger, oldest first. */
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

/** It is whole, and this version is too old for it. */
export class NewerLedger extends Error {}

/** A database in which no ledger can be kept. */
export class UnfitDatabase extends Error {}

async function refuseUnfit(database: Database): Promise<void> {
  const { rows } = await sql<{ name: string; encoding: string; path: string; is_here: boolean }>`
    select current_database() as name, current_setting('server_encoding') as encoding,
      current_setting('search_path') as path,
      to_regclass('migrations') is not null as is_here`.execute(database);
  for (const { name, encoding, path, is_here } of rows) {
    if (path !== SCHEMA) {
      // An empty ledger in the place of that one would pay its files again.
      const first = is_here
        ? ` Its ledger stands outside of the schema ${SCHEMA}: move it there first (alter schema NAME rename to ${SCHEMA}).`
        : "";
      throw new UnfitDatabase(
        `DATABASE_URL leads to the database ${name} through something that drops the settings of a session: expected search_path ${SCHEMA}, found ${path}. Name PostgreSQL itself: a pooler would lose locks and prepared statements, too.${first}`,
      );
    }
    if (encoding !== "UTF8" && !is_here) {
      throw new UnfitDatabase(
        `DATABASE_URL names the database ${name}: expected one that is encoded in UTF8, found ${encoding}, which cannot keep every name. Make another one: create database NAME encoding 'UTF8' template template0`,
      );
    }
  }
}

function refuseSurprises(known: readonly Migration[], applied: readonly Applied[]): void {
  for (const { number, name, checksum } of applied) {
    const mine = known.find((migration) => migration.number === number);
    if (!mine) {
      throw new NewerLedger(
        `The ledger was written by a newer payrun: it holds migration ${name}, which this version does not know. Start the newer version.`,
      );
    }
    if (mine.checksum !== checksum) {
      throw new Error(
        `Migration ${name} was changed after it ran on this ledger. Restore the file as it was released.`,
      );
    }
  }
}
