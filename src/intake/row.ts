import { readAmount } from "#intake/amount-cell.ts";
import type { AmountTally } from "#intake/amount-detection.ts";
import { type RowSettings } from "#intake/row-settings.ts";
import {
  checkByBank,
  checkField,
  checkFreeText,
  type CellFinding,
  type Find,
  trimmed,
} from "#intake/cell-check.ts";
import { type AddedColumns, NO_ADDED_COLUMNS } from "#intake/header/added-columns.ts";
import type { Column, ColumnPlaces } from "#intake/header/columns.ts";
import { REPLACEMENT_CHARACTER, missingValueCode } from "#intake/text/error-values.ts";
import { checkCallback, checkPayoutCode } from "#intake/overrides.ts";
import { type CurrencyPlan, planRowRules } from "#intake/row-plan.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import { OTHER_CODE_PAGE } from "#intake/text/mojibake.ts";
import { seenLines } from "#intake/text/first-seen.ts";
import {
  shapeProblems,
  storable,
  swallowedLines,
  withoutEmptyTail,
} from "#intake/text/trailing-cells.ts";
import type { Money } from "#money/money.ts";
import { editDistance } from "#payout/rules/edit-distance.ts";
import type { DetailField, PayoutDetails, PayoutDraft } from "#payout/payout.ts";

/** A row that can be paid as it is, or all its problems. */
export type RowVerdict =
  | {
      readonly kind: "draft";
      readonly line: number;
      readonly cells: readonly string[];
      /**
       * The cells from which the transaction code is derived, if they differ from `cells`: those of
       * the file without added columns, and the numbers of a workbook, which `cells` shows in the
       * amount format of the file.
       */
      readonly codedCells?: readonly string[];
      readonly draft: PayoutDraft;
      readonly warnings: readonly Problem[];
    }
  | RejectedRow;

export interface RejectedRow {
  readonly kind: "rejected";
  readonly line: number;
  readonly cells: readonly string[];
  readonly problems: readonly Problem[];
}

/** Source of a row: cells given by a program, text, or text in a guessed encoding. */
export type RowOrigin = "cells" | "text" | "guessed text";

/**
 * Reads the rows of one file, in order. It remembers earlier rows to find duplicate rows and codes.
 *
 * @param amount what the cell of the amount contains: in a workbook it may be a number, which has
 *   no format.
 */
export type RowReader = (
  cells: readonly string[],
  line: number,
  origin?: RowOrigin,
  amount?: "text" | "number",
) => RowVerdict;

export const NOT_ASCII = /[^\0-\x7f]/;

const TRANSACTION_CODE = /^[A-Za-z0-9._-]{1,64}$/;
export const REFERENCE_LENGTH_MAX = 200;

/**
 * Prepares the reading of one file's rows: resolves columns, rules and limits once instead of for
 * each row.
 *
 * @param tally compares how each format would read the amounts. Null: the format is certain.
 * @param added columns that the cells lack. The verdicts have them before the other cells.
 */
export function rowReader(
  ownHeader: readonly string[],
  ownPlaces: ColumnPlaces,
  settings: RowSettings,
  tally: AmountTally | null = null,
  added: AddedColumns = NO_ADDED_COLUMNS,
): RowReader {
  const { header, places } = withAdded(added, ownHeader, ownPlaces);
  const isAdded = added.names.length > 0;
  const plans = planRowRules(places, settings);
  const codes = seenLines();
  const payouts = seenLines();
  const known = new Set(places.values());
  const unknown = [...header.keys()].filter((at) => !known.has(at));
  const at = commonPlaces(places);

  return (rawCells, line, origin = "cells", amount = "text") => {
    const own = withoutEmptyTail(rawCells, ownHeader.length);
    const cells = isAdded ? [...added.cells, ...own] : own;
    const currency = trimmed(cells, at.currency);
    const plan = plans.byCurrency.get(currency);
    const isMisread = (text: string) =>
      origin === "guessed text" &&
      (plan?.isWestern === true ? OTHER_CODE_PAGE : NOT_ASCII).test(text);
    const shape = shapeProblems(own, ownHeader, line);
    if (shape.length > 0) return rejectedShape(cells, line, shape, cells.some(isMisread));

    const problems: Problem[] = [];
    const find = (column: Column, found: string) => (finding: CellFinding) => {
      const { code, values, severity } = finding;
      problems.push(problem(code, { line, column, found, ...(severity && { severity }) }, values));
    };

    if (!plan || settings.currencies?.has(currency) === false) {
      find("currency_code", currency)(currencyFinding(currency, plan, plans.byCurrency, settings));
    }
    const cell = { text: trimmed(cells, at.amount), kind: amount };
    const money = readAmount(cell, plan ?? plans.unknown, { settings, tally, find });
    const details = readDetails(cells, plan ?? plans.unknown, settings, { find, isMisread });

    const code = trimmed(cells, at.code);
    if (code !== "") checkCode(code, line, codes, find);
    const payoutCode = trimmed(cells, at.payoutCode);
    if (payoutCode !== "") checkPayoutCode(payoutCode, currency, settings, find);
    const callbackUrl = trimmed(cells, at.callback);
    if (isMisread(callbackUrl)) find("callback_url", callbackUrl)({ code: "encoding_doubtful" });
    else checkCallback(callbackUrl, plan?.carries ?? settings.carries, settings, find);
    const reference = trimmed(cells, at.reference);
    if (reference !== "") checkReference(reference, find);

    // In a workbook a cell may have any number of lines and cannot contain other rows by accident.
    if (origin !== "cells") {
      const unused = plan?.unused.map(({ place: at }) => at) ?? [];
      problems.push(...swallowedLines(cells, header, [...unknown, ...unused], line));
    }
    if (money && plan) {
      const first = payouts.firstLineOf(destinationKey(money, details), line);
      if (first > 0) problems.push(problem("row_repeated", { line }, { first }));
    }

    if (!money || !plan || problems.some(({ severity }) => severity === "error")) {
      return { kind: "rejected", line, cells, problems };
    }
    const texts = { transactionCode: code, payoutCode, callbackUrl, reference };
    const draft = { ...withoutEmpty(texts), money, details };
    const verdict = { kind: "draft", line, cells, draft, warnings: problems } as const;
    // The code of a row must not depend on the currency that was chosen for the file.
    return isAdded ? { ...verdict, codedCells: own } : verdict;
  };
}

/** Replaces empty texts by null. */
const withoutEmpty = <Name extends string>(texts: Readonly<Record<Name, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text || null])) as Record<
    Name,
    string | null
  >;

/** Returns the added columns, followed by those of the file. */
function withAdded(
  { names }: AddedColumns,
  ownHeader: readonly string[],
  ownPlaces: ColumnPlaces,
): { readonly header: readonly string[]; readonly places: ColumnPlaces } {
  const places = new Map([
    ...names.map((column, place) => [column, place] as const),
    ...[...ownPlaces].map(([column, place]) => [column, place + names.length] as const),
  ]);
  return { header: [...names, ...ownHeader], places };
}

/** Places of the columns that do not depend on the currency; -1 for a column that is missing. */
function commonPlaces(places: ColumnPlaces) {
  const place = (column: Column) => places.get(column) ?? -1;
  return {
    currency: place("currency_code"),
    amount: place("transaction_amount"),
    code: place("transaction_code"),
    payoutCode: place("payout_code"),
    callback: place("callback_url"),
    reference: place("reference"),
  };
}

/** Rejects a row whose cells cannot be assigned to columns. */
function rejectedShape(
  cells: readonly string[],
  line: number,
  shape: readonly Problem[],
  isMisread: boolean,
): RejectedRow {
  const doubts = isMisread ? [problem("encoding_doubtful", { line }, { column: "The row" })] : [];
  return { kind: "rejected", line, cells: storable(cells), problems: [...shape, ...doubts] };
}

function currencyFinding(
  currency: string,
  plan: CurrencyPlan | undefined,
  plans: ReadonlyMap<string, CurrencyPlan>,
  settings: RowSettings,
): CellFinding {
  const known = [...plans.keys()].filter((code) => settings.currencies?.has(code) ?? true);
  const currencies = known.join(" ");
  if (currency === "") return { code: "currency_missing", values: { currencies } };
  if (plan) return { code: "currency_without_merchant", values: { currencies, currency } };

  const upper = currency.slice(0, 12).toUpperCase();
  const near =
    known.find((code) => code === upper) ?? known.find((code) => editDistance(code, upper) === 1);
  return {
    code: "currency_unknown",
    values: { currencies, hint: near ? ` (closest match: ${near})` : "" },
  };
}

function readDetails(
  cells: readonly string[],
  plan: CurrencyPlan,
  settings: RowSettings,
  { find, isMisread }: { readonly find: Find; readonly isMisread: (text: string) => boolean },
): PayoutDetails {
  const details: Partial<Record<DetailField, string>> = {};
  for (const field of plan.fields) {
    const text = trimmed(cells, field.place);
    if (isMisread(text)) {
      find(field.column, text)({ code: "encoding_doubtful" });
    } else if (text !== "") {
      details[field.column] = checkField(text, field, plan, find(field.column, text));
    } else if (field.need !== "optional") {
      const code = field.need === "required" ? "value_missing" : "value_wanted";
      const currency = plan.unit.currency || "all";
      find(field.column, "")({ code, values: { currency, expected: field.expected } });
    }
  }
  checkByBank(details, plan, settings.bankCodes, find);
  for (const { column, place } of plan.unused) {
    const text = trimmed(cells, place);
    if (text !== "")
      find(column, text)({ code: "value_unused", values: { currency: plan.unit.currency } });
  }
  return details;
}

function checkCode(
  code: string,
  line: number,
  codes: ReturnType<typeof seenLines>,
  find: Find,
): void {
  const report = find("transaction_code", code);
  const none = missingValueCode(code);
  if (none !== null) return report({ code: none });
  if (!TRANSACTION_CODE.test(code)) return report({ code: "bad_transaction_code" });
  const first = codes.firstLineOf(code, line);
  if (first > 0) report({ code: "transaction_code_repeated", values: { first } });
}

function checkReference(reference: string, find: Find): void {
  const report = find("reference", reference);
  // The marker of a damaged value (rejects.ts). The letters of other values that are not sent are
  // not checked.
  if (reference === REPLACEMENT_CHARACTER) report({ code: "lost_character" });
  else checkFreeText(reference, REFERENCE_LENGTH_MAX, report);
}

/**
 * Key under which two rows count as the same payout: destination of the money, currency and amount.
 * If a row has no account, the person and the bank take its place.
 */
function destinationKey(money: Money, details: PayoutDetails): string {
  const {
    address,
    bank_account_number: account,
    bank_code: bank,
    ifsc_code: ifsc,
    branch_code: branch,
  } = details;
  const where =
    address ??
    (account === undefined
      ? `${details.user_id}|${details.account_name}|${bank}|${details.phone_number}`
      : `${account}|${bank}|${ifsc}|${branch}|${details.bank_name}`);
  return `${money.currency}|${money.minor}|${where}`;
}
