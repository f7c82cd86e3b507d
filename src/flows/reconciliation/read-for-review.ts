import type { StatementReview, StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import { LineCounts } from "#flows/reconciliation/store-lines.ts";
import type { StatementMapping } from "#reconciliation/statement-mapping.ts";
import { openStatement } from "#reconciliation/statement-reader.ts";
import { businessDay } from "#reconciliation/statement-time.ts";

/**
 * Reads a statement with a mapping that a person has not confirmed yet, and stores nothing. The
 * person compares its number of lines and its sum with the back office.
 */
export async function readForReview(
  upload: Pick<StatementUpload, "open" | "account" | "actor" | "day" | "control">,
  mapping: StatementMapping,
): Promise<StatementReview | null> {
  const { open, account, actor, day } = upload;
  const opened = await openStatement(open(), mapping, account, { sender: actor });
  if (!opened.ok) return null;
  const { from, to } = businessDay(day, mapping.zone);
  const counted = new LineCounts(upload, from, to);
  for await (const lines of opened.value.lines) for (const line of lines) counted.add(line);
  const totals = opened.value.end();
  return {
    lines: counted.lines,
    total: counted.total,
    outsideDay: counted.outside,
    problems: totals.ok ? [] : totals.error,
  };
}
