import { cellChanges } from "#approval/cell-changes.ts";
import { visible } from "#base/invisible-characters.ts";
import { plural, say } from "#cli/terminal/output.ts";
import { countCorrectedRows, findCorrectedRows, reviewRows } from "#ledger/approval/review-rows.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { findActorNames } from "#ledger/people/names.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

const ROWS_SHOWN = 20;

/** Prints what was changed in the rows of a batch since the upload, before it is approved. */
export async function sayCorrections(
  { id, facts: { header } }: Pick<Batch, "id" | "facts">,
  { database, sealer }: Pick<OpenLedger, "database" | "sealer">,
): Promise<void> {
  const count = await countCorrectedRows(database, id);
  if (count === 0) return;
  const rows = await reviewRows(database, sealer, {
    batchId: id,
    attention: [],
    flagged: [],
    only: null,
    onlyCorrected: true,
    offset: 0,
    limit: ROWS_SHOWN,
  });
  const lines = rows.map(({ line }) => line);
  const before = await findCorrectedRows(database, sealer, id, lines);
  const actors = [...before.values()].map(({ actor }) => actor);
  const nameOf = await findActorNames(database, actors);
  say(`Edited since the upload: ${plural(count, "row")}`);
  for (const { line, sealed } of rows) {
    const corrected = before.get(line);
    if (!corrected) continue;
    const changes = cellChanges(header, corrected.cells, sealed.cells, (cells) => cells);
    const shown = changes.map(
      (each) => `${each.column} "${visible(each.before)}" → "${visible(each.after)}"`,
    );
    const what = shown.length > 0 ? shown.join(", ") : "the whole row";
    say(`  line ${line} by ${visible(nameOf(corrected.actor))}: ${what}`);
  }
  if (count > rows.length) say(`  and ${plural(count - rows.length, "more row")}`);
}
