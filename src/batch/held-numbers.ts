/** So many good rows hold a number of a workbook where an account, or the code of a bank or branch, belongs. */
export interface HeldAsNumber {
  readonly column: string;
  readonly rows: number;
}

export function heldText(held: readonly HeldAsNumber[]): string {
  const rowsOf = (rows: number) => (rows === 1 ? "1 row" : `${rows} rows`);
  const columns = held.map(({ column, rows }) => `${column} in ${rowsOf(rows)}`).join(", ");
  return `A spreadsheet held numbers where text belongs: ${columns}. Zeros at their start would be lost.`;
}

/** What the audit log keeps of those that somebody says to have compared with other papers. */
export const comparedFact = (
  compared: readonly HeldAsNumber[],
): Readonly<Record<string, unknown>> =>
  compared.length === 0
    ? {}
    : { numbers_compared: Object.fromEntries(compared.map(({ column, rows }) => [column, rows])) };
