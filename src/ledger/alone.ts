import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";

/** The session that holds the locks of this process, between the first and the last of them. */
interface Holder {
  readonly opened: Promise<Opened>;
  /** How many have or want a lock of it. */
  users: number;
  /** The session was ended, so that it lets go of its locks: nobody takes another one there. */
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
 * Runs `work` alone among all processes on this ledger; null when another process is at it, or this one. All locks of a
 * process share one connection: with one each, a small pool would hold nothing but locks, and their work would wait for
 * a connection. The locks end with the session.
 */
export async function alone<T>(
  database: Database,
  lock: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const locks = locksOf.get(database) ?? { held: new Set<string>(), holder: null };
  locksOf.set(database, locks);
  // A session may take its own lock twice.
  if (locks.held.has(lock)) return null;
  locks.held.add(lock);
  const holder = (locks.holder ??= { opened: open(database), users: 0, isEnded: false });
  holder.users += 1;
  try {
    const { session } = await holder.opened;
    if (!(await take(lock, session, holder))) return null;
    try {
      return await work();
    } finally {
      await letGo(lock, session, holder);
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

async function take(lock: string, session: Database, holder: Holder): Promise<boolean> {
  try {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_lock(hashtext(${`payrun ${lock}`})) as mine`.execute(session);
    return rows[0]?.mine === true;
  } catch (error) {
    // Whether it was taken is not known.
    await endSession(session, holder);
    throw error;
  }
}

async function letGo(lock: string, session: Database, holder: Holder): Promise<void> {
  const unlock = sql`select pg_advisory_unlock(hashtext(${`payrun ${lock}`}))`;
  await unlock.execute(session).catch(() => endSession(session, holder));
}

/** The pool keeps a session for as long as the process runs: one that cannot let go is ended. */
async function endSession(session: Database, holder: Holder): Promise<void> {
  holder.isEnded = true;
  const end = sql.raw("rollback; select pg_terminate_backend(pg_backend_pid())");
  await end.execute(session).catch(() => {});
}
