import { differenceOf } from "#approval/cell-changes.ts";
import { COLUMNS, type Column } from "#intake/header/columns.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import { maskCells } from "#intake/masking.ts";
import type { Database } from "#ledger/store/database.ts";
import { type EditedRetry, findEditedRetries } from "#ledger/payout/retry-batch-views.ts";
import type { Sealer } from "#ledger/store/sealing.ts";
import { amountOf } from "#money/format.ts";

/** Returns the edited rows of a retry batch with each changed cell before and after, masked. */
export async function retryChanges(database: Database, sealer: Sealer, batchId: string) {
  const rows = await findEditedRetries(database, sealer, batchId);
  return rows.map(({ line, money, before, after }) => ({
    line,
    code: after.code,
    ...amountOf(money),
    beneficiary: after.sealed.details.account_name ?? null,
    declined_code: before.code,
    changes: COLUMNS.filter((column) => column !== "transaction_code").flatMap((column) => {
      const old = cellOf(before.header, before.sealed.cells, column);
      const now = cellOf(after.header, after.sealed.cells, column);
      if (old === now) return [];
      const [masked, maskedNow] = [maskedCell(before, column), maskedCell(after, column)];
      return [{ column, before: masked, after: maskedNow, differs: differenceOf(old, now) }];
    }),
  }));
}

const maskedCell = ({ header, sealed: { cells } }: EditedRetry["before"], column: Column): string =>
  cellOf(header, maskCells(header, cells, false), column);

/** Returns the text of a row in one of payrun's columns; empty without such a column. */
export const cellOf = (
  header: readonly string[],
  cells: readonly string[],
  column: Column,
): string => cells[header.findIndex((name) => knownColumn(name) === column)] ?? "";
