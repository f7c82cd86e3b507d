import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";
import { type DayMoney, findDayMoney, type LaneDay } from "#ledger/reconciliation/day-figures.ts";
import type { Reopening } from "#reconciliation/day-close.ts";
import type { ExactAmount } from "#reconciliation/records.ts";

/** The balance with which the first day of a lane opens. */
export interface OpeningBalance {
  readonly lane: string;
  /** The first day that is closed: "2026-11-26". */
  readonly day: string;
  /** Time zone of all business days of the lane. */
  readonly zone: string;
  readonly amount: ExactAmount;
  /** Null: a person entered the balance. */
  readonly statementId: string | null;
  readonly reason: string;
  readonly actor: string;
}

interface OpeningRow extends Omit<OpeningBalance, "amount"> {
  readonly minor: string;
  readonly digits: number;
}

/** Returns the opening balances of all lanes, or of one. */
export async function findOpeningBalances(
  database: Database,
  lane: string | null = null,
): Promise<OpeningBalance[]> {
  const { rows } = await sql<OpeningRow>`
    select lane, day::text as day, zone, amount_minor::text as minor, minor_digits as digits,
      statement_id as "statementId", reason, actor
    from opening_balances where ${lane}::text is null or lane = ${lane}::text order by lane`.execute(
    database,
  );
  return rows.map(({ minor, digits, ...row }) => ({
    ...row,
    amount: { minor: BigInt(minor), minorDigits: digits },
  }));
}

/** Stores the opening balance of a lane. Returns false if the lane has one. */
export async function insertOpeningBalance(
  transaction: Database,
  { lane, day, zone, amount, statementId, reason, actor }: OpeningBalance,
): Promise<boolean> {
  const { rows } = await sql`
    insert into opening_balances (lane, day, zone, amount_minor, minor_digits, statement_id, reason, actor)
    values (${lane}, ${day}::date, ${zone}, ${`${amount.minor}`}::numeric, ${amount.minorDigits}, ${statementId},
      ${reason}, ${actor})
    on conflict (lane) do nothing returning lane`.execute(transaction);
  return rows.length === 1;
}

/** A closed version of a day. */
export interface DayClose extends LaneDay {
  readonly version: number;
  readonly closing: ExactAmount;
  /** Null: the balance was not observed. */
  readonly observed: ExactAmount | null;
  /** Canonical JSON. */
  readonly document: string;
  /** SHA-256 of the document in hex. */
  readonly digest: string;
  readonly actor: string;
  readonly at: Date;
  /** Why the version no longer counts. Null: it counts. */
  readonly reopening: Reopening | null;
}

interface CloseRow extends LaneDay {
  readonly version: number;
  readonly closing: string;
  readonly observed: string | null;
  readonly digits: number;
  readonly document: string;
  readonly digest: string;
  readonly actor: string;
  readonly at: Date;
  readonly cause: Reopening["cause"] | null;
  readonly object: string | null;
  readonly reopenedBy: string | null;
  readonly reopenedAt: Date | null;
}

const SELECTED = sql`
    select c.lane, c.day::text as day, c.starts_at as "startsAt", c.ends_at as "endsAt", c.version,
      c.closing_minor::text as closing, c.observed_minor::text as observed, c.minor_digits as digits,
      c.document, c.digest, c.actor, c.at, r.cause, r.object, r.actor as "reopenedBy", r.at as "reopenedAt"
    from day_closes c left join lateral (
      select * from day_reopenings where close_id = c.id order by id limit 1) r on true`;

function closeOf(row: CloseRow): DayClose {
  const { closing, observed, digits, cause, object, reopenedBy, reopenedAt, ...close } = row;
  const amount = (minor: string): ExactAmount => ({ minor: BigInt(minor), minorDigits: digits });
  const reopening =
    cause === null || object === null || reopenedBy === null || reopenedAt === null
      ? null
      : { cause, object, actor: reopenedBy, at: reopenedAt.toISOString() };
  return {
    ...close,
    closing: amount(closing),
    observed: observed === null ? null : amount(observed),
    reopening,
  };
}

/** Returns the closed versions of a day, newest first. */
export async function findDayCloses(
  database: Database,
  lane: string,
  day: string,
): Promise<DayClose[]> {
  const { rows } = await sql<CloseRow>`
    ${SELECTED} where c.lane = ${lane} and c.day = ${day}::date order by c.version desc`.execute(
    database,
  );
  return rows.map(closeOf);
}

/** The newest version of a closed day, with its unresolved breaks. */
export interface ClosedDay extends Omit<DayClose, "document"> {
  readonly unresolvedBreaks: number;
  /** Number of breaks that were unresolved at the close. */
  readonly breaksAtClose: number;
}

/** Returns the closed days of a period, both included, each with its newest version. */
export async function findClosedDays(
  database: Database,
  {
    from,
    to,
    lane = null,
  }: { readonly from: string; readonly to: string; readonly lane?: string | null },
): Promise<ClosedDay[]> {
  const { rows } = await sql<CloseRow & Pick<ClosedDay, "unresolvedBreaks" | "breaksAtClose">>`
    select n.*, b.count as "unresolvedBreaks", json_array_length(n.document::json -> 'open_breaks') as "breaksAtClose"
    from (select distinct on (lane, day) * from (${SELECTED}
      where c.day >= ${from}::date and c.day <= ${to}::date and (${lane}::text is null or c.lane = ${lane}::text)) every
      order by lane, day, version desc) n
    cross join lateral (
      select count(*)::integer as count from breaks
      where lane = n.lane and day = n.day::date and state in ('open', 'proposed')) b
    order by n.lane, n.day`.execute(database);
  return rows.map(({ unresolvedBreaks, breaksAtClose, ...row }) => {
    const { document: _, ...close } = closeOf(row);
    return { ...close, unresolvedBreaks, breaksAtClose };
  });
}

/**
 * Returns the first day of a lane that is not closed: the first reopened day, or the day after the
 * last closed one. Null: the lane has no opening balance.
 */
export async function findNextDay(database: Database, lane: string): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    select coalesce(
      (select min(c.day) from day_closes c
        where c.lane = ${lane} and exists (select from day_reopenings r where r.close_id = c.id)
          and not exists (select from day_closes n where n.lane = c.lane and n.day = c.day and n.version > c.version)),
      (select max(day) + 1 from day_closes where lane = ${lane}),
      (select day from opening_balances where lane = ${lane}))::text as day`.execute(database);
  return rows[0]?.day ?? null;
}

/** Stores a closed version of a day. */
export async function insertDayClose(
  transaction: Database,
  close: Omit<DayClose, "at" | "reopening">,
): Promise<void> {
  const { lane, day, version, startsAt, endsAt, closing, observed, document, digest } = close;
  await sql`
    insert into day_closes
      (lane, day, version, starts_at, ends_at, closing_minor, observed_minor, minor_digits, document, digest, actor)
    values (${lane}, ${day}::date, ${version}, ${startsAt}, ${endsAt}, ${`${closing.minor}`}::numeric,
      ${observed === null ? null : `${observed.minor}`}::numeric, ${closing.minorDigits}, ${document}, ${digest},
      ${close.actor})`.execute(transaction);
}

/** Reopens a day because the closing balance of the day before has changed. */
export async function reopenDay(
  transaction: Database,
  { lane, day, actor }: { readonly lane: string; readonly day: string; readonly actor: string },
): Promise<void> {
  await sql`
    insert into day_reopenings (close_id, cause, object, actor)
    select c.id, 'opening_balance', '', ${actor}
    from (select id from day_closes where lane = ${lane} and day = ${day}::date order by version desc limit 1) c
    where not exists (select from day_reopenings r where r.close_id = c.id)`.execute(transaction);
}

/**
 * Locks the days of a lane until the end of the transaction, and returns the time of the database.
 * The results of all lanes wait meanwhile, so it must end soon. Null: a statement of the lane is
 * being stored or compared.
 */
export async function lockDays(transaction: Database, lane: string): Promise<Date | null> {
  await sql`set local lock_timeout = '2s'`.execute(transaction);
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${`payrun statements ${lane}`})) as free`.execute(
    transaction,
  );
  if (!rows[0]?.free) return null;
  await sql`select pg_advisory_xact_lock(hashtext(${`payrun close ${lane}`}))`.execute(transaction);
  const locked = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(transaction);
  return locked.rows[0]?.at ?? null;
}

/**
 * Notes that a close computes the figures of a day, under the lock of the lane. Returns the number
 * of the note.
 */
export async function insertClosingDay(
  transaction: Database,
  { lane, day, startsAt, endsAt }: LaneDay,
): Promise<number> {
  await deleteClosingDays(transaction, lane);
  const { rows } = await sql<{ id: number }>`
    insert into closing_days (lane, day, starts_at, ends_at)
    values (${lane}, ${day}::date, ${startsAt}, ${endsAt}) returning id`.execute(transaction);
  const [row] = rows;
  if (!row) throw new Error("the closing day was not inserted");
  return row.id;
}

/**
 * Ends a note, under the lock of the lane. Returns false if the day has changed since, or another
 * close of the lane has begun.
 */
export async function endClosingDay(
  transaction: Database,
  { lane, id }: { readonly lane: string; readonly id: number },
): Promise<boolean> {
  const ids = await deleteClosingDays(transaction, lane);
  return ids.length === 1 && ids[0] === id;
}

async function deleteClosingDays(transaction: Database, lane: string): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    delete from closing_days where lane = ${lane} returning id`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Adds up the movements of a day of any size. */
export async function findMoneyToClose(transaction: Database, day: LaneDay): Promise<DayMoney> {
  await sql`set local statement_timeout = '5min'`.execute(transaction);
  return findDayMoney(transaction, day);
}

/** Returns whether a statement of a day has not been compared, or waits for an approver. */
export async function hasUnfinishedStatement(
  database: Database,
  lane: string,
  day: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from statements
    where lane = ${lane} and day = ${day}::date
      and (state = 'proposed' or state = 'current' and compared_at is null) limit 1`.execute(
    database,
  );
  return rows.length > 0;
}

/** Returns the number and version of each unresolved break of a day. */
export async function findOpenBreaks(
  database: Database,
  lane: string,
  day: string,
): Promise<[id: number, version: number][]> {
  const { rows } = await sql<{ id: number; version: number }>`
    select id, version from breaks
    where lane = ${lane} and day = ${day}::date and state in ('open', 'proposed') order by id`.execute(
    database,
  );
  return rows.map(({ id, version }) => [id, version]);
}
