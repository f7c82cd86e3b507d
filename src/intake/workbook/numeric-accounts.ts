/**
 * Number of valid rows in which a workbook stores an account number, a bank code or a branch code
 * as a number.
 */
export interface StoredAsNumber {
  readonly column: string;
  readonly rows: number;
}

/** Describes the text columns that a spreadsheet stored as numbers. */
export function storedAsNumberText(held: readonly StoredAsNumber[]): string {
  const rowsOf = (rows: number) => (rows === 1 ? "1 row" : `${rows} rows`);
  const columns = held.map(({ column, rows }) => `${column} in ${rowsOf(rows)}`).join(", ");
  return `A spreadsheet stored text values as numbers: ${columns}. Any leading zeros are lost.`;
}

/**
 * Builds the audit log fact about the numbers that a person confirms to have compared with other
 * documents.
 */
export const numbersComparedFact = (
  compared: readonly StoredAsNumber[],
): Readonly<Record<string, unknown>> =>
  compared.length === 0
    ? {}
    : { numbers_compared: Object.fromEntries(compared.map(({ column, rows }) => [column, rows])) };
