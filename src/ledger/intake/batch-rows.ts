import type { Rejected } from "#intake/rejects-file.ts";
import type { Database } from "#ledger/store/database.ts";
import { listLeftOutRows } from "#ledger/intake/left-out/left-out-rows.ts";
import { feeOfRow } from "#ledger/store/tables.ts";
import { openPayout, openRejected } from "#ledger/store/sealed-rows.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import type { Money } from "#money/money.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** The states of rows without a payout. */
type UnpaidState = "rejected" | "left_out";

/** Returns whether the row belongs to no payout. */
export const isUnpaid = (state: ReportRow["state"]): state is UnpaidState =>
  state === "rejected" || state === "left_out";

/** A line of a batch's report: the row as it was in the file, and its result. */
export interface ReportRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly transactionCode: string | null;
  /** `rejected`: the row has errors. `left_out`: its uploader left it out of the batch. */
  readonly state: PayoutState | UnpaidState;
  readonly gatewayNumber: string | null;
  /** The fee that the gateway reported last. Null: none that can be read. */
  readonly fee: Money | null;
  readonly reason: string | null;
  readonly updatedAt: Date | null;
}

const PAGE = 2_000;

/**
 * Yields every row of the file in the order of its lines: payouts, payouts from corrections,
 * rejected rows, and rows that were left out. They are merged with one page of each in memory.
 */
export async function* reportRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
): AsyncGenerator<ReportRow> {
  const ranges = await idRanges(database, batchId);
  const sources = ranges.map((range) => payoutRows(database, sealer, batchId, range));
  const others = [
    rejectedReports(database, sealer, batchId),
    leftOutReports(database, sealer, batchId),
  ];
  yield* byLine([...sources, ...others]);
}

/** Merges streams that are each in the order of their lines. */
async function* byLine(sources: readonly AsyncGenerator<ReportRow>[]): AsyncGenerator<ReportRow> {
  const heads: { row: ReportRow; source: AsyncGenerator<ReportRow> }[] = [];
  const take = async (source: AsyncGenerator<ReportRow>) => {
    const { done, value } = await source.next();
    if (!done) heads.push({ row: value, source });
  };
  for (const source of sources) await take(source);
  while (heads.length > 0) {
    let first = 0;
    for (const [at, { row }] of heads.entries()) {
      if (row.line < (heads[first]?.row.line ?? Infinity)) first = at;
    }
    for (const { row, source } of heads.splice(first, 1)) {
      yield row;
      await take(source);
    }
  }
}

interface IdRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the ids of the batch's payouts as ranges that are each in the order of the lines: one for
 * the file and one for each correction.
 */
async function idRanges(database: Database, batchId: string): Promise<IdRange[]> {
  const batch = await database
    .selectFrom("batches")
    .select(["first_id", "last_id"])
    .where("id", "=", batchId)
    .executeTakeFirst();
  if (!batch) return [];
  const corrections = await database
    .selectFrom("corrections")
    .select("first_id")
    .where("batch_id", "=", batchId)
    .where("first_id", ">", batch.first_id)
    .orderBy("first_id")
    .execute();
  const starts = [batch.first_id, ...corrections.map(({ first_id }) => first_id)];
  return starts.map((from, at) => ({ from, to: (starts[at + 1] ?? batch.last_id + 1) - 1 }));
}

async function* payoutRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
  { from, to }: IdRange,
): AsyncGenerator<ReportRow> {
  for (let first = from; first <= to; first += PAGE) {
    const last = Math.min(first + PAGE - 1, to);
    // The ranges of ids are given for both tables, instead of "the next 2,000" rows. For the
    // latter, PostgreSQL reads the rest of the batch, or all details from the first one of the
    // ledger, for each page.
    const page = await database
      .selectFrom("payouts as p")
      .innerJoin("payout_details as d", "d.payout_id", "p.id")
      .select([
        "p.id",
        "p.line",
        "d.transaction_code",
        "p.state",
        "p.gateway_number",
        "p.currency",
        "p.fee_minor",
        "p.fee_digits",
        "p.reason",
        "p.updated_at",
        "d.sealed",
      ])
      .where(({ between }) => between("p.id", first, last))
      .where(({ between }) => between("d.payout_id", first, last))
      .where("p.batch_id", "=", batchId)
      .orderBy("p.id")
      .execute();
    for (const row of page) {
      yield {
        line: row.line,
        cells: openPayout(sealer, row.transaction_code, row.sealed).cells,
        transactionCode: row.transaction_code,
        state: row.state,
        gatewayNumber: row.gateway_number,
        fee: feeOfRow(row),
        reason: row.reason,
        updatedAt: row.updated_at,
      };
    }
  }
}

/** Yields the rows that were left out of a batch, with all their problems. */
export async function* rejectedRows(
  database: Database,
  sealer: Sealer,
  batchId: string,
): AsyncGenerator<Rejected, undefined> {
  for (let after = -1; ; ) {
    const page = await database
      .selectFrom("rejected_rows")
      .select(["line", "sealed"])
      .where("batch_id", "=", batchId)
      .where("line", ">", after)
      .orderBy("line")
      .limit(PAGE)
      .execute();
    for (const { line, sealed } of page) {
      yield { line, ...openRejected(sealer, batchId, line, sealed) };
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return undefined;
    after = last.line;
  }
}

async function* rejectedReports(
  database: Database,
  sealer: Sealer,
  batchId: string,
): AsyncGenerator<ReportRow> {
  for await (const row of rejectedRows(database, sealer, batchId)) yield rejectedReport(row);
}

async function* leftOutReports(
  database: Database,
  sealer: Sealer,
  batchId: string,
): AsyncGenerator<ReportRow> {
  for (let after = -1; ; ) {
    const page = await listLeftOutRows(database, sealer, batchId, { after, limit: PAGE });
    for (const { line, cells, at } of page) {
      const row = rejectedReport({ line, cells, problems: [] });
      yield { ...row, state: "left_out", reason: "Left out by the uploader.", updatedAt: at };
    }
    const last = page.at(-1);
    if (!last || page.length < PAGE) return;
    after = last.line;
  }
}

const rejectedReport = ({ line, cells, problems }: Rejected): ReportRow => ({
  line,
  cells,
  transactionCode: null,
  state: "rejected",
  gatewayNumber: null,
  fee: null,
  reason: problems
    .filter(({ severity }) => severity === "error")
    .map(({ column, message }) => (column === null ? message : `${column}: ${message}`))
    .join(" "),
  updatedAt: null,
});
