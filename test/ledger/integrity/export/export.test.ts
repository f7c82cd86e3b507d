import { expect, test } from "vitest";
import { appendAudit } from "#ledger/integrity/audit-hash-chain.ts";
import { type ExportRecord, exportLedger } from "#ledger/integrity/export/export.ts";
import { fileText, rowsOf } from "../../../support/servers/payrun.ts";
import { openTestLedger, ingestFile } from "../../../support/ledger.ts";

test("exports rejected rows and the audit log completely and in order, however many there are", async () => {
  const open = await openTestLedger();
  const { database, ledger } = open;
  const bad = (count: number) => fileText(rowsOf(count, () => ({ amount: "none" })));
  for (const count of [700, 1_300]) await ingestFile(ledger, bad(count));
  const line = { actor: "cli:ops", action: "pause" as const, object: "lane", facts: {} };
  await database.transaction().execute(async (transaction) => {
    for (let i = 0; i < 1_100; i++) await appendAudit(transaction, new Date(), line);
  });

  const records: ExportRecord[] = [];
  await exportLedger(database, async (all) => {
    for await (const each of all) records.push(each);
  });
  const rows = records.flatMap((each) => (each.kind === "rejected_row" ? [each.row] : []));
  const perBatch = [...Map.groupBy(rows, (row) => row.batch_id).values()];
  const linesOf = (count: number) => Array.from({ length: count }, (_, at) => at + 2);
  expect(
    perBatch.map((of) => of.map((row) => row.line)).toSorted((a, b) => a.length - b.length),
  ).toEqual([linesOf(700), linesOf(1_300)]);
  const seqs = records.flatMap((each) => (each.kind === "audit" ? [each.line.seq] : []));
  expect(seqs).toEqual(Array.from({ length: seqs.length }, (_, at) => at + 1));
  expect(seqs.length).toBeGreaterThanOrEqual(1_100);
  await open.close();
});
