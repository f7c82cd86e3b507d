import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { AT_GATEWAY, inMs } from "#ledger/store/tables.ts";
import {
  type SendResult,
  SEND_RESULTS_KEPT_MS,
  SEND_RESULTS_KEPT,
} from "#payout/lane/lane-health.ts";

/**
 * Maximum number of successful results buffered before they are written. A healthy lane costs one
 * small write per 50 answers.
 */
const WAITING_MAX = 50;

/**
 * Buffers send results of one process before they are written to the ledger. Any result other than
 * success is written immediately, together with the buffered ones.
 */
export class SendResultBuffer {
  readonly #write: (lane: string, marks: string) => Promise<string | null>;
  readonly #waiting = new Map<string, string>();

  constructor(write: (lane: string, marks: string) => Promise<string | null>) {
    this.#write = write;
  }

  /**
   * Returns the latest results of the lane over all processes, or null if they were only buffered
   * or the lane is stopped.
   */
  async add(lane: string, mark: SendResult): Promise<string | null> {
    const marks = (this.#waiting.get(lane) ?? "") + mark;
    const waits = mark === "." && marks.length < WAITING_MAX;
    this.#waiting.set(lane, waits ? marks : "");
    return waits ? null : this.#write(lane, marks);
  }
}

/**
 * Appends send results to the recent history of a lane and returns that history. Returns null for a
 * stopped lane: late results must not count against it when it reopens.
 */
export async function appendSendResults(
  database: Database,
  lane: string,
  marks: string,
): Promise<string | null> {
  const forgotten = sql`h.updated_at < now() - ${inMs(SEND_RESULTS_KEPT_MS)}`;
  const { rows } = await sql<{ outcomes: string }>`
    insert into lane_health as h (lane, outcomes)
    select ${lane}, right(${marks}::text, ${SEND_RESULTS_KEPT}::int)
    where not exists (select from lanes where lane = ${lane} and reason is not null)
    on conflict (lane) do update set updated_at = now(), outcomes =
      right(case when ${forgotten} then '' else h.outcomes end || excluded.outcomes, ${SEND_RESULTS_KEPT}::int)
    returning outcomes`.execute(database);
  return rows[0]?.outcomes ?? null;
}

/**
 * Counts an answer that payrun does not know. Returns how often the lane has had it, or null if a
 * person has reviewed it.
 */
export async function recordUnknownAnswer(
  database: Database,
  lane: string,
  answer: string,
): Promise<number | null> {
  const { rows } = await sql<{ times: number; looked: boolean }>`
    insert into unknown_answers as u (lane, answer, times) values (${lane}, ${answer}, 1)
    on conflict (lane, answer) do update set times = u.times + 1
    returning times, acknowledged_at is not null as looked`.execute(database);
  const [row] = rows;
  return !row || row.looked ? null : row.times;
}

/** Minimum interval between two writes, in milliseconds. The values are compared with minutes. */
const FINAL_STATE_EVERY_MS = 10_000;

/**
 * Limits how often one process records that payouts have reached a final state. A healthy lane
 * costs a small write now and then.
 */
export class FinalStateRecorder {
  readonly #write: (lane: string) => Promise<void>;
  readonly #nowMs: () => number;
  readonly #recordedAtMs = new Map<string, number>();

  constructor(nowMs: () => number, write: (lane: string) => Promise<void>) {
    this.#nowMs = nowMs;
    this.#write = write;
  }

  async record(lane: string): Promise<void> {
    const nowMs = this.#nowMs();
    if (Math.abs(nowMs - (this.#recordedAtMs.get(lane) ?? 0)) < FINAL_STATE_EVERY_MS) return;
    this.#recordedAtMs.set(lane, nowMs);
    await this.#write(lane);
  }
}

/**
 * Records that a payout of the lane has reached its final state now. The time limit for the next
 * one starts again.
 */
export async function storeFinalStateTime(database: Database, lane: string): Promise<void> {
  await sql`insert into lane_completions (lane) values (${lane})
    on conflict (lane) do update set completed_at = now()`.execute(database);
}

export interface WithoutFinalState {
  readonly lane: string;
  readonly minutes: number;
  /** Maximum that is counted. */
  readonly countMax: number;
}

/**
 * Counts accepted payouts of the lane that were sent more than this long ago, over all batches.
 * Returns 0 if a payout has reached its final state since.
 */
export async function countWithoutFinalState(
  database: Database,
  { lane, minutes, countMax }: WithoutFinalState,
): Promise<number> {
  const since = sql`now() - ${minutes}::double precision * interval '1 minute'`;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select from payouts
      where not exists (select from lane_completions where lane = ${lane} and completed_at > ${since})
        -- Nothing of a batch was sent before its approval: one that is younger need not be read.
        and batch_id in (select id from batches where state in ('approved', 'paused') and approved_at < ${since})
        and lane = ${lane} and ${AT_GATEWAY} and state = 'accepted' and first_sent_at < ${since}
      limit ${countMax}) u`.execute(database);
  return rows[0]?.count ?? 0;
}
