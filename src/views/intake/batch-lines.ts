import type { BATCH_LIST_API } from "#api/intake/batch-list.ts";
import type { QueryOf } from "#api/app/operation.ts";
import { Problem } from "#api/app/problems.ts";
import { PART_OF_STATE } from "#approval/status-breakdown.ts";
import { iso } from "#views/approval/approval-state.ts";
import { notFound } from "#views/intake/batch.ts";
import { findBatchStatuses } from "#views/schedule/batch-status.ts";
import type { ResolvedFilter } from "#views/intake/batch-tasks.ts";
import {
  type BatchFilter,
  type BatchPlace,
  type BatchSort,
  findListedBatches,
  isPlaceOf,
  type ListedBatch,
} from "#ledger/operations/batch-list.ts";
import { summarizeBatches } from "#ledger/operations/batch-summary.ts";
import type { Database } from "#ledger/store/database.ts";
import { findRetryShares } from "#ledger/payout/lane/retry-shares.ts";
import { retrySharesView } from "#views/payout/retry-batch.ts";
import { amountOf } from "#money/format.ts";

const DAY_MS = 86_400_000;
const DAY_LENGTH = "2026-12-31".length;

type Asked = QueryOf<(typeof BATCH_LIST_API)["GET /api/batches"]>;
/** A request for a page of the list. */
export type BatchQuery = ResolvedFilter & Pick<Asked, "cursor" | "limit" | "sort">;

/**
 * Returns one page of the list of batches.
 *
 * @throws Problem if the cursor is invalid.
 */
export async function batchList(database: Database, query: BatchQuery) {
  const { cursor, limit, sort, ...asked } = query;
  const lines = await findListedBatches(database, {
    ...filterOf(asked),
    sort,
    after: cursor === undefined ? undefined : readCursor(cursor, sort),
    limit: limit + 1,
  });
  const items = lines.slice(0, limit);
  const last = lines.length > limit ? items.at(-1) : undefined;
  return {
    items: await batchLines(database, items),
    next: last ? `${last.place.value}.${last.id}` : null,
  };
}

/** Returns the number and sums of the batches that match the filters of a request. */
export async function batchSummary(database: Database, query: ResolvedFilter) {
  const { count, states, totals, notSummed } = await summarizeBatches(database, filterOf(query));
  return {
    count,
    states: [...states],
    totals: totals.map(totalOf),
    not_summed: notSummed,
  };
}

const filterOf = ({ state, from, to, ...same }: ResolvedFilter): BatchFilter => ({
  ...same,
  states: state,
  from: from === undefined ? undefined : new Date(from),
  until: to === undefined ? undefined : endOf(to),
});

/**
 * Returns the end of a period: the end of the day if `to` is a date, otherwise the moment itself.
 */
const endOf = (to: string): Date =>
  new Date(Date.parse(to) + (to.length === DAY_LENGTH ? DAY_MS : 0));

function readCursor(cursor: string, sort: BatchSort): BatchPlace {
  const [, value = "", id = ""] = /^([\d.]+)\.(B[0-9A-Z]+)$/.exec(cursor) ?? [];
  if (!isPlaceOf(sort, value)) {
    const places = [{ place: "query.cursor", message: "must be a cursor for this list" }];
    throw new Problem("invalid_request", { places });
  }
  return { value, id };
}

/** Converts batches to the entries of the API's lists. */
async function batchLines(database: Database, lines: readonly ListedBatch[]) {
  const ids = lines.map(({ id }) => id);
  const [statusOf, shares] = await Promise.all([
    findBatchStatuses(database, ids),
    findRetryShares(database, ids),
  ]);
  return lines.map((line) => ({
    ...batchLine(line),
    ...statusOf(line.id),
    retried: retrySharesView(shares.get(line.id)),
  }));
}

const totalOf = ({ payouts, sum }: ListedBatch["totals"][number]) => ({
  ...amountOf(sum),
  payouts,
});

const batchLine = (line: ListedBatch) => ({
  batch_id: line.id,
  file: line.fileName,
  source: line.source,
  name: line.name,
  purpose: line.purpose,
  state: line.state,
  cancelling: line.cancelling,
  digest: line.digest,
  content_digest: line.contentDigest,
  rows: line.rows,
  rejected: line.rejected,
  totals: line.totals.map(totalOf),
  maker: line.maker,
  created_at: line.createdAt.toISOString(),
  approval_requested_at: iso(line.submittedAt),
  approved_at: iso(line.approvedAt),
  finished_at: iso(line.finishedAt),
  progress:
    line.progress?.map(({ state, count, sum }) => ({
      state,
      part: PART_OF_STATE[state],
      count,
      ...amountOf(sum),
    })) ?? null,
});

/** @throws Problem if the batch does not exist. */
export async function lineOf(database: Database, id: string) {
  const lines = await findListedBatches(database, { ids: [id], limit: 1 });
  const [line] = await batchLines(database, lines);
  if (!line) throw notFound(id);
  return line;
}
