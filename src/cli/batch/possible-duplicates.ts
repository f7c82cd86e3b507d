import { ROW_CHECKS } from "#approval/anomalies.ts";
import { plural, say } from "#cli/terminal/output.ts";
import { findPossibleDuplicates } from "#ledger/approval/possible-duplicates.ts";
import { findingsOfAnomalies } from "#ledger/approval/anomalies.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

/** Maximum number of rows. Checking more takes longer than a person at a terminal should wait. */
const ROWS_MAX = 20_000;
const LINES_SHOWN = 5;

/** Prints possible duplicates of earlier payouts. They do not stop the batch. */
export async function sayPossibleDuplicates(
  { id, rows }: Batch,
  { database, sealer }: Pick<OpenLedger, "database" | "sealer">,
): Promise<void> {
  if (rows > ROWS_MAX) {
    return say(
      `A batch of ${rows} rows is checked for possible duplicates only on the dashboard, not on the command line.`,
    );
  }
  const { flags, overlaps } = await findPossibleDuplicates(database, sealer, id);
  for (const { check, count, rows: found } of await findingsOfAnomalies(database, sealer, flags)) {
    const lines = found.slice(0, LINES_SHOWN).map(({ line }) => line);
    const more = count > lines.length ? ", …" : "";
    const where = `${count === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`;
    say(`Warning: ${plural(count, "row")} (${where}): ${ROW_CHECKS[check]}`);
  }
  for (const { batchId, percent } of overlaps) {
    say(
      `Warning: ${percent}% of the rows pay the same amounts to the same accounts as batch ${batchId}`,
    );
  }
}
