import { pipeline, Readable } from "node:stream";
import { stringify } from "csv-stringify";
import { type Log, messageOf } from "#base/log.ts";
import { reportRecords } from "#flows/intake/report.ts";
import type { DueResult } from "#ledger/feed/result-files.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { OpenInbox } from "#schedule/folder/inbox.ts";

export interface ResultDeps {
  readonly ledger: Ledger;
  readonly inboxOf: OpenInbox;
  readonly log: Log;
}

const AT_ONCE = 5;

/**
 * Writes a result file for each finished batch from a watched folder, and a new version after a
 * later change. A crash leaves the earlier version; the next call writes the new one.
 */
export async function writeResults(deps: ResultDeps): Promise<void> {
  const { ledger, log } = deps;
  // The events may have no other reader.
  await ledger.feed.publishEvents();
  for (const due of await ledger.feed.findDueResults(AT_ONCE)) {
    await ledger.withLock(`result ${due.batchId}`, async () => {
      const why = await writeResult(due, deps).catch(messageOf);
      await ledger.feed.recordResult(due.batchId, why === null ? due.lastEvent : null);
      if (why !== null) log.warn({ batch: due.batchId, err: why }, "result file not written");
    });
  }
}

/** Returns why the file was not written. Null: it was. */
async function writeResult(
  { batchId, folder }: DueResult,
  { ledger, inboxOf }: ResultDeps,
): Promise<string | null> {
  const batch = await ledger.payout.findBatch({ id: batchId });
  const inbox = await inboxOf(folder);
  if (!inbox.ok) return inbox.error;
  if (!batch) return "the batch is missing";
  const { header, delimiter } = batch.facts;
  const records = Readable.from(reportRecords(header, ledger.intake.reportRows(batchId)));
  // Not `pipe`: a database failure must reach the writer and must not end the process.
  const text = pipeline(records, stringify({ delimiter }), () => {});
  await inbox.value.writeResult(`${batchId} ${batch.fileName.replace(/\.\w+$/, "")}.csv`, text);
  return null;
}
