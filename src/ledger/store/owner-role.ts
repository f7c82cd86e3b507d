import { sql } from "kysely";
import { type Database, openDatabase } from "#ledger/store/database.ts";
import { databaseHosts } from "#postgres/hosts.ts";
import { PROCESS } from "#postgres/pool.ts";

/** Database addresses of an installation whose application role does not own the ledger. */
export interface RoleAddresses {
  /** DATABASE_URL: the application's role. */
  readonly url: string;
  /** DATABASE_OWNER_URL: the role that owns and migrates the ledger. */
  readonly ownerUrl: string;
}

/** Thrown when DATABASE_OWNER_URL cannot be used with DATABASE_URL. */
export class WrongOwner extends Error {}

/** SQLSTATE of a server that refuses a role or its password, or has no such database. */
const REFUSED = /^(28P01|28000|3D000)$/;
const isRefused = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && REFUSED.test(String(error.code));
/** SQLSTATE if another process has just created the role. */
const CREATED_ALREADY = /^(42710|23505)$/;

/** Runs `work` with a connection of the owner. */
async function connected<T>(ownerUrl: string, work: (owner: Database) => Promise<T>): Promise<T> {
  const owner = openDatabase(ownerUrl, 1);
  try {
    await sql`select 1`.execute(owner).catch((error: unknown) => {
      throw isRefused(error)
        ? new WrongOwner(`The database server refused DATABASE_OWNER_URL: ${error.message}`)
        : error;
    });
    return await work(owner);
  } finally {
    await owner.destroy();
  }
}

/**
 * Runs `work` as the owner.
 *
 * @throws WrongOwner if its address is a different database than the application's.
 */
export const asOwner = <T>(
  database: Database,
  ownerUrl: string,
  work: (owner: Database) => Promise<T>,
): Promise<T> =>
  connected(ownerUrl, async (owner) => {
    const isSame = await database.connection().execute(async (session) => {
      const own = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(session);
      const seen = await sql`
        select from pg_stat_activity where pid = ${own.rows[0]?.pid ?? 0} and datname = current_database()
          and right(application_name, ${PROCESS.length}) = ${PROCESS}`.execute(owner);
      return seen.rows.length > 0;
    });
    if (!isSame) {
      throw new WrongOwner(
        "DATABASE_OWNER_URL and DATABASE_URL are different databases. Set both to the same server and database, with different users. No changes were made.",
      );
    }
    return work(owner);
  });

const hostNames = (url: string): string =>
  databaseHosts(url)
    .map(({ name }) => name)
    .join();

/** Creates the role of DATABASE_URL with its password, if the server does not know the role yet. */
export async function createApplicationRole(
  database: Database,
  { url, ownerUrl }: RoleAddresses,
): Promise<void> {
  try {
    await sql`select 1`.execute(database);
  } catch (error) {
    const application = new URL(databaseHosts(url)[0]?.url ?? url);
    const owner = new URL(databaseHosts(ownerUrl)[0]?.url ?? ownerUrl);
    const isOnePlace =
      hostNames(url) === hostNames(ownerUrl) && application.pathname === owner.pathname;
    const [name, password] = [application.username, application.password].map(decodeURIComponent);
    if (!isRefused(error) || !isOnePlace || !name || !password) throw error;
    await connected(ownerUrl, async (as) => {
      const known = await sql`select from pg_roles where rolname = ${name}`.execute(as);
      if (known.rows.length > 0) return;
      const create = sql`create role ${sql.id(name)} login password ${sql.lit(password)}`;
      await create.execute(as).catch((failure: unknown) => {
        const code = failure instanceof Error && "code" in failure ? String(failure.code) : "";
        if (CREATED_ALREADY.test(code)) return;
        throw code === "42501"
          ? new WrongOwner(
              `DATABASE_URL names the role ${name}, which does not exist, and the owner may not create it. As a superuser, run: create role ${name} login password '…'`,
            )
          : failure;
      });
    });
    // The role was created here or by another process. This query fails again if the role exists
    // with another password.
    await sql`select 1`.execute(database);
  }
}
