import { PART_OF } from "#approval/status-breakdown.ts";
import { iso } from "#views/approval/approval-state.ts";
import { notFound } from "#views/intake/batch.ts";
import { sendView } from "#views/schedule/send-view.ts";
import { type BatchLine, findBatchLines } from "#ledger/operations/batch-list.ts";
import type { Database } from "#ledger/store/database.ts";
import { type Sending, sendingsOf } from "#ledger/schedule/send-times.ts";
import { amountOf } from "#money/format.ts";

/** Converts batches to the entries of the API's lists. */
export async function batchLines(database: Database, lines: readonly BatchLine[]) {
  const sendings = await sendingsOf(
    database,
    lines.map(({ id }) => id),
  );
  return lines.map((line) => batchLine(line, sendings.get(line.id)));
}

const batchLine = (line: BatchLine, sending: Sending | undefined) => ({
  batch_id: line.id,
  file: line.fileName,
  name: line.name,
  purpose: line.purpose,
  state: line.state,
  digest: line.digest,
  content_digest: line.contentDigest,
  rows: line.rows,
  rejected: line.rejected,
  totals: line.totals.map(({ payouts, sum }) => ({ ...amountOf(sum), payouts })),
  maker: line.maker,
  created_at: line.createdAt.toISOString(),
  approval_requested_at: iso(line.submittedAt),
  approved_at: iso(line.approvedAt),
  finished_at: iso(line.finishedAt),
  send: sendView(sending),
  progress:
    line.progress?.map(({ state, count, sum }) => ({
      state,
      part: PART_OF[state],
      count,
      ...amountOf(sum),
    })) ?? null,
});

/** @throws Problem if the batch does not exist. */
export async function lineOf(database: Database, id: string) {
  const lines = await findBatchLines(database, { ids: [id], limit: 1 });
  const [line] = await batchLines(database, lines);
  if (!line) throw notFound(id);
  return line;
}
