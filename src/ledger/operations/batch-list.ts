import { type RawBuilder, sql } from "kysely";
import type { BatchSource, BatchState } from "#intake/batch/batch-lifecycle.ts";
import { UPLOADED } from "#ledger/payout/batches.ts";
import type { Database } from "#ledger/store/database.ts";
import { findActorNames } from "#ledger/people/names.ts";
import { findProgress } from "#ledger/operations/known-progress.ts";
import { likeText } from "#postgres/like.ts";
import type { Progress } from "#ledger/payout/progress.ts";
import { moneyOf } from "#ledger/store/tables.ts";
import type { Money } from "#money/money.ts";

/** A batch as lists show it. */
export interface ListedBatch {
  readonly id: string;
  readonly fileName: string;
  readonly source: BatchSource;
  readonly name: string | null;
  readonly purpose: string | null;
  readonly state: BatchState;
  readonly cancelling: boolean;
  readonly digest: string;
  readonly contentDigest: string;
  readonly rows: number;
  readonly rejected: number;
  readonly maker: { readonly actor: string; readonly name: string };
  readonly createdAt: Date;
  readonly submittedAt: Date | null;
  readonly approvedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Number and sum of the good rows per currency. */
  readonly totals: readonly { readonly payouts: number; readonly sum: Money }[];
  /** Null before it is approved. */
  readonly progress: readonly Progress[] | null;
}

/** The filters of the list of batches. */
export interface BatchFilter {
  readonly ids?: readonly string[];
  readonly states?: readonly BatchState[] | undefined;
  /**
   * `scheduled`: the batch waits for its send time. `held_back`: it is held back after its send
   * time. `released`: nothing holds it.
   */
  readonly send?: SendStatus | undefined;
  readonly text?: string | undefined;
  /** The actor as recorded, or a part of a user's name. */
  readonly maker?: string | undefined;
  readonly from?: Date | undefined;
  /** Exclusive upper bound. */
  readonly until?: Date | undefined;
}

/** A page of the list of batches. */
export interface BatchListPage extends BatchFilter {
  /** By upload time. Newest first if undefined. */
  readonly sort?: "newest" | "oldest" | undefined;
  /** The last batch of the previous page. */
  readonly after?: { readonly at: Date; readonly id: string } | undefined;
  readonly limit: number;
}

type SendStatus = "scheduled" | "held_back" | "released";

const sendTimesOfBatch = sql`select from send_times s where s.batch_id = batches.id and s.released_at is null`;
/** Whether the send time of a batch holds it back. */
export const SEND_TIME_CONDITIONS: Readonly<Record<SendStatus, RawBuilder<boolean>>> = {
  scheduled: sql<boolean>`exists (${sendTimesOfBatch} and s.held_back is null)`,
  held_back: sql<boolean>`exists (${sendTimesOfBatch} and s.held_back is not null)`,
  released: sql<boolean>`not exists (${sendTimesOfBatch})`,
};

const contains = (text: string): string => `%${likeText(text)}%`;

/** Returns the SQL conditions on a batch that a filter sets. */
export const conditionsOf = ({
  ids,
  states,
  send,
  maker,
  from,
  until,
  text,
}: BatchFilter): RawBuilder<boolean> => sql<boolean>`
  ${ids ? sql`batches.id = any(${[...ids]}::text[])` : sql`true`}
  ${states ? sql`and batches.state = any(${[...states]}::text[])` : sql``}
  ${send ? sql`and ${SEND_TIME_CONDITIONS[send]}` : sql``}
  ${
    maker
      ? sql`and (maker = ${maker} or exists (
          select from users u where 'user:' || u.id = batches.maker and u.name ilike ${contains(maker)}))`
      : sql``
  }
  ${from ? sql`and created_at >= ${from}::timestamptz` : sql``}
  ${until ? sql`and created_at < ${until}::timestamptz` : sql``}
  ${text ? sql`and concat_ws(' ', batches.id, file_name, name, purpose) ilike ${contains(text)}` : sql``}`;

const DIRECTIONS = {
  newest: { order: "desc", follows: sql`<` },
  oldest: { order: "asc", follows: sql`>` },
} as const;

/** Returns a page of the matching batches, newest first unless sorted otherwise. */
export async function findListedBatches(
  database: Database,
  { sort = "newest", after, limit, ...filter }: BatchListPage,
): Promise<ListedBatch[]> {
  const { order, follows } = DIRECTIONS[sort];
  const isAfter = after
    ? sql<boolean>`(${UPLOADED}, id) ${follows} (${after.at}::timestamptz at time zone 'UTC', ${after.id})`
    : sql<boolean>`true`;
  const rows = await database
    .selectFrom("batches")
    .selectAll()
    .where(conditionsOf(filter))
    .where(isAfter)
    .orderBy(UPLOADED, order)
    .orderBy("id", order)
    .limit(limit)
    .execute();
  if (rows.length === 0) return [];
  const batchIds = rows.map(({ id }) => id);
  const lanes = await database
    .selectFrom("batch_lanes")
    .select(["batch_id", "currency", "minor_digits"])
    .select(sql<number>`sum(rows)::int`.as("payouts"))
    .select(sql<string>`sum(total_minor)`.as("amount_minor"))
    .where("batch_id", "in", batchIds)
    .groupBy(["batch_id", "currency", "minor_digits"])
    .orderBy("currency")
    .execute();
  const sums = Map.groupBy(lanes, ({ batch_id }) => batch_id);
  const makers = rows.map(({ maker: actor }) => actor);
  const nameOf = await findActorNames(database, makers);
  const progress = await findProgress(database, rows);
  return rows.map((row) => ({
    id: row.id,
    fileName: row.file_name,
    source: row.source,
    name: row.name,
    purpose: row.purpose,
    state: row.state,
    cancelling: row.cancelling,
    digest: row.digest,
    contentDigest: row.content_digest,
    rows: row.rows,
    rejected: row.rejected,
    maker: { actor: row.maker, name: nameOf(row.maker) },
    createdAt: row.created_at,
    submittedAt: row.approval_requested_at,
    approvedAt: row.approved_at,
    finishedAt: row.finished_at,
    totals: (sums.get(row.id) ?? []).map((lane) => ({
      payouts: lane.payouts,
      sum: moneyOf(lane),
    })),
    progress: progress.get(row.id) ?? null,
  }));
}
