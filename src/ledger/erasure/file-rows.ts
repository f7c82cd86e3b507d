import { sql } from "kysely";
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
  }: {
    readonly numbers: ReadonlySet<string>;
    readonly payouts: readonly { readonly batchId: string; readonly line: number }[];
  },
): Promise<FileRow[]> {
  const lines = new Set(payouts.map(({ batchId, line }) => `${batchId} ${line}`));
  const wanted = new Set([...numbers].map(plainNumber));
  const found: FileRow[] = [];
  for (const table of TABLES) {
    const open = table === "warned_rows" ? openWarned : openRejected;
    for await (const row of rowsOf(database, table)) {
      const { batchId, line, sealed } = row;
      const isOf =
        lines.has(`${batchId} ${line}`) ||
        open(sealer, batchId, line, sealed).cells.some((cell) => wanted.has(plainNumber(cell)));
      if (isOf) found.push(row);
    }
  }
  return found;
}

/** Spaces and separators differ between a file and the account that payrun read in the file. */
const plainNumber = (text: string): string => text.replaceAll(/[\s.,'’-]/g, "").toLowerCase();

interface Position {
  readonly batchId: string;
  readonly line: number;
  /** A line can be corrected many times. */
  readonly at: string;
}

async function* rowsOf(database: Database, table: (typeof TABLES)[number]) {
  let after: Position = { batchId: "", line: 0, at: "-infinity" };
  while (true) {
    const rows =
      table === "corrected_rows"
        ? await correctedAfter(database, after)
        : await rowsAfter(database, table, after);
    yield* rows;
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}

type Found = FileRow & Position;

async function rowsAfter(
  database: Database,
  table: Exclude<(typeof TABLES)[number], "corrected_rows">,
  after: Position,
): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select r.batch_id as "batchId", r.line, r.sealed, '-infinity' as at,
      b.state not in ('finished', 'finished_with_exceptions', 'cancelled') as "isOpen"
    from ${sql.table(table)} r join batches b on b.id = r.batch_id
    where (r.batch_id, r.line) > (${after.batchId}, ${after.line})
      and r.sealed <> '\\x00'::bytea
    order by r.batch_id, r.line
    limit ${sql.lit(PAGE)}`.execute(database);
  return rows;
}

async function correctedAfter(database: Database, after: Position): Promise<readonly Found[]> {
  const { rows } = await sql<Found>`
    select r.batch_id as "batchId", r.line, r.sealed, r.at::text as at,
      b.state not in ('finished', 'finished_with_exceptions', 'cancelled') as "isOpen"
    from corrected_rows r join batches b on b.id = r.batch_id
    where (r.batch_id, r.line, r.at) > (${after.batchId}, ${after.line}, ${after.at}::timestamptz)
      and r.sealed <> '\\x00'::bytea
    order by r.batch_id, r.line, r.at
    limit ${sql.lit(PAGE)}`.execute(database);
  return rows;
}
