import { sql } from "kysely";
import { plainNumber } from "#ledger/erasure/personal-texts.ts";
import type { Database } from "#ledger/store/database.ts";
import { openRejected, openWarned } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** A row that was rejected, had warnings, was corrected or left out, as it was in the file. */
export interface FileRow {
  readonly batchId: string;
  readonly line: number;
  readonly sealed: Buffer;
  /** True: its batch can still be corrected, approved or sent. */
  readonly isOpen: boolean;
}

const TABLES = ["rejected_rows", "warned_rows", "corrected_rows", "left_out_rows"] as const;
/** Rows that are opened at once. */
const PAGE = 1_000;

/**
 * Finds the rows of a person: those on the lines of the person's payouts, and all others with one
 * of these account numbers in a cell. It opens every row of these tables.
 */
export async function findRowsOf(
  database: Database,
  sealer: Sealer,
  {
    numbers,
    payouts,
    since,
  }: {
    readonly numbers: ReadonlySet<string>;
    readonly payouts: readonly { readonly batchId: string; readonly line: number }[];
    /**
     * Only rows of batches that are not finished, or changed since. A finished batch gets no more
     * rows. Null: all.
     */
    readonly since: string | null;
  },
): Promise<FileRow[]> {
  const lines = new Set(payouts.map(({ batchId, line }) => `${batchId} ${line}`));
  const wanted = new Set([...numbers].map(plainNumber));
  const found: FileRow[] = [];
  for (const table of TABLES) {
    const open = table === "warned_rows" ? openWarned : openRejected;
    for await (const row of rowsOf(database, table, since)) {
      const { batchId, line, sealed } = row;
      const isOf =
        lines.has(`${batchId} ${line}`) ||
        open(sealer, batchId, line, sealed).cells.some((cell) => wanted.has(plainNumber(cell)));
      if (isOf) found.push(row);
    }
  }
  return found;
}

/** Returns the rows of both lists once, as the second one has them. */
export function mergeRows(first: readonly FileRow[], second: readonly FileRow[]): FileRow[] {
  const keyOf = ({ batchId, line, sealed }: FileRow) =>
    `${batchId} ${line} ${sealed.toString("latin1")}`;
  const newest = new Map([...first, ...second].map((row) => [keyOf(row), row]));
  return [...newest.values()];
}

interface Position {
  readonly batchId: string;
  readonly line: number;
  /** A line can be corrected many times. */
  readonly at: string;
}

async function* rowsOf(database: Database, table: (typeof TABLES)[number], since: string | null) {
  let after: Position = { batchId: "", line: 0, at: "-infinity" };
  while (true) {
    const rows =
      table === "corrected_rows"
        ? await correctedAfter(database, after, since)
        : await rowsAfter(database, table, after, since);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}

type Found = FileRow & Position;

const IS_OPEN = sql`b.state not in ('finished', 'finished_with_exceptions', 'cancelled')`;

const mayHaveChanged = (since: string | null) =>
  since === null ? sql`true` : sql`(${IS_OPEN} or b.updated_at >= ${since}::timestamptz)`;

async function rowsAfter(
  database: Database,
  table: Exclude<(typeof TABLES)[number], "corrected_rows">,
  after: Position,
  since: string | null,
): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select r.batch_id as "batchId", r.line, r.sealed, '-infinity' as at,
      ${IS_OPEN} as "isOpen"
    from ${sql.table(table)} r join batches b on b.id = r.batch_id
    where (r.batch_id, r.line) > (${after.batchId}, ${after.line})
      and r.sealed <> '\\x00'::bytea and ${mayHaveChanged(since)}
    order by r.batch_id, r.line
    limit ${sql.lit(PAGE)}`.execute(database);
  return rows;
}

async function correctedAfter(
  database: Database,
  after: Position,
  since: string | null,
): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select r.batch_id as "batchId", r.line, r.sealed, r.at::text as at,
      ${IS_OPEN} as "isOpen"
    from corrected_rows r join batches b on b.id = r.batch_id
    where (r.batch_id, r.line, r.at) > (${after.batchId}, ${after.line}, ${after.at}::timestamptz)
      and r.sealed <> '\\x00'::bytea and ${mayHaveChanged(since)}
    order by r.batch_id, r.line, r.at
    limit ${sql.lit(PAGE)}`.execute(database);
  return rows;
}
