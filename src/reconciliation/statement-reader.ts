import { visible } from "#base/invisible-characters.ts";
import { err, ok, type Result } from "#base/result.ts";
import type { TableOptions } from "#intake/table/table-reader.ts";
import type { CsvRecord } from "#intake/text/records.ts";
import { unitOf } from "#money/currency.ts";
import { parseDecimal } from "#money/money.ts";
import { AMOUNT_STYLES, ungrouped } from "#money/parse.ts";
import {
  type ExactAmount,
  noCode,
  type StatementLine,
  type StatementStatus,
} from "#reconciliation/records.ts";
import {
  placesIn,
  type StatementField,
  type StatementMapping,
  type StatementPlaces,
  statusOf,
  wordsOf,
} from "#reconciliation/statement-mapping.ts";
import {
  openStatementTable,
  type StatementProblem,
  type StatementTableTotals,
} from "#reconciliation/statement-table.ts";
import { timeReader } from "#reconciliation/statement-time.ts";

/** A statement that is being read. Its lines can be iterated once. */
export interface StatementReading {
  readonly names: readonly string[];
  readonly lines: AsyncIterable<readonly StatementLine[]>;
  /**
   * Call it when `lines` is exhausted. Err: the first problems. The statement must not be used,
   * because a missing line looks like a missing payout.
   */
  end(): Result<StatementTableTotals, readonly StatementProblem[]>;
}

/** The account whose statement is read. */
export interface StatementAccount {
  readonly currency: string;
  /** Digits of the currency's amounts in the ledger. */
  readonly minorDigits: number;
}

/** Maximum number of reported problems. More would not help to correct a file. */
const STATEMENT_PROBLEMS_MAX = 100;

/** Why a statement cannot be opened. `header`: the mapping does not fit the header. */
export interface StatementRefusal {
  readonly kind: "file" | "header";
  readonly problems: readonly StatementProblem[];
}

/** Opens a statement. Err: the file cannot be read, or the mapping does not fit its header. */
export async function openStatement(
  bytes: AsyncIterable<Uint8Array>,
  mapping: StatementMapping,
  account: StatementAccount,
  options: TableOptions = {},
): Promise<Result<StatementReading, StatementRefusal>> {
  const { amountStyle } = mapping;
  const table = await openStatementTable(bytes, { ...options, amountStyle });
  if (!table.ok) return err({ kind: "file", problems: [table.error] });
  const { names, headerLine, fixed, rows, end } = table.value;
  const places = placesIn(names, mapping.columns);
  if (!fits(mapping, fixed)) return err({ kind: "header", problems: [] });
  if (!places.ok) {
    const problems = places.error.map((fault) => ({ ...fault, line: headerLine, column: null }));
    return err({ kind: "header", problems });
  }
  const problems: StatementProblem[] = [];
  const columns = { names, places: places.value };
  const readRow = rowReader(columns, mapping, account, (found) => {
    if (problems.length < STATEMENT_PROBLEMS_MAX) problems.push(found);
  });

  async function* walk() {
    for await (const chunk of rows) {
      const records = chunk.flatMap((row) => readRow(row) ?? []);
      if (records.length > 0) yield records;
    }
  }
  return ok({
    names,
    lines: walk(),
    end() {
      const totals = end();
      return totals.ok && problems.length > 0 ? err(problems) : totals;
    },
  });
}

/** Returns whether a mapping has the signs and amounts that the format of the file fixes. */
const fits = (mapping: StatementMapping, fixed: Partial<StatementMapping>): boolean =>
  (fixed.payoutSign ?? mapping.payoutSign) === mapping.payoutSign &&
  (fixed.amountStyle ?? mapping.amountStyle) === mapping.amountStyle;

/** Printable ASCII without a space. The merge depends on the order of these characters. */
const CODE = /^[!-~]{1,128}$/;
const NUMBER = /^[ -~]{1,128}$/;
const CURRENCY = /^[A-Z0-9-]{1,40}$/;

type Report = (problem: StatementProblem) => void;

interface StatementColumns {
  readonly names: readonly string[];
  readonly places: StatementPlaces;
}

/** The cells of a row by field, and its problems. */
class Row {
  readonly #cells: readonly string[];
  readonly #columns: StatementColumns;
  readonly #report: Report;
  readonly line: number;
  isWhole = true;

  constructor({ cells, line }: CsvRecord, columns: StatementColumns, report: Report) {
    this.#cells = cells;
    this.#columns = columns;
    this.#report = report;
    this.line = line;
  }

  /** Returns the text of a field, "" if the file does not have it. */
  text(field: StatementField): string {
    const place = this.#columns.places.get(field);
    return place === undefined ? "" : (this.#cells[place] ?? "").trim();
  }

  has(field: StatementField): boolean {
    return this.#columns.places.has(field);
  }

  /** Reports a problem with a field. Returns null for the missing value. */
  fail(field: StatementField, message: string, expected: string): null {
    this.isWhole = false;
    const { names, places } = this.#columns;
    const column = visible(names[places.get(field) ?? -1] ?? field);
    const found = visible(this.text(field));
    this.#report({ line: this.line, column, message, expected, found });
    return null;
  }
}

/** Creates the function that reads a row. It returns null for a row with a problem. */
function rowReader(
  columns: StatementColumns,
  mapping: StatementMapping,
  account: StatementAccount,
  report: Report,
) {
  const readTime = timeReader(mapping.zone);
  const count = columns.names.length;
  return (record: CsvRecord): StatementLine | null => {
    const { cells, line } = record;
    if (cells.length !== count) {
      const message = "The row does not have as many cells as the header.";
      const expected = `${count} cells`;
      report({ line, column: null, message, expected, found: `${cells.length} cells` });
      return null;
    }
    const row = new Row(record, columns, report);
    const names = readNames(row, account);
    const amounts = readAmounts(row, names.currency, mapping, account);
    const word =
      statusOf(mapping, row.text("status")) ??
      row.fail("status", "The result is an unknown word.", `one of ${wordsOf(mapping).join(", ")}`);
    const status = word && amounts.isReversed ? reversedStatus(row, word) : word;
    const time = row.text("time");
    const at =
      time === ""
        ? null
        : (readTime(time) ??
          row.fail("time", "The time cannot be read.", "a time such as 2026-11-26 09:30:00"));
    if (!row.isWhole || !amounts.amount || !status) return null;
    return { ...names, amount: amounts.amount, fee: amounts.fee, status, at, line };
  };
}

/** Reads the code, the gateway number and the currency of a row. */
function readNames(row: Row, account: StatementAccount) {
  const gatewayNumber = row.text("gateway_number") || null;
  if (gatewayNumber !== null && !NUMBER.test(gatewayNumber)) {
    const expected = "ASCII characters, at most 128";
    row.fail("gateway_number", "The gateway number cannot be read.", expected);
  }
  const code = row.text("code") || (gatewayNumber === null ? "" : noCode(gatewayNumber));
  if (!CODE.test(code)) {
    const expected = "ASCII characters without spaces, at most 128";
    if (row.has("code")) row.fail("code", "The transaction code cannot be read.", expected);
    else row.fail("gateway_number", "The gateway number cannot be read.", expected);
  }
  // A blank cell of a column with currencies could be any currency.
  const currency = row.has("currency") ? row.text("currency").toUpperCase() : account.currency;
  if (!CURRENCY.test(currency)) {
    const expected = `a currency code such as ${account.currency}`;
    row.fail("currency", "The currency cannot be read.", expected);
  }
  return { code, gatewayNumber, currency };
}

/** Reads the amount and the fee of a row. */
function readAmounts(
  row: Row,
  currency: string,
  mapping: StatementMapping,
  account: StatementAccount,
) {
  const digits =
    currency === account.currency
      ? account.minorDigits
      : (unitOf(currency)?.minorDigits ?? account.minorDigits);
  const expected = `an amount such as ${AMOUNT_STYLES[mapping.amountStyle].example}`;
  const isNegative = SIGN.test(row.text("amount"));
  if (isNegative && mapping.payoutSign === "none") {
    const message = "The amount has a minus sign, and the mapping does not say which amounts do.";
    row.fail("amount", message, "the sign of payouts in the mapping, or an amount without a sign");
  }
  const amount =
    readAmount(row.text("amount"), digits, mapping) ??
    row.fail("amount", "The amount cannot be read.", expected);
  const isReversed =
    mapping.payoutSign !== "none" && isNegative !== (mapping.payoutSign === "negative");
  const feeText = row.text("fee");
  const fee =
    feeText === ""
      ? null
      : (readAmount(feeText, digits, mapping) ??
        row.fail("fee", "The fee cannot be read.", `${expected}, or an empty cell`));
  return { amount, fee, isReversed };
}

/** Returns the result of an amount whose sign is not that of payouts: the money came back. */
function reversedStatus(row: Row, status: StatementStatus): StatementStatus | null {
  if (status === "completed" || status === "returned") return "returned";
  const message = "The sign of the amount and the result contradict each other.";
  return row.fail("amount", message, `the sign of a payout, because the result is ${status}`);
}

const SIGN = /^[-\u2212]/u;

/** Maximum number of characters of an amount. More digits do not fit into the ledger. */
const AMOUNT_CHARS_MAX = 30;

/** Reads an exact amount, without its sign. Null: it is not an amount. */
function readAmount(
  text: string,
  digits: number,
  { amountStyle }: Pick<StatementMapping, "amountStyle">,
): ExactAmount | null {
  const plain = ungrouped(text.replace(SIGN, ""), amountStyle);
  const read =
    plain === null || plain.length > AMOUNT_CHARS_MAX ? null : parseDecimal(plain, digits);
  return read && read.minor.toString().length <= AMOUNT_CHARS_MAX ? read : null;
}
