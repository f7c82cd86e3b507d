import { settingsOfBatch } from "#intake/file-interpretation.ts";
import { openFile } from "#intake/file-reader.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { BalanceDeps } from "#flows/approval/query-balance.ts";
import { merchantOf } from "#flows/payout/lane/lane-merchant.ts";
import { recheckLimits } from "#flows/approval/recheck-limits.ts";
import { rowsAsFile } from "#flows/intake/rows-as-file.ts";
export interface RecheckDeps extends BalanceDeps {
  readonly rows: RowSettings;
}

/**
 * Checks an approved batch against the current rules and returns what prevents it from being sent,
 * in sentences. Lists of banks, limits and merchants may have changed since the approval.
 */
export async function recheckBatch(batchId: string, deps: RecheckDeps): Promise<string[]> {
  const { ledger, rows } = deps;
  const batch = await ledger.payout.findBatch({ id: batchId });
  if (!batch) return [`Batch ${batchId} no longer exists.`];
  const found = batch.lanes.flatMap(({ lane }) =>
    merchantOf(lane, deps) ? [] : [`No merchant is configured for ${lane}.`],
  );
  const open = rowsAsFile(ledger, batch, "codes kept");
  const opened = await openFile(open, settingsOfBatch(rows, batch.facts.reading));
  if (!opened.ok) return [...found, ...opened.error.map(({ message }) => message)];
  let refused = 0;
  let first = "";
  for await (const chunk of opened.value.rows) {
    for (const row of chunk) {
      if (row.kind !== "rejected") continue;
      refused += 1;
      const [problem] = row.problems;
      first ||= `${problem?.column ?? "the row"}: ${problem?.message ?? ""}`;
    }
  }
  if (refused > 0) {
    const rows = refused === 1 ? "1 row no longer passes" : `${refused} rows no longer pass`;
    found.push(`${rows} the checks. First problem: ${first}`);
  }
  return [...found, ...(await recheckLimits(batchId, deps))];
}
