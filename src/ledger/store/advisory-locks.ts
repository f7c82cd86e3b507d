import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/**
 * The session that holds all advisory locks of this process. It is opened for the first lock and
 * released after the last one.
 */
interface Holder {
  readonly opened: Promise<Opened>;
  /** Number of callers that hold a lock of this session or wait for one. */
  users: number;
  /**
   * True after the session was terminated to release its locks. It is not used for further locks.
   */
  isEnded: boolean;
}

interface Opened {
  readonly session: Database;
  /** Gives the connection back to the pool. */
  readonly end: () => void;
}

interface Locks {
  readonly held: Set<string>;
  holder: Holder | null;
}

const locksOf = new WeakMap<Database, Locks>();

/**
 * Runs `work` while this process holds an advisory lock of the ledger. Returns null without running
 * it if another process, or another call in this process, holds the lock. All locks of a process
 * share one connection. With one connection per lock, a small pool would be full of locks, and
 * their work would wait for a connection. The locks end with the session.
 */
export async function withLock<T>(
  database: Database,
  lock: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const locks = locksOf.get(database) ?? { held: new Set<string>(), holder: null };
  locksOf.set(database, locks);
  // PostgreSQL lets a session take its own lock a second time, so locks of this process are checked
  // here.
  if (locks.held.has(lock)) return null;
  locks.held.add(lock);
  const holder = (locks.holder ??= { opened: open(database), users: 0, isEnded: false });
  holder.users += 1;
  try {
    const { session } = await holder.opened;
    if (!(await tryLock(lock, session, holder))) return null;
    try {
      return await work();
    } finally {
      await releaseLock(lock, session, holder);
    }
  } finally {
    locks.held.delete(lock);
    holder.users -= 1;
    if (locks.holder === holder && (holder.users === 0 || holder.isEnded)) locks.holder = null;
    if (holder.users === 0) {
      await holder.opened.then(
        ({ end }) => end(),
        () => {},
      );
    }
  }
}

const open = (database: Database): Promise<Opened> =>
  new Promise((resolve, reject) => {
    const hold = (session: Database) => new Promise<void>((end) => resolve({ session, end }));
    database.connection().execute(hold).catch(reject);
  });

async function tryLock(lock: string, session: Database, holder: Holder): Promise<boolean> {
  try {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_lock(hashtext(${`payrun ${lock}`})) as mine`.execute(session);
    return rows[0]?.mine === true;
  } catch (error) {
    // It is unknown whether the lock was taken.
    await endSession(session, holder);
    throw error;
  }
}

async function releaseLock(lock: string, session: Database, holder: Holder): Promise<void> {
  const unlock = sql`select pg_advisory_unlock(hashtext(${`payrun ${lock}`}))`;
  await unlock.execute(session).catch(() => endSession(session, holder));
}

/**
 * Terminates a session that cannot release its lock. The pool would keep the session, and the lock,
 * until the process ends.
 */
async function endSession(session: Database, holder: Holder): Promise<void> {
  holder.isEnded = true;
  const end = sql.raw("rollback; select pg_terminate_backend(pg_backend_pid())");
  await end.execute(session).catch(() => {});
}
