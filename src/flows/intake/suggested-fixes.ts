import type { CorrectDeps } from "#flows/intake/correct.ts";
import { repairRows } from "#flows/intake/repair.ts";
import { unitsOf } from "#intake/amount-limits.ts";
import { type FixKind, suggestFix } from "#intake/batch/suggested-fix.ts";
import { settingsOfBatch } from "#intake/file-interpretation.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { Batch } from "#ledger/payout/batches.ts";

/** The value that corrects a cell without changing its meaning. */
interface SuggestedFix {
  readonly kind: FixKind;
  /** payrun's name of the column, and its name in the file. */
  readonly column: string;
  readonly header: string;
  /** The cell, with invisible characters made visible. */
  readonly before: string;
  readonly value: string;
}

/** Returns the values that correct cells of a row without changing their meaning. */
export function fixesOf(
  { facts: { header, reading } }: Batch,
  { cells, problems }: { readonly cells: readonly string[]; readonly problems: readonly Problem[] },
  rows: RowSettings,
): SuggestedFix[] {
  const { amountStyle: style, crypto } = settingsOfBatch(rows, reading);
  const placeOf = (column: string) => header.findIndex((name) => knownColumn(name) === column);
  const unit = unitsOf(crypto).get((cells[placeOf("currency_code")] ?? "").trim());
  return problems.flatMap(({ code, column, severity, found }) => {
    if (column === null || severity !== "error") return [];
    const place = placeOf(column);
    const cell = cells[place] ?? "";
    const fix = suggestFix({ code }, cell, { style, unit });
    if (fix === null) return [];
    return [{ ...fix, column, header: header[place] ?? column, before: found ?? cell }];
  });
}

type FixDeps = Pick<CorrectDeps, "ledger" | "rows">;

/** Yields the suggested values for all rejected rows of a batch, in the order of their lines. */
export async function* suggestedFixes(
  batch: Batch,
  { ledger, rows }: FixDeps,
): AsyncGenerator<SuggestedFix & { readonly line: number }> {
  for await (const row of ledger.intake.rejectedRows(batch.id)) {
    for (const fix of fixesOf(batch, row, rows)) yield { ...fix, line: row.line };
  }
}

/**
 * Corrects every rejected row that has suggested values of one kind, in one transaction. Returns
 * null if their number differs from the one that the person saw.
 */
export async function applySuggestedFixes(
  batch: Batch,
  { kind, values }: { readonly kind: FixKind; readonly values: number },
  actor: string,
  deps: CorrectDeps,
) {
  const repairs = new Map<number, Record<string, string>>();
  let count = 0;
  for await (const fix of suggestedFixes(batch, deps)) {
    if (fix.kind !== kind) continue;
    count += 1;
    repairs.set(fix.line, { ...repairs.get(fix.line), [fix.header]: fix.value });
  }
  if (count !== values) return null;
  const rows = [...repairs].map(([line, given]) => ({ line, values: given }));
  return repairRows(batch, rows, actor, deps);
}
