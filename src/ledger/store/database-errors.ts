/**
 * SQLSTATE classes and codes after which the same transaction may be retried, because it had no
 * result.
 */
const TRANSIENT_SQLSTATE = /^(08|25006|40001|40P01|53|55P03|57P0|58)/;
const TRANSIENT_SOCKET_ERROR =
  /ENOPRIMARY|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EMFILE|ENFILE|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/**
 * Returns true if the database did not refuse the statement but was unavailable (restart, failover,
 * deadlock, full pool). During a switchover a server is read-only, or none accepts writes.
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
