import { sql } from "kysely";
import type { Database } from "#ledger/database.ts";
import { AT_GATEWAY, inMs } from "#ledger/tables.ts";
import { type Mark, MARKS_FORGOTTEN_MS, MARKS_KEPT } from "#payout/health.ts";

/** So many good marks wait for each other: a lane that is well costs a small write now and then. */
const WAITING_MAX = 50;

/** Marks of one process on their way to the ledger. A mark that is not good goes at once, and takes the others along. */
export class MarkBuffer {
  readonly #write: (lane: string, marks: string) => Promise<string | null>;
  readonly #waiting = new Map<string, string>();

  constructor(write: (lane: string, marks: string) => Promise<string | null>) {
    this.#write = write;
  }

  /** The last marks of the lane over all processes; null: they were not looked at, or it is stopped. */
  async add(lane: string, mark: Mark): Promise<string | null> {
    const marks = (this.#waiting.get(lane) ?? "") + mark;
    const waits = mark === "." && marks.length < WAITING_MAX;
    this.#waiting.set(lane, waits ? marks : "");
    return waits ? null : this.#write(lane, marks);
  }
}

/** What comes back to a lane that is stopped already is not held against it when it opens. */
export async function addMarks(
  database: Database,
  lane: string,
  marks: string,
): Promise<string | null> {
  const forgotten = sql`h.updated_at < now() - ${inMs(MARKS_FORGOTTEN_MS)}`;
  const { rows } = await sql<{ outcomes: string }>`
    insert into lane_health as h (lane, outcomes)
    select ${lane}, right(${marks}::text, ${MARKS_KEPT}::int)
    where not exists (select from lanes where lane = ${lane} and reason is not null)
    on conflict (lane) do update set updated_at = now(), outcomes =
      right(case when ${forgotten} then '' else h.outcomes end || excluded.outcomes, ${MARKS_KEPT}::int)
    returning outcomes`.execute(database);
  return rows[0]?.outcomes ?? null;
}

/** How often the lane has had this answer by now; null: a person has looked at it. */
export async function noteUnread(
  database: Database,
  lane: string,
  answer: string,
): Promise<number | null> {
  const { rows } = await sql<{ times: number; looked: boolean }>`
    insert into unread_answers as u (lane, answer, times) values (${lane}, ${answer}, 1)
    on conflict (lane, answer) do update set times = u.times + 1
    returning times, looked_at is not null as looked`.execute(database);
  const [row] = rows;
  return !row || row.looked ? null : row.times;
}

/** Endings are told so often: what is asked of them is minutes. */
const ENDINGS_EVERY_MS = 10_000;

/** Endings that one process has seen on their way to the ledger: a lane that is well costs a small write now and then. */
export class Endings {
  readonly #write: (lane: string) => Promise<void>;
  readonly #nowMs: () => number;
  readonly #told = new Map<string, number>();

  constructor(nowMs: () => number, write: (lane: string) => Promise<void>) {
    this.#nowMs = nowMs;
    this.#write = write;
  }

  async note(lane: string): Promise<void> {
    const nowMs = this.#nowMs();
    if (Math.abs(nowMs - (this.#told.get(lane) ?? 0)) < ENDINGS_EVERY_MS) return;
    this.#told.set(lane, nowMs);
    await this.#write(lane);
  }
}

/** Keeps that a payout of the lane has ended now: the time in which the next one should end begins anew. */
export async function keepEnding(database: Database, lane: string): Promise<void> {
  await sql`insert into lane_endings (lane) values (${lane})
    on conflict (lane) do update set ended_at = now()`.execute(database);
}

export interface Unended {
  readonly lane: string;
  readonly minutes: number;
  /** More are not counted. */
  readonly countMax: number;
}

/** Accepted payouts of the lane that were sent so long ago, over all batches; none where one has ended since. */
export async function unendedIn(
  database: Database,
  { lane, minutes, countMax }: Unended,
): Promise<number> {
  const since = sql`now() - ${minutes}::double precision * interval '1 minute'`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from payouts
      where not exists (select from lane_endings where lane = ${lane} and ended_at > ${since})
        -- Nothing of a batch was sent before its approval: one that is younger need not be read.
        and batch_id in (select id from batches where state in ('approved', 'paused') and approved_at < ${since})
        and lane = ${lane} and ${AT_GATEWAY} and state = 'accepted' and first_sent_at < ${since}
      limit ${countMax}) u`.execute(database);
  return rows[0]?.count ?? 0;
}
