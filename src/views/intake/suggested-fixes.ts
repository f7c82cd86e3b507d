import { unitsOf } from "#intake/amount-limits.ts";
import { suggestFix } from "#intake/batch/suggested-fix.ts";
import { settingsOfBatch } from "#intake/file-interpretation.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { Batch } from "#ledger/payout/batches.ts";

/** Returns the values that correct cells of a row without changing their meaning. */
export function fixesOf(
  { facts: { header, reading } }: Batch,
  { cells, problems }: { readonly cells: readonly string[]; readonly problems: readonly Problem[] },
  rows: RowSettings,
): { column: string; value: string }[] {
  const { amountStyle: style, crypto } = settingsOfBatch(rows, reading);
  const cellOf = (column: string) =>
    cells[header.findIndex((name) => knownColumn(name) === column)] ?? "";
  const unit = unitsOf(crypto).get(cellOf("currency_code").trim());
  return problems.flatMap(({ code, column, severity }) => {
    if (column === null || severity !== "error") return [];
    const value = suggestFix({ code }, cellOf(column), { style, unit });
    return value === null ? [] : [{ column, value }];
  });
}
