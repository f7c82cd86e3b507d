import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Why the payouts of a batch stay in the ledger, as archive_obstacle returns it. */
// biome-ignore format: one line for each reason
export const OBSTACLES = {
  not_finished:   "it is not finished",
  open_payouts:   "a payout is not in its final state, or is on hold",
  recent:         "a payout has changed since the end of the period",
  open_query:     "a status query about a payout is due",
  open_day:       "a business day of its payouts is not closed",
  open_break:     "a reconciliation break of a payout is open",
  open_proposal:  "a proposal about a payout awaits its decision",
  unread_mention: "a person who is mentioned in a comment has not read it",
  open_retry:     "its retry batch is not finished",
  open_event:     "an event about it is not published yet",
} as const;
export type Obstacle = keyof typeof OBSTACLES;

/** Batches that stay in the ledger, for one reason. */
export interface LeftBatches {
  readonly obstacle: Obstacle;
  readonly batches: number;
  /** ID of one such batch. */
  readonly example: string;
}

export interface Candidates {
  /** IDs of the batches that can be archived, in the order of their payouts. */
  readonly ready: readonly string[];
  readonly left: readonly LeftBatches[];
}

/** Returns the batches created before this time that still have payouts outside an archive. */
export async function findCandidates(database: Database, until: Date): Promise<Candidates> {
  return database.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    const { rows } = await sql<{ id: string; obstacle: Obstacle | null }>`
      select b.id, archive_obstacle(b.id, ${until}) as obstacle
      from batches b
      where b.created_at < ${until}
        and (select coalesce(sum(payouts), 0) from payout_counts where batch_id = b.id)
          > (select coalesce(sum(payouts), 0) from archive_parts where batch_id = b.id and changed_at is null)
      order by b.first_id, b.id`.execute(transaction);
    const left = Map.groupBy(
      rows.filter(({ obstacle }) => obstacle !== null),
      ({ obstacle }) => obstacle as Obstacle,
    );
    return {
      ready: rows.filter(({ obstacle }) => obstacle === null).map(({ id }) => id),
      left: [...left].map(([obstacle, batches]) => ({
        obstacle,
        batches: batches.length,
        example: batches[0]?.id ?? "",
      })),
    };
  });
}

/** Lines of the payouts of one part. */
export interface PartLines {
  readonly firstId: number;
  readonly lastId: number;
  readonly lines: readonly string[];
}

/** Maximum number of payouts in one part. */
const PAYOUTS_MAX = 1_000;

/** Yields the payouts of a batch that no archive contains, in parts, each read at one moment. */
export async function* partsOfBatch(
  database: Database,
  batchId: string,
): AsyncGenerator<PartLines> {
  const gaps = await sql<{ first: number; last: number }>`
    select edge + 1 as first, coalesce(lead(start) over (order by edge), last_id + 1) - 1 as last
    from (
      select first_id - 1 as edge, null::bigint as start, last_id from batches where id = ${batchId}
      union all
      select p.last_id, p.first_id, b.last_id from archive_parts p join batches b on b.id = p.batch_id
      where p.batch_id = ${batchId} and p.changed_at is null) e
    order by 1`.execute(database);
  for (const { first, last } of gaps.rows) {
    for (let from = first; from <= last; ) {
      const { rows } = await sql<{ first: number | null; last: number }>`
        select min(id) as first, max(id) as last from (
          select id from payouts where batch_id = ${batchId} and id between ${from} and ${last}
          order by id limit ${PAYOUTS_MAX}) p`.execute(database);
      const [range] = rows;
      if (!range?.first) break;
      const found = await sql<{ line: string }>`
        select line from archive_lines(${batchId}, ${range.first}, ${range.last}) order by payout_id`.execute(
        database,
      );
      const lines = found.rows.map(({ line }) => line);
      yield { firstId: range.first, lastId: range.last, lines };
      from = range.last + 1;
    }
  }
}

/** Returns a batch with its approvals and totals as one line of JSON. */
export async function batchLine(database: Database, batchId: string): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select jsonb_build_object('batch', to_jsonb(b),
      'lanes', (select jsonb_agg(to_jsonb(l) || jsonb_build_object('total_minor', l.total_minor::text)) from batch_lanes l where l.batch_id = b.id),
      'approvals', (select jsonb_agg(to_jsonb(a)) from approvals a where a.batch_id = b.id),
      'sole_approvals', (select jsonb_agg(to_jsonb(a)) from sole_approvals a where a.batch_id = b.id))::text as line
    from batches b where b.id = ${batchId}`.execute(database);
  const line = rows[0]?.line;
  if (line === undefined) throw new Error(`there is no batch ${batchId}`);
  return line;
}
