import type { AnswerOf } from "#api/app/operation.ts";
import type { BATCH_LIST_API } from "#api/intake/batch-list.ts";
import { PARTS, type Part } from "#approval/status-breakdown.ts";
import { formulaSafe } from "#intake/text/formula.ts";
import type { Database } from "#ledger/store/database.ts";
import { batchList, type BatchQuery } from "#views/intake/batch-lines.ts";

const PAGE_ROWS = 200;

type Batch = AnswerOf<(typeof BATCH_LIST_API)["GET /api/batches"]>["items"][number];

/** A record of the file: the valid rows of a batch in one currency; null if none is valid. */
interface Line {
  readonly batch: Batch;
  readonly total: Batch["totals"][number] | null;
}

/** Returns the payouts of a line in a part; null before approval. */
const payoutsIn = ({ batch: { progress }, total }: Line, part: Part): number | null =>
  progress &&
  progress
    .filter((each) => each.part === part && each.currency === total?.currency)
    .reduce((sum, { count }) => sum + count, 0);

/** The columns of the file, with their values. */
const COLUMNS: Readonly<Record<string, (line: Line) => string | number | null | undefined>> = {
  batch_id: ({ batch }) => batch.batch_id,
  name: ({ batch }) => batch.name,
  file: ({ batch }) => batch.file,
  purpose: ({ batch }) => batch.purpose,
  state: ({ batch: { state, send } }) =>
    state === "approved" && send?.released_at === null
      ? send.held_back === null
        ? "scheduled"
        : "held_back"
      : state,
  rows: ({ batch }) => batch.rows,
  rows_with_problems: ({ batch }) => batch.rejected,
  currency: ({ total }) => total?.currency,
  payouts: ({ total }) => total?.payouts,
  amount: ({ total }) => total?.amount,
  ...Object.fromEntries(PARTS.map((part) => [part, (line: Line) => payoutsIn(line, part)])),
  uploaded_by: ({ batch }) => batch.maker.name,
  uploaded_at: ({ batch }) => batch.created_at,
  approved_at: ({ batch }) => batch.approved_at,
  finished_at: ({ batch }) => batch.finished_at,
};

/**
 * Generates the records of a file with the batches that match a query, starting with the header. It
 * reads page by page, so that a long list needs little memory.
 */
export async function* batchRecords(
  database: Database,
  query: Omit<BatchQuery, "limit" | "cursor">,
): AsyncGenerator<readonly string[]> {
  yield Object.keys(COLUMNS);
  for (let cursor: string | undefined; ; ) {
    const page = await batchList(database, { ...query, limit: PAGE_ROWS, cursor });
    for (const batch of page.items) {
      const totals = batch.totals.length === 0 ? [null] : batch.totals;
      for (const total of totals) {
        const line = { batch, total };
        yield Object.values(COLUMNS).map((value) => formulaSafe(String(value(line) ?? "")));
      }
    }
    if (page.next === null) return;
    cursor = page.next;
  }
}
