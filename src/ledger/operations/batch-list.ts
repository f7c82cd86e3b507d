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
  /** Its place in the order of the list. */
  readonly place: BatchPlace;
}

/** The filters of the list of batches. */
export interface BatchFilter {
  readonly ids?: readonly string[];
  /** One of these. A send status means the approved batches that have it. */
  readonly states?: readonly (BatchState | SendStatus)[] | undefined;
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
  /** Newest first if undefined. */
  readonly sort?: BatchSort | undefined;
  /** The last batch of the previous page. */
  readonly after?: BatchPlace | undefined;
  readonly limit: number;
}

/** The order of a list of batches: by upload time, number of rows, or total. */
export type BatchSort = "newest" | "oldest" | "most_rows" | "fewest_rows" | "largest" | "smallest";

/** The end of a page: the value that sorts the list, as a decimal number, and the batch. */
export interface BatchPlace {
  readonly value: string;
  readonly id: string;
}

const SEND_STATUSES = ["scheduled", "held_back", "released"] as const;
type SendStatus = (typeof SEND_STATUSES)[number];

const sendTimesOfBatch = sql`select from send_times s where s.batch_id = batches.id and s.released_at is null`;
/** Whether the send time of a batch holds it back. */
export const SEND_TIME_CONDITIONS: Readonly<Record<SendStatus, RawBuilder<boolean>>> = {
  scheduled: sql<boolean>`exists (${sendTimesOfBatch} and s.held_back is null)`,
  held_back: sql<boolean>`exists (${sendTimesOfBatch} and s.held_back is not null)`,
  released: sql<boolean>`not exists (${sendTimesOfBatch})`,
};

function isInState(states: NonNullable<BatchFilter["states"]>): RawBuilder<boolean> {
  const isNamed = sql<boolean>`batches.state = any(${[...states]}::text[])`;
  const sends = SEND_STATUSES.filter((send) => states.includes(send));
  if (sends.length === 0) return isNamed;
  const hasStatus = sql.join(
    sends.map((send) => SEND_TIME_CONDITIONS[send]),
    sql` or `,
  );
  return sql<boolean>`(${isNamed} or batches.state = 'approved' and (${hasStatus}))`;
}

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
  ${states ? sql`and ${isInState(states)}` : sql``}
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

/**
 * The total of each batch in the currency with the largest one, added up without an index (measured
 * with 20,000 batches: 80 ms). PostgreSQL omits it from queries that do not use it.
 */
const TOTAL = sql<string>`coalesce(totals.total, 0)`;

const WHOLE = /^\d{1,15}$/;
const DECIMAL = /^\d{1,30}(\.\d{1,38})?$/;

const TIME_PLACE = sql<string>`(extract(epoch from ${UPLOADED}) * 1000)::bigint::text`;
const ROWS_PLACE = sql<string>`batches.rows::text`;
const TOTAL_PLACE = sql<string>`${TOTAL}::text`;

interface Order {
  readonly order: RawBuilder<unknown>;
  /** The value of a batch in this order, and the form of its text. */
  readonly place: RawBuilder<string>;
  readonly form: RegExp;
  readonly after: (place: BatchPlace) => RawBuilder<boolean>;
}

const timeOf = ({ value }: BatchPlace): Date => new Date(Number(value));

// biome-ignore format: the columns are the point
const SORTS: Readonly<Record<BatchSort, Order>> = {
  newest:      { order: sql`${UPLOADED} desc, id desc`, place: TIME_PLACE, form: WHOLE,
                 after: (place) => sql<boolean>`(${UPLOADED}, id) < (${timeOf(place)}::timestamptz at time zone 'UTC', ${place.id})` },
  oldest:      { order: sql`${UPLOADED}, id`, place: TIME_PLACE, form: WHOLE,
                 after: (place) => sql<boolean>`(${UPLOADED}, id) > (${timeOf(place)}::timestamptz at time zone 'UTC', ${place.id})` },
  most_rows:   { order: sql`batches.rows desc, id desc`, place: ROWS_PLACE, form: WHOLE,
                 after: ({ value, id }) => sql<boolean>`(batches.rows, id) < (${value}::bigint, ${id})` },
  fewest_rows: { order: sql`batches.rows, id`, place: ROWS_PLACE, form: WHOLE,
                 after: ({ value, id }) => sql<boolean>`(batches.rows, id) > (${value}::bigint, ${id})` },
  largest:     { order: sql`${TOTAL} desc, id desc`, place: TOTAL_PLACE, form: DECIMAL,
                 after: ({ value, id }) => sql<boolean>`(${TOTAL}, id) < (${value}::numeric, ${id})` },
  smallest:    { order: sql`${TOTAL}, id`, place: TOTAL_PLACE, form: DECIMAL,
                 after: ({ value, id }) => sql<boolean>`(${TOTAL}, id) > (${value}::numeric, ${id})` },
};

/** Returns whether the value of a place is one of this order. */
export const isPlaceOf = (sort: BatchSort, value: string): boolean => SORTS[sort].form.test(value);

/** Returns a page of the matching batches, newest first unless sorted otherwise. */
export async function findListedBatches(
  database: Database,
  { sort = "newest", after, limit, ...filter }: BatchListPage,
): Promise<ListedBatch[]> {
  const { order, place, after: beyond } = SORTS[sort];
  const isAfter = after ? beyond(after) : sql<boolean>`true`;
  const rows = await database
    .selectFrom("batches")
    .leftJoin("batch_totals as totals", "totals.batch_id", "batches.id")
    .selectAll("batches")
    .select(place.as("place"))
    .where(conditionsOf(filter))
    .where(isAfter)
    .orderBy(order)
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
    place: { value: row.place, id: row.id },
  }));
}
