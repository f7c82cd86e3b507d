import { transactionCodeFrom } from "#base/ids.ts";

/** Origin of the rows of a batch. */
export interface RowSource {
  /**
   * Id of the ledger. It survives a restore, so that a restored ledger makes the same codes again.
   * Two ledgers under one key make different codes.
   */
  readonly ledgerId: string;
  /** Hex SHA-256 that identifies the batch. A file belongs to one batch permanently. */
  readonly digest: string;
  /** True if the rows come from a list whose line numbers may change the next time. */
  readonly linesMove?: boolean;
}

/** A row that passed the checks, as its file contains it. */
export interface CodedRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Makes the transaction codes of one batch. Equal codes mean the same row of the same file: if a
 * restored ledger has lost a batch, its file gets the same codes again, and the gateway refuses
 * payouts that it has paid (error 111). See
 * docs/decisions/0092-derive-transaction-codes-from-the-file.md.
 *
 * Call the returned function once per row, in the order of the file.
 *
 * @param keyed a keyed digest, so that nobody without the key of the ledger can predict a code.
 */
export function rowCodes(
  keyed: (text: string) => Uint8Array,
  { ledgerId, digest, linesMove = false }: RowSource,
): (row: CodedRow) => string {
  const codeAt = (place: string, cells: readonly string[]): string =>
    transactionCodeFrom(keyed(JSON.stringify(["row code 1", ledgerId, digest, place, cells])));
  const equalBefore = new Map<string, number>();
  return ({ line, cells }) => {
    if (!linesMove) return codeAt(`line ${line}`, cells);
    const first = codeAt("equal row 0", cells);
    const before = equalBefore.get(first) ?? 0;
    equalBefore.set(first, before + 1);
    return before === 0 ? first : codeAt(`equal row ${before}`, cells);
  };
}
