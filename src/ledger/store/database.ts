import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import { recordStatement } from "#base/telemetry/statement-durations.ts";
import type { Tables } from "#ledger/store/tables.ts";
import { openPool } from "#postgres/pool.ts";

export type Database = Kysely<Tables>;

/** Schema with all of payrun's tables, so that other applications can share the database. */
export const SCHEMA = "payrun";

// Ids and counts stay far below 2^53. Amounts are numeric and stay text until they become bigint.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/**
 * A claim must be on disk before its request is sent, whatever the default of the role or the
 * server is.
 */
const DURABLE = " -c synchronous_commit=on";
/** The statements are short: compiling one to machine code takes longer than running it. */
const NO_JIT = " -c jit=off";
/**
 * Overrides settings of the role or the database: dates are read in this format, a move waits for
 * its row, and PostgreSQL warns if a commit did not wait for its standby.
 */
const FIXED_SETTINGS =
  " -c datestyle=ISO -c timezone=UTC -c default_transaction_isolation=read\\ committed -c client_min_messages=warning";
/** Releases the locks of a vanished host within half a minute instead of two hours. */
const KEEPALIVE =
  " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

/**
 * Uses one plan for all values, with index scans and nested loops. A table that is small when the
 * plan is made will grow, and PostgreSQL assumes that a limit unknown at planning time returns a
 * tenth of the table.
 */
const PLANNED_ONCE =
  " -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";

/**
 * Connects to PostgreSQL 13 or newer. Opens no connection before the first query.
 *
 * @param size maximum number of connections. Claims and outcomes share commits, so few are needed.
 */
export const openDatabase = (url: string, size = 6): Database =>
  databaseOver(poolOf(url, "ledger", size));

/**
 * Connects in the same way for the few statements that run for every payout: each connection parses
 * and plans a statement once (measured: more than half of its cost in PostgreSQL;
 * docs/decisions/0089). A statement must contain no values, because it is never discarded, and its
 * columns must be named, because a migration in progress may add one.
 */
export const openPrepared = (
  url: string,
  size: number,
  purpose: "sending" | "asking" = "sending",
): Database => {
  return databaseOver(preparing(poolOf(url, purpose, size, PLANNED_ONCE)));
};

const databaseOver = (pool: PostgresPool): Database =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log: recordStatement });

/** Gives each statement with parameters a name of its own, under which the server keeps it. */
function preparing(pool: pg.Pool): PostgresPool {
  const names = new Map<string, string>();
  const nameOf = (text: string) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    const name = `payrun ${names.size}`;
    names.set(text, name);
    return name;
  };
  return {
    async connect() {
      const client = await pool.connect();
      const query = (text: string, values: unknown[]) =>
        client.query(values.length > 0 ? { name: nameOf(text), text, values } : text);
      // The second form of `query`, for cursors, is not used here.
      return {
        query: query as unknown as PostgresPoolClient["query"],
        release: () => client.release(),
      };
    },
    end: () => pool.end(),
  };
}

// A forgotten transaction must not delay the sweep (F31), and a lock must not delay a payout (F29).
const poolOf = (
  url: string,
  purpose: "ledger" | "sending" | "asking",
  size: number,
  settings = "",
): pg.Pool =>
  openPool(url, {
    purpose,
    size,
    options: `-c search_path=${SCHEMA} -c statement_timeout=60s -c lock_timeout=10s -c idle_in_transaction_session_timeout=120s${DURABLE}${NO_JIT}${FIXED_SETTINGS}${KEEPALIVE}${settings}`,
  });

/** Runs the work as part of the transaction in progress, or in a transaction of its own. */
export const inTransaction = <T>(
  database: Database,
  work: (transaction: Database) => Promise<T>,
): Promise<T> => (database.isTransaction ? work(database) : database.transaction().execute(work));
