import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import type { BreakClass } from "#reconciliation/break-classes.ts";
import { CLOSING_BALANCE, type ReopeningCause } from "#reconciliation/day-close.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** An event of the ledger, without data about a beneficiary. */
export interface FeedEvent {
  /** Consecutive number of the event. */
  readonly number: number;
  /** Distinguishes the event from one with the same number in the lost history of a restore. */
  readonly tag: string;
  readonly type: string;
  readonly at: Date;
  /** Null: the event is about a break or a business day. */
  readonly batchId: string | null;
  readonly payout: EventPayout | null;
  /** The batch, if the event is about it as a whole. */
  readonly batch: EventBatch | null;
  readonly break: EventBreak | null;
  readonly day: EventDay | null;
}

interface EventPayout {
  readonly code: string;
  readonly line: number;
  /** The state in which the event left it. */
  readonly state: PayoutState;
  /** As stored, with the gateway's text. */
  readonly reason: string | null;
  readonly currency: string;
  readonly minor: string;
  readonly minorDigits: number;
  readonly gatewayNumber: string | null;
}

interface EventBatch {
  readonly payouts: number;
  /** By currency, as decimals. */
  readonly totals: Readonly<Record<string, string>>;
}

interface EventBreak {
  readonly id: number;
  readonly class: BreakClass;
  readonly lane: string;
  readonly day: string;
  /** Null: the break is about the balance. */
  readonly code: string | null;
}

/** A version of a business day that was closed or reopened. */
interface EventDay {
  readonly lane: string;
  readonly day: string;
  readonly version: number;
  /** Decimal text: the computed balance. */
  readonly closing: string;
  /** Null: the balance was not observed. */
  readonly observed: string | null;
  /** SHA-256 of the document with the figures, as on the audit log. */
  readonly digest: string;
  /** Why it was reopened. Null: it was closed. */
  readonly cause: ReopeningCause | null;
  /** The cause of the reopening, such as a transaction code. */
  readonly causeObject: string | null;
}

export interface EventsWanted {
  /** Number of the last event that the consumer knows; 0 for none. */
  readonly after: number;
  readonly types?: readonly string[] | undefined;
  readonly batchId?: string | undefined;
  readonly limit: number;
}

export interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** The place from which to continue; null: there are no further events. */
  readonly last: { readonly number: number; readonly tag: string } | null;
  /** True if further events may exist. */
  readonly hasMore: boolean;
}

/** Events that one page searches for the wanted types, so that each page takes a short time. */
const SCANNED_MAX = 10_000;

/** A row of a page: the end of the search, and an event unless the search found none. */
type PageRow = { readonly [Name in keyof FeedEvent]: FeedEvent[Name] | null } & {
  readonly endNumber: number;
  readonly endTag: string;
  readonly scanned: number;
};

/** The totals of the batch that an event is about as a whole. */
const BATCH_TOTALS = sql`
      left join lateral (
        select jsonb_build_object(
          'payouts', sum(currency_totals.payouts),
          'totals', jsonb_object_agg(currency_totals.currency, currency_totals.total)
        ) as batch
        from (
          -- A product of numerics keeps all digits, but a quotient does not.
          select
            currency,
            sum(rows) as payouts,
            round(sum(total_minor) * 10::numeric ^ -max(minor_digits), max(minor_digits))::text as total
          from batch_lanes
          where batch_id = wanted.batch_id
          group by currency
        ) currency_totals
        having count(*) > 0
      ) batch_totals on wanted.payout_id is null`;

/** The decimal text of a balance of a closed day. */
const balanceText = (minor: string) => sql`round(
          ${sql.ref(minor)} * 10::numeric ^ -day_closes.minor_digits,
          day_closes.minor_digits
        )::text`;

/** The business day that an event is about. */
const DAY = sql`case when day_closes.id is not null then jsonb_build_object(
        'lane', day_closes.lane,
        'day', day_closes.day,
        'version', day_closes.version,
        'closing', ${balanceText("day_closes.closing_minor")},
        'observed', ${balanceText("day_closes.observed_minor")},
        'digest', day_closes.digest,
        'cause', day_reopenings.cause,
        'causeObject', nullif(day_reopenings.object, '')
      ) end`;

/** Returns the next events in the order of their numbers. */
export async function findEvents(
  database: Database,
  { after, types, batchId, limit }: EventsWanted,
): Promise<FeedPage> {
  const ofBatch = batchId === undefined ? sql`` : sql`and batch_id = ${batchId}`;
  const ofTypes = types === undefined ? sql`` : sql`where type = any (${[...types]}::text[])`;
  const scannedMax = types === undefined ? limit : Math.max(limit, SCANNED_MAX);
  const { rows } = await sql<PageRow>`
    with
    scanned as materialized (
      select * from events where number > ${after} ${ofBatch} order by number limit ${scannedMax}
    ),
    wanted as (
      select * from scanned ${ofTypes} order by number limit ${limit}
    ),
    search_end as (
      select number, tag, (select count(*) from scanned)::int as scanned
      from scanned
      order by number desc
      limit 1
    )
    select
      search_end.number as "endNumber", search_end.tag as "endTag", search_end.scanned,
      wanted.number, wanted.tag, wanted.type, wanted.at, wanted.batch_id as "batchId",
      case when payouts.id is not null then jsonb_build_object(
        'code', payout_details.transaction_code,
        'line', payouts.line,
        'state', transitions.to_state,
        'reason', transitions.reason,
        'currency', payouts.currency,
        'minor', payouts.amount_minor::text,
        'minorDigits', payouts.minor_digits,
        'gatewayNumber', payouts.gateway_number
      ) end as payout,
      batch_totals.batch,
      case when breaks.id is not null then jsonb_build_object(
        'id', breaks.id,
        'class', breaks.class,
        'lane', breaks.lane,
        'day', breaks.day,
        'code', nullif(nullif(breaks.code, ''), ${CLOSING_BALANCE})
      ) end as break,
      ${DAY} as day
    from search_end
      left join wanted on true
      left join payouts on payouts.id = wanted.payout_id
      left join payout_details on payout_details.payout_id = wanted.payout_id
      left join transitions
        on transitions.payout_id = wanted.payout_id and transitions.seq = wanted.seq
      ${BATCH_TOTALS}
      left join breaks on wanted.type = 'break_opened' and breaks.id = wanted.seq
      left join day_reopenings on wanted.type = 'day_reopened' and day_reopenings.id = wanted.seq
      left join day_closes
        on day_closes.id = case wanted.type
          when 'day_closed' then wanted.seq
          when 'day_reopened' then day_reopenings.close_id
        end
    order by wanted.number`.execute(database);
  const events = rows.flatMap((row) => (isEvent(row) ? [row] : []));
  const [first] = rows;
  if (!first) return { events, last: null, hasMore: false };
  const lastEvent = events.length === limit ? events.at(-1) : undefined;
  return {
    events,
    last: lastEvent ?? { number: first.endNumber, tag: first.endTag },
    hasMore: lastEvent !== undefined || first.scanned === scannedMax,
  };
}

const isEvent = (row: PageRow): row is PageRow & FeedEvent => row.number !== null;

/** Returns whether the ledger has this event. A restored ledger may have another one instead. */
export async function hasEvent(
  database: Database,
  { number, tag }: { readonly number: number; readonly tag: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from events where number = ${number} and tag = ${tag}`.execute(database);
  return rows.length > 0;
}
