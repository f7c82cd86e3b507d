import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Tables } from "#ledger/tables.ts";
import { openPool } from "#postgres-pool.ts";

export type Database = Kysely<Tables>;

/** All of payrun's tables live here, so that a database may be shared with others. */
export const SCHEMA = "payrun";

// Ids and counts stay far below 2^53; amounts are numeric and stay text until they become bigint.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** A claim must be on disk before its bytes leave, whatever the role's or the server's default is. */
const DURABLE = " -c synchronous_commit=on";
/** Statements here are short: to compile one to machine code takes longer than to run it. */
const UNCOMPILED = " -c jit=off";
/** Whatever an administrator has set for the role or the database: dates are read in this form, and a move waits for its row. */
const AS_EXPECTED =
  " -c datestyle=ISO -c timezone=UTC -c default_transaction_isolation=read\\ committed";
/** The locks of a host that has vanished are let go in half a minute, not in two hours. */
const ALIVE = " -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

/**
 * One plan for all values, by the indexes and row by row: the table that is small when it is made does not stay so, and of
 * a limit that is not known yet PostgreSQL believes that it is a tenth of the table.
 */
const PLANNED_ONCE =
  " -c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off";

/**
 * Connects to PostgreSQL 13 or newer. Nothing is sent before the first query.
 *
 * @param size connections at most. Claims and outcomes share commits, so few are needed.
 */
export const openDatabase = (url: string, size = 6): Database =>
  new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(url, "ledger", size) }) });

/**
 * The same for the few statements that run for every payout: each connection parses and plans a text once (measured: more
 * than half of what they cost PostgreSQL; docs/decisions/0089). A text must hold no values, for it is never forgotten,
 * and its columns must be named: a migration under way may add one.
 */
export const openPrepared = (
  url: string,
  size: number,
  purpose: "sending" | "asking" = "sending",
): Database => {
  const pool = preparing(poolOf(url, purpose, size, PLANNED_ONCE));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
};

/** Gives each statement that has parameters a name of its own, under which the server keeps it. */
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
      // Of its two forms the one for cursors is not used here.
      return {
        query: query as unknown as PostgresPoolClient["query"],
        release: () => client.release(),
      };
    },
    end: () => pool.end(),
  };
}

// A forgotten transaction may not hold up the sweep (F31), nor a lock a payout (F29).
const poolOf = (
  url: string,
  purpose: "ledger" | "sending" | "asking",
  size: number,
  settings = "",
): pg.Pool =>
  openPool(url, {
    purpose,
    size,
    options: `-c search_path=${SCHEMA} -c statement_timeout=60s -c lock_timeout=10s -c idle_in_transaction_session_timeout=120s${DURABLE}${UNCOMPILED}${AS_EXPECTED}${ALIVE}${settings}`,
  });

/** SQLSTATE classes and codes after which the same transaction may be tried again: nothing was decided. */
const PASSING = /^(08|40001|40P01|53|55P03|57P0|58)/;
const PASSING_SOCKET =
  /ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EMFILE|ENFILE|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** True when the database did not refuse the statement but could not be asked (restart, failover, deadlock, full pool). */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return PASSING.test(code) || PASSING_SOCKET.test(`${code} ${error.message}`);
}

export const isUniqueViolation = (error: unknown, index: string): boolean =>
  error instanceof Error && "code" in error && error.code === "23505" && isRefusedBy(error, index);

/** True where a constraint of this name, or a trigger in its name, refused the statement. */
const isRefusedBy = (error: unknown, constraint: string): boolean =>
  error instanceof Error && "constraint" in error && error.constraint === constraint;

/** The word for the constraint that refused the statement; null: none of these did. */
export const refusalIn = <Word extends string>(
  error: unknown,
  words: Readonly<Record<string, Word>>,
): Word | null =>
  Object.entries(words).find(([constraint]) => isRefusedBy(error, constraint))?.[1] ?? null;

/**
 * Runs one statement or transaction again while the database is away, with a growing pause. Only for work that
 * may run twice: a compare-and-set that was committed although the connection broke then moves nothing (F07, F29).
 */
export async function withPatience<T>(
  patienceMs: number,
  sleep: (delayMs: number) => Promise<void>,
  work: () => Promise<T>,
): Promise<T> {
  let waitedMs = 0;
  for (let delayMs = 50; ; delayMs = Math.min(delayMs * 2, 2_000)) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || waitedMs >= patienceMs) throw error;
      await sleep(delayMs);
      waitedMs += delayMs;
    }
  }
}

/** Inside a transaction that is under way as part of it, otherwise in one of its own. */
export const inTransaction = <T>(
  database: Database,
  work: (transaction: Database) => Promise<T>,
): Promise<T> => (database.isTransaction ? work(database) : database.transaction().execute(work));
