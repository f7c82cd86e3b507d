import type { StatementUpload } from "#flows/reconciliation/statement-upload.ts";
import { statementFile } from "#simulator/statements/statement-file.ts";
import type { RowDefectName, StatementRow } from "#simulator/statements/defects.ts";
import { fillSettledDay, type SettledDay, statementRowsOf } from "../../../bench/settled-day.ts";
import { asTestOwner } from "../servers/postgres.ts";

/** A day with ten settled payouts. */
export const SETTLED_DAY: SettledDay = {
  lane: "M1/INR",
  currency: "INR",
  day: "2026-11-26",
  payouts: 10,
};

/** Writes the payouts of a day, and returns the CSV of its statement with defects. */
export async function settledDayWith(
  url: string,
  defects: Partial<Record<RowDefectName, number>>,
): Promise<string> {
  await fillSettledDay(asTestOwner(url), SETTLED_DAY);
  return statementFile(statementRowsOf(SETTLED_DAY), { seed: 1, rows: defects, file: [] }).csv;
}

/** Writes the CSV of a statement with defects. */
export const csvOf = (
  rows: readonly StatementRow[],
  defects: Partial<Record<RowDefectName, number>> = {},
) => statementFile(rows, { seed: 7, rows: defects, file: [] });

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

/** An upload of a statement for the settled day, whose mapping is confirmed. */
export const uploadOf = (csv: string, changes: Partial<StatementUpload> = {}): StatementUpload => ({
  lane: SETTLED_DAY.lane,
  account: { currency: SETTLED_DAY.currency, minorDigits: 2 },
  day: SETTLED_DAY.day,
  fileName: "statement.csv",
  actor: "cli:asha",
  open: () => bytesOf(csv),
  changes: {},
  isConfirmed: true,
  isReview: false,
  outsideDay: 0,
  control: { lines: null, total: null },
  balances: null,
  ...changes,
});
