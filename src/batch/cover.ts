import type { Column } from "#batch/columns.ts";
import { knownColumn } from "#batch/header.ts";
import type { Problem } from "#batch/problems.ts";
import type { PayoutDetails } from "#payout/payout.ts";

/** What tells no account. Everything else, columns that nobody knows too, is in full only for those who may see it. */
const HARMLESS: ReadonlySet<Column | undefined> = new Set<Column>([
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

/** The account of BRL, a PIX key, stands where others have the name of their bank (docs/gateway.md section 5). */
function isCovered(name: string, currency: string | undefined): boolean {
  const column = knownColumn(name);
  return !HARMLESS.has(column) || (column === "bank_name" && currency === "BRL");
}

/** All but the last four characters covered. */
export const cover = (text: string): string =>
  `${"•".repeat(Math.max(text.length - 4, 0))}${text.slice(-4)}`;

/** So many digits, however they are grouped, may be an account that stands in a wrong column. */
const ACCOUNT_LIKE = /(?:\d[\s.,/-]*){6}/;
/** What has that many digits where it belongs. An amount as long as the accounts of most banks is in doubt. */
const IN_PLACE: Readonly<Partial<Record<Column, RegExp>>> = {
  transaction_amount: /^(?:\d{1,8}|\d{1,3}(?:,\d{3}){1,2})(?:\.\d{1,4})?$/,
  ifsc_code: /^[A-Z]{4}0[A-Z\d]{6}$/,
};

const bare = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]/gu, "");

/**
 * The cells of a row for somebody who may not see accounts in full. What stands in a column that is covered is covered
 * in the others as well: some have the account for the number of a person, or in the reference. In a row that is longer or
 * shorter than its header an account may stand anywhere; in another one that was rejected, wherever something looks like one.
 */
export function coverCells(
  header: readonly string[],
  cells: readonly string[],
  isRejected: boolean,
): string[] {
  const isShifted = cells.length !== header.length;
  const currency = cells[header.findIndex((name) => knownColumn(name) === "currency_code")]?.trim();
  const accounts = cells
    .filter((cell, place) => isCovered(header[place] ?? "", currency) && ACCOUNT_LIKE.test(cell))
    .map(bare);
  const tellsOne = (cell: string) => accounts.some((account) => bare(cell).includes(account));
  return cells.map((cell, place) => {
    const name = header[place] ?? "";
    const isInDoubt = isShifted || (isRejected && isOutOfPlace(name, cell));
    return isInDoubt || isCovered(name, currency) || tellsOne(cell) ? cover(cell) : cell;
  });
}

/** The same for a payout of a currency: its details, and its reference. */
export function coverPayout(currency: string, { details, reference }: Beside): Beside {
  const names = [...Object.keys(details), "currency_code", "reference"];
  const cells = coverCells(names, [...Object.values(details), currency, reference ?? ""], false);
  const covered = names.flatMap((name, place) => (name in details ? [[name, cells[place]]] : []));
  return {
    details: Object.fromEntries(covered),
    reference: reference === null ? null : (cells.at(-1) ?? ""),
  };
}

interface Beside {
  readonly details: PayoutDetails;
  readonly reference: string | null;
}

function isOutOfPlace(name: string, cell: string): boolean {
  const column = knownColumn(name);
  const shape = column && IN_PLACE[column];
  return ACCOUNT_LIKE.test(cell) && !shape?.test(cell.trim());
}

export function coverProblem(problem: Problem): Problem {
  const { code, column, found, expected, message } = problem;
  if (found === null || !mayTellAccount(code, column, found)) return problem;
  const covered = cover(found);
  return {
    ...problem,
    found: covered,
    // What was found, with its letters as they are meant.
    expected: code === "letters_misread" ? cover(expected) : expected,
    message: found === "" ? message : message.replaceAll(found, () => covered),
  };
}

function mayTellAccount(code: Problem["code"], column: string | null, found: string): boolean {
  // Told of rows before their columns are looked at: they may have shifted.
  if (code === "nul_character") return true;
  // A problem does not tell the currency of its row.
  if (column !== null && isCovered(column, "BRL")) return true;
  return isOutOfPlace(column ?? "", found);
}
