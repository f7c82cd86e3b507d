/** Explanation of a database failure, shown before the database's own message, and the remedy. */
export interface Outage {
  readonly says: string;
  readonly advice: string;
}

/** The server runs but cannot serve the request now, or not for this role, by SQLSTATE. */
const OUT_OF_ORDER: Readonly<Record<string, Outage>> = {
  "53300": {
    says: "The database has reached its connection limit",
    advice: "raise max_connections, or close connections that are not needed",
  },
  "53100": {
    says: "The database disk is full",
    advice: "free disk space; payrun cannot save anything until then",
  },
  "55P03": {
    says: "Another session holds a lock in the database",
    advice:
      "find that session (select pid, pg_blocking_pids(pid), query from pg_stat_activity) and end it",
  },
  "57014": {
    says: "A database statement took too long",
    advice: "look in pg_stat_activity for the cause: a lock, other load or a slow disk",
  },
  "25006": {
    says: "The database is read-only",
    advice:
      "set DATABASE_URL to the primary, or turn off default_transaction_read_only; reading still works",
  },
  "42501": {
    says: "The database role lacks a right that payrun needs",
    advice:
      "run payrun migrate with DATABASE_OWNER_URL, which grants the rights to the role of DATABASE_URL (docs/operate/production.md#database-roles); with a single role, allow it to create the schemas payrun and payrun_queue (grant create on database NAME to USER)",
  },
  "08P01": {
    says: "The database rejected the protocol of the connection",
    advice:
      "set DATABASE_URL to PostgreSQL itself, not to a pooler, which loses session settings, locks and prepared statements",
  },
  EPOOLER: {
    says: "The database is behind a pooler that shares sessions",
    advice:
      "set pool_mode = session for this database in PgBouncer, or set DATABASE_URL to PostgreSQL itself: in transaction mode, locks, notifications, prepared statements and session settings are lost",
  },
  "22P05": {
    says: "The database encoding cannot store these characters",
    advice: "move the ledger to a database with the encoding UTF8",
  },
  "3D000": {
    says: "The database cannot be reached",
    advice:
      "create the database (create database NAME encoding 'UTF8' template template0), or correct its name in DATABASE_URL",
  },
};

/**
 * The server is unreachable, refuses the login, or shuts down during the request (57P01 to 57P03).
 */
const NO_DATABASE =
  /^(ECONNREFUSED|ENOPRIMARY|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH|28P01|28000|57P0[123])$/;
const NO_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

const UNREACHABLE: Outage = {
  says: "The database cannot be reached",
  advice: "check DATABASE_URL or, without it, the free disk space of PAYRUN_DATA (payrun doctor)",
};

/** A server that is starting or has no free connection: SQLSTATE, or the code of the socket. */
const NOT_READY =
  /^(53300|57P03|ENOPRIMARY|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Returns why the database cannot be opened yet, for a process that waits until it can. Null:
 * waiting does not help.
 */
export function whyNotReady(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const outage = outageOf(error);
  const isNotReady = NOT_READY.test(codeOf(error)) || NO_CONNECTION.test(error.message);
  return outage && isNotReady ? `${outage.says}: ${error.message || codeOf(error)}` : null;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** Returns undefined if the database is unreachable, or for other errors. */
export const refusalIn = (error: unknown): Outage | undefined => OUT_OF_ORDER[codeOf(error)];

/** Returns undefined for other errors. */
export function outageOf(error: Error): Outage | undefined {
  const isAway = NO_DATABASE.test(codeOf(error)) || NO_CONNECTION.test(error.message);
  return refusalIn(error) ?? (isAway ? UNREACHABLE : undefined);
}
