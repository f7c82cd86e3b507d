import { ROW_CHECKS } from "#approval/anomalies.ts";
import { visible } from "#base/invisible-characters.ts";
import { plural, say } from "#cli/terminal/output.ts";
import { type SentDefaults, sentByDefault } from "#views/approval/default-values.ts";
import type { Batch } from "#ledger/payout/batches.ts";
import { findOverrides } from "#ledger/approval/overrides.ts";
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
