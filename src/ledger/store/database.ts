import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
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
 * Overrides settings of the role or the database: dates are read in this format, and a move waits
 * for its row.
 */
const FIXED_SETTINGS =
  " -c datestyle=ISO -c timezone=UTC -c default_transaction_isolation=read\\ committed";
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
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(url, "ledger", size) }) });

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
  const pool = preparing(poolOf(url, purpose, size, PLANNED_ONCE));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
};

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

/**
 * SQLSTATE classes and codes after which the same transaction may be retried, because it had no
 * result.
 */
const TRANSIENT_SQLSTATE = /^(08|40001|40P01|53|55P03|57P0|58)/;
const TRANSIENT_SOCKET_ERROR =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EMFILE|ENFILE|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/**
 * Returns true if the database did not refuse the statement but was unavailable (restart, failover,
 * deadlock, full pool).
 */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return TRANSIENT_SQLSTATE.test(code) || TRANSIENT_SOCKET_ERROR.test(`${code} ${error.message}`);
}

/** Returns whether PostgreSQL refused a duplicate in this unique index (error 23505). */
export const isUniqueViolation = (error: unknown, index: string): boolean =>
  error instanceof Error && "code" in error && error.code === "23505" && isRefusedBy(error, index);

/**
 * Returns true if a constraint of this name, or a trigger that reports it, refused the statement.
 */
const isRefusedBy = (error: unknown, constraint: string): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === constraint;

/**
 * Returns the refusal for the constraint that refused the statement, or null if it was none of
 * these.
 */
export const refusalIn = <Word extends string>(
  error: unknown,
  words: Readonly<Record<string, Word>>,
): Word | null =>
  Object.entries(words).find(([constraint]) => isRefusedBy(error, constraint))?.[1] ?? null;

/**
 * Retries one statement or transaction while the database is unavailable, with a growing pause.
 * Only for work that may run twice: a compare-and-set that was committed although the connection
 * broke changes nothing the second time (F07, F29).
 */
export async function retryWhileUnavailable<T>(
  patienceMs: number,
  sleep: (delayMs: number) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  let waitedMs = 0;
  for (let delayMs = 50; ; delayMs = Math.min(delayMs * 2, 2_000)) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || waitedMs >= patienceMs) throw error;
      await sleep(delayMs);
      waitedMs += delayMs;
    }
  }
}

/** Runs the work as part of the transaction in progress, or in a transaction of its own. */
export const inTransaction = <T>(
  database: Database,
  work: (transaction: Database) => Promise<T>,
): Promise<T> => (database.isTransaction ? work(database) : database.transaction().execute(work));
