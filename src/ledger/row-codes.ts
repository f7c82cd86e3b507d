import { codeFrom } from "#ids.ts";

/** Where the rows of a batch come from. */
export interface RowSource {
  /** Survives a restore, so that a restored ledger makes the same codes again; two ledgers under one key make others. */
  readonly ledgerId: string;
  /** Hex SHA-256 that the batch is known by: a file is one batch for good. */
  readonly digest: string;
  /** The rows are read from a list whose lines may be others the next time. */
  readonly linesMove?: boolean;
}

/** A row that passed the checks, as its file has it. */
export interface CodedRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Makes the transaction codes of one batch. Equal codes mean the same row of the same file: when a restored ledger has
 * forgotten a batch, its file gets the codes that it had, and the gateway refuses what it has paid (error 111). See
 * docs/decisions/0092-codes-follow-from-the-file.md.
 *
 * Call the function that comes back once for each row, in the order of the file.
 *
 * @param keyed a keyed digest: nobody without the key of the ledger can tell a code in advance.
 */
export function rowCodes(
  keyed: (text: string) => Uint8Array,
  { ledgerId, digest, linesMove = false }: RowSource,
): (row: CodedRow) => string {
  const codeAt = (place: string, cells: readonly string[]): string =>
    codeFrom(keyed(JSON.stringify(["row code 1", ledgerId, digest, place, cells])));
  const equalBefore = new Map<string, number>();
  return ({ line, cells }) => {
    if (!linesMove) return codeAt(`line ${line}`, cells);
    const first = codeAt("equal row 0", cells);
    const before = equalBefore.get(first) ?? 0;
    equalBefore.set(first, before + 1);
    return before === 0 ? first : codeAt(`equal row ${before}`, cells);
  };
}
