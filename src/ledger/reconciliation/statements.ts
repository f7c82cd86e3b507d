import { sql } from "kysely";
import type { Database } from "#ledger/store/database.ts";

/** Balances of the account at the start and the end of the day, in minor units. */
export interface StatementBalances {
  readonly opening: bigint;
  readonly closing: bigint;
  /** Money that was paid in on the day. Null: each deposit is a line of the file. */
  readonly deposits: bigint | null;
}

/**
 * `current`: it counts for its day. `proposed`: it replaces the current one if an approver confirms
 * it.
 */
export type StatementState = "proposed" | "current" | "replaced" | "refused";

/** A statement that has been loaded. */
export interface Statement {
  readonly id: string;
  readonly lane: string;
  /** "2026-11-26" */
  readonly day: string;
  /** The business day in its time zone. */
  readonly startsAt: Date;
  /** Excluded. */
  readonly endsAt: Date;
  readonly zone: string;
  readonly minorDigits: number;
  readonly mappingVersion: number;
  readonly digest: string;
  readonly fileName: string;
  readonly lines: number;
  readonly actor: string;
  readonly state: StatementState;
  /** Null: not given. */
  readonly balances: StatementBalances | null;
}

/** A stored statement. */
export interface StoredStatement extends Statement {
  readonly at: Date;
  /** Whether it has been compared with the ledger. */
  readonly isCompared: boolean;
}

interface StatementRow extends Omit<StoredStatement, "balances"> {
  readonly opening: string | null;
  readonly closing: string | null;
  readonly deposits: string | null;
}

const COLUMNS = sql`
  id, lane, day::text as day, starts_at as "startsAt", ends_at as "endsAt", zone,
  minor_digits as "minorDigits", mapping_version as "mappingVersion", digest,
  file_name as "fileName", lines, actor, at, state, compared_at is not null as "isCompared",
  opening_minor as opening, closing_minor as closing, deposits_minor as deposits`;

function statementOf({ opening, closing, deposits, ...row }: StatementRow): StoredStatement {
  if (opening === null || closing === null) return { ...row, balances: null };
  const balances = {
    opening: BigInt(opening),
    closing: BigInt(closing),
    deposits: deposits === null ? null : BigInt(deposits),
  };
  return { ...row, balances };
}

/** Returns the statement of a day in a state. Null: there is none. */
export async function findStatement(
  database: Database,
  lane: string,
  day: string,
  state: "current" | "proposed" = "current",
): Promise<StoredStatement | null> {
  const { rows } = await sql<StatementRow>`
    select ${COLUMNS} from statements
    where lane = ${lane} and day = ${day}::date and state = ${state}`.execute(database);
  return rows[0] ? statementOf(rows[0]) : null;
}

/** Returns a statement by its ID. Null: there is none. */
export async function findStatementById(
  database: Database,
  id: string,
): Promise<StoredStatement | null> {
  const { rows } = await sql<StatementRow>`
    select ${COLUMNS} from statements where id = ${id}`.execute(database);
  return rows[0] ? statementOf(rows[0]) : null;
}

/** Returns the statements that wait for the confirmation of an approver, oldest first. */
export async function findProposedStatements(database: Database): Promise<StoredStatement[]> {
  const { rows } = await sql<StatementRow>`
    select ${COLUMNS} from statements where state = 'proposed' order by at, id limit 100`.execute(
    database,
  );
  return rows.map(statementOf);
}

/** Returns whether a statement of this day has ever been compared with the ledger. */
export async function hasComparedStatement(
  database: Database,
  lane: string,
  day: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from statements
    where lane = ${lane} and day = ${day}::date and compared_at is not null limit 1`.execute(
    database,
  );
  return rows.length > 0;
}

/** Stores a statement. */
export async function insertStatement(transaction: Database, given: Statement): Promise<void> {
  const { id, lane, day, zone, minorDigits, digest, fileName, lines, balances } = given;
  await sql`
    insert into statements
      (id, lane, day, starts_at, ends_at, digest, file_name, mapping_version, zone, lines,
        opening_minor, closing_minor, deposits_minor, minor_digits, actor, state)
    values (${id}, ${lane}, ${day}::date, ${given.startsAt}, ${given.endsAt}, ${digest}, ${fileName},
      ${given.mappingVersion}, ${zone}, ${lines}, ${balances?.opening.toString() ?? null}::numeric,
      ${balances?.closing.toString() ?? null}::numeric,
      ${balances?.deposits?.toString() ?? null}::numeric, ${minorDigits}, ${given.actor},
      ${given.state})`.execute(transaction);
}

/** Makes the current statement of a day a replaced one, which is kept. */
export async function replaceStatement(
  transaction: Database,
  lane: string,
  day: string,
): Promise<void> {
  await sql`
    update statements set state = 'replaced'
    where lane = ${lane} and day = ${day}::date and state = 'current'`.execute(transaction);
}

/** Decides about a proposed statement. Returns false if it is no longer proposed. */
export async function decideStatement(
  transaction: Database,
  { id, state, by }: { id: string; state: "current" | "refused"; by: string },
): Promise<boolean> {
  const { rows } = await sql`
    update statements set state = ${state}, decided_by = ${by}, decided_at = now()
    where id = ${id} and state = 'proposed' returning id`.execute(transaction);
  return rows.length === 1;
}

/**
 * Makes other uploads and comparisons of a lane wait for this transaction, and gives it time to
 * read a large statement.
 */
export async function lockStatements(transaction: Database, lane: string): Promise<void> {
  await sql`set local statement_timeout = '15min'`.execute(transaction);
  await sql`set local lock_timeout = '15min'`.execute(transaction);
  await sql`select pg_advisory_xact_lock(hashtext(${`payrun statements ${lane}`}))`.execute(
    transaction,
  );
}

/** Records the comparison of a statement with the ledger. */
export async function markStatementCompared(
  transaction: Database,
  { id, payouts, matched }: { id: string; payouts: number; matched: number },
): Promise<void> {
  await sql`
    update statements set compared_at = now(), payouts = ${payouts}, matched = ${matched}
    where id = ${id}`.execute(transaction);
}
