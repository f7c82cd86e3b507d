/** Explanation of a database failure, shown before the database's own message, and the remedy. */
export interface Outage {
  readonly says: string;
  readonly advice: string;
}

/** The server runs but cannot serve the request now, or not for this role, by SQLSTATE. */
const OUT_OF_ORDER: Readonly<Record<string, Outage>> = {
  "53300": {
    says: "The database takes no more connections",
    advice: "raise max_connections, or end what holds them",
  },
  "53100": {
    says: "The disk of the database is full",
    advice: "nothing is kept until it has room",
  },
  "55P03": {
    says: "Something else holds a lock in the database",
    advice:
      "find out who (select pid, pg_blocking_pids(pid), query from pg_stat_activity), and end that session",
  },
  "57014": {
    says: "The database takes too long",
    advice:
      "find out what holds it up (pg_stat_activity): a lock, other work, or a disk that is slow",
  },
  "25006": {
    says: "The database takes no writes",
    advice: "name the primary in DATABASE_URL, or end default_transaction_read_only; reading works",
  },
  "42501": {
    says: "The database does not let this user do it",
    advice:
      "run payrun migrate with DATABASE_OWNER_URL, which gives the role of DATABASE_URL its rights (docs/production.md#database-roles); with one role, let it create the schemas payrun and payrun_queue (grant create on database NAME to USER)",
  },
  "08P01": {
    says: "The database is not asked as it expects",
    advice:
      "name PostgreSQL itself in DATABASE_URL, not a pooler: what payrun sets for a session is lost in it, with locks and prepared statements",
  },
  "22P05": {
    says: "The database has no place for these letters",
    advice: "move the ledger to one that is encoded in UTF8",
  },
  "3D000": {
    says: "The database cannot be reached",
    advice:
      "make it (create database NAME encoding 'UTF8' template template0), or mend its name in DATABASE_URL",
  },
};

/**
 * The server is unreachable, refuses the login, or shuts down during the request (57P01 to 57P03).
 */
const NO_DATABASE =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNRESET|EHOSTUNREACH|ENETUNREACH|28P01|28000|57P0[123])$/;
const NO_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/;

const AWAY: Outage = {
  says: "The database cannot be reached",
  advice:
    "check DATABASE_URL or, without one, whether the disk of PAYRUN_DATA has room (payrun doctor)",
};

/** A server that is starting or has no free connection: SQLSTATE, or the code of the socket. */
const NOT_READY =
  /^(53300|57P03|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;

/**
 * Returns why the database cannot be opened yet, for a process that waits until it can. Null:
 * waiting does not help.
 */
export function startingOutage(error: unknown): string | null {
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
  return refusalIn(error) ?? (isAway ? AWAY : undefined);
}
