import { ROW_CHECKS } from "#approval/anomalies.ts";
import { cellChanges } from "#approval/cell-changes.ts";
import { visible } from "#base/invisible-characters.ts";
import { plural, say } from "#cli/terminal/output.ts";
import { type SentDefaults, sentByDefault } from "#views/approval/default-values.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { findOverrides } from "#ledger/approval/overrides.ts";
import { countCorrectedRows, findCorrectedRows, reviewRows } from "#ledger/approval/review-rows.ts";
import { findActorNames } from "#ledger/people/names.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

const VALUES_SHOWN = 5;
const LINES_SHOWN = 5;

/** Prints payout codes and callback URLes that come from the file, before it is approved. */
export async function sayOverrides(
  batch: Pick<Batch, "id" | "facts">,
  {
    database,
    sealer,
    deps,
  }: Pick<OpenLedger, "database" | "sealer"> & { readonly deps: SentDefaults | null },
): Promise<void> {
  const payoutCodeOf = (lane: string) => deps && sentByDefault(lane, deps).payoutCode;
  const overrides = await findOverrides(database, sealer, batch, payoutCodeOf);
  for (const [check, found] of Map.groupBy(overrides, (each) => each.check)) {
    say(`Unusual: ${plural(found.length, "row")} ${ROW_CHECKS[check]}:`);
    const byValue = [...Map.groupBy(found, ({ value }) => value)];
    for (const [value, rows] of byValue.slice(0, VALUES_SHOWN)) {
      const lines = rows.slice(0, LINES_SHOWN).map(({ row }) => row.line);
      const more = rows.length > lines.length ? ` and ${rows.length - lines.length} more` : "";
      say(`  ${visible(value)} (lines ${lines.join(", ")}${more})`);
    }
    if (byValue.length > VALUES_SHOWN) say(`  and ${byValue.length - VALUES_SHOWN} others`);
  }
}

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
