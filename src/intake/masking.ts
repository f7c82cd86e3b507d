import type { Column } from "#intake/header/columns.ts";
import { knownColumn } from "#intake/header/column-names.ts";
import type { Problem } from "#intake/text/problems.ts";
import type { PayoutDetails } from "#payout/payout.ts";

/**
 * Columns that never hold an account number. All other columns, including unknown ones, are shown
 * in full only to users with permission to see accounts.
 */
const UNMASKED_COLUMNS: ReadonlySet<Column | undefined> = new Set<Column>([
  "user_id",
  "currency_code",
  "transaction_amount",
  "account_name",
  "ifsc_code",
  "bank_code",
  "bank_name",
  "branch_code",
  "transaction_code",
  "payout_code",
  "callback_url",
  "reference",
]);

/**
 * In BRL the account is a PIX key, which is in the column of the bank name (gateway.md section
 * 5).
 */
function isMaskedColumn(name: string, currency: string | undefined): boolean {
  const column = knownColumn(name);
  return !UNMASKED_COLUMNS.has(column) || (column === "bank_name" && currency === "BRL");
}

/** Masks all characters except the last four. */
export const maskText = (text: string): string =>
  `${"•".repeat(Math.max(text.length - 4, 0))}${text.slice(-4)}`;

/** This many digits, however they are grouped, may be an account number in the wrong column. */
const ACCOUNT_LIKE = /(?:\d[\s.,/-]*){6}/;
/**
 * Forms of columns that normally hold this many digits, valid or with an error, so that a person
 * sees what to correct. An amount as long as the account numbers of most banks is treated as
 * suspicious, unless its groups are those of an amount.
 */
const IN_PLACE: Readonly<Partial<Record<Column, RegExp>>> = {
  transaction_amount:
    /^(?:\d{1,8}|\d{1,3}(?:[,.'\u2019 \u00a0\u202f]\d{2,3}){1,3})(?:[.,]\d{1,4})?$/u,
  ifsc_code: /^[A-Za-z]{4}[A-Za-z\d]{5,8}$/,
  bank_code: /^\d{6}$/,
  branch_code: /^\d{6}$/,
};

const digitsOnly = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * Masks the cells of a row for a user who may not see accounts in full. A value in a masked column
 * is also masked in all other columns: some users repeat the account number as the user id or in
 * the reference. If the row is longer or shorter than its header, an account may be in any cell. In
 * other rejected rows, everything that looks like an account is masked.
 */
export function maskCells(
  header: readonly string[],
  cells: readonly string[],
  isRejected: boolean,
): string[] {
  const isShifted = cells.length !== header.length;
  const currency = cells[header.findIndex((name) => knownColumn(name) === "currency_code")]?.trim();
  const accounts = cells
    .filter(
      (cell, place) => isMaskedColumn(header[place] ?? "", currency) && ACCOUNT_LIKE.test(cell),
    )
    .map(digitsOnly);
  const tellsOne = (cell: string) => accounts.some((account) => digitsOnly(cell).includes(account));
  return cells.map((cell, place) => {
    const name = header[place] ?? "";
    const isInDoubt = isShifted || (isRejected && isOutOfPlace(name, cell));
    return isInDoubt || isMaskedColumn(name, currency) || tellsOne(cell) ? maskText(cell) : cell;
  });
}

/** Masks a payout of one currency: its details and its reference. */
export function maskPayout(
  currency: string,
  { details, reference }: SimilarPayments,
): SimilarPayments {
  const names = [...Object.keys(details), "currency_code", "reference"];
  const cells = maskCells(names, [...Object.values(details), currency, reference ?? ""], false);
  const covered = names.flatMap((name, place) => (name in details ? [[name, cells[place]]] : []));
  return {
    details: Object.fromEntries(covered),
    reference: reference === null ? null : (cells.at(-1) ?? ""),
  };
}

interface SimilarPayments {
  readonly details: PayoutDetails;
  readonly reference: string | null;
}

function isOutOfPlace(name: string, cell: string): boolean {
  const column = knownColumn(name);
  const shape = column && IN_PLACE[column];
  return ACCOUNT_LIKE.test(cell) && !shape?.test(cell.trim());
}

/** Masks the value in a problem if it could reveal an account number. */
export function maskProblem(problem: Problem): Problem {
  const { code, column, found, expected, message } = problem;
  if (found === null || !mayRevealAccount(code, column, found)) return problem;
  const covered = maskText(found);
  return {
    ...problem,
    found: covered,
    // The value found, with its misread letters corrected.
    expected: code === "letters_misread" ? maskText(expected) : expected,
    message: found === "" ? message : message.replaceAll(found, () => covered),
  };
}

function mayRevealAccount(code: Problem["code"], column: string | null, found: string): boolean {
  // Reported before the columns of a row are examined, when they may have shifted.
  if (code === "nul_character") return true;
  // A problem does not record the currency of its row.
  if (column !== null && isMaskedColumn(column, "BRL")) return true;
  return isOutOfPlace(column ?? "", found);
}
