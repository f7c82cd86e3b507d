import { type CryptoCurrencies, defaultLimits } from "#batch/amount-limits.ts";
import { checkByBank, checkField, checkFreeText, type CellFinding, trimmed } from "#batch/cell.ts";
import type { Column, ColumnPlaces } from "#batch/columns.ts";
import { LOST, noValueOf } from "#batch/no-value.ts";
import { checkCallback, checkPayoutCode } from "#batch/overrides.ts";
import { type CurrencyPlan, planRows } from "#batch/plan.ts";
import { type Problem, problem } from "#batch/problems.ts";
import { seenLines } from "#batch/seen.ts";
import { shapeProblems, storable, swallowed, withoutEmptyTail } from "#batch/shape.ts";
import { formatMoney } from "#money/format.ts";
import type { Money } from "#money/money.ts";
import { AMOUNT_STYLES, type AmountStyle, parseMoney } from "#money/parse.ts";
import { editDistance } from "#payout/edit-distance.ts";
import type { Carries } from "#payout/layout-limits.ts";
import type { DetailField, PayoutDetails, PayoutDraft } from "#payout/payout.ts";

/** How rows are read: configuration, the same for every row of a file. */
export interface RowSettings {
  /** The file's declared way to write amounts. */
  readonly amountStyle: AmountStyle;
  /** Currency to the largest amount that is taken, in minor units; a currency that is not in it has no limit. */
  readonly amountLimits: ReadonlyMap<string, bigint>;
  readonly crypto: CryptoCurrencies;
  /** What a bank code that is not in the tables is. */
  readonly bankCodes: "warn" | "error";
  /** What the layout of the request can hold. */
  readonly carries: Carries;
  /** The same per currency, where its merchant has a layout of its own. */
  readonly carriesOf: ReadonlyMap<string, Carries>;
  /** The currencies with merchant credentials; null: not known, all are taken. */
  readonly currencies: ReadonlySet<string> | null;
  /** Per currency, the payout codes of the merchant that pays it; null: not known, only their form is checked. */
  readonly payoutCodes: ReadonlyMap<string, ReadonlySet<string>> | null;
  /** The origins, such as https://shop.example, that a row may name in callback_url. */
  readonly callbackOrigins: ReadonlySet<string>;
}

const DEFAULT_CRYPTO: CryptoCurrencies = new Map([["USDT", { chain: "tron", minorDigits: 6 }]]);

export const DEFAULT_ROW_SETTINGS: RowSettings = {
  amountStyle: "plain",
  amountLimits: defaultLimits(DEFAULT_CRYPTO),
  crypto: DEFAULT_CRYPTO,
  bankCodes: "warn",
  carries: "raw",
  carriesOf: new Map(),
  currencies: null,
  payoutCodes: null,
  callbackOrigins: new Set(),
};

/** A row that can be paid as it stands, or everything that is wrong with it. */
export type RowVerdict =
  | {
      readonly kind: "draft";
      readonly line: number;
      readonly cells: readonly string[];
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

/** What a row was read from: cells that a program gave, text, or text in an encoding that was guessed. */
export type RowOrigin = "cells" | "text" | "guessed text";

/** Reads the rows of one file, in order. It remembers what it saw, to find repeated rows and codes. */
export type RowReader = (cells: readonly string[], line: number, origin?: RowOrigin) => RowVerdict;

export const NOT_ASCII = /[^\0-\x7f]/;
/** Signs in a word of Windows-1252 that are letters in the code pages of DOS and of old Macintoshes: Pe–a, Concei‡Æo. */
const OTHER_PAGE = /\p{L}[‡‹‰ˆ‚„ƒ™¡¢£¤¥]|[‡‹‰ˆ‚„ƒ¢¤¥]\p{L}|\p{L}[–—]\p{Ll}/u;

const TRANSACTION_CODE = /^[A-Za-z0-9._-]{1,64}$/;
export const REFERENCE_LENGTH_MAX = 200;

/** Prepares the reading of one file's rows: looks up columns, rules and limits once, not for each row. */
export function rowReader(
  header: readonly string[],
  places: ColumnPlaces,
  settings: RowSettings,
): RowReader {
  const plans = planRows(places, settings);
  const codes = seenLines();
  const payouts = seenLines();
  const known = new Set(places.values());
  const unknown = [...header.keys()].filter((at) => !known.has(at));
  const place = (column: Column) => places.get(column) ?? -1;
  const at = {
    currency: place("currency_code"),
    amount: place("transaction_amount"),
    code: place("transaction_code"),
    payoutCode: place("payout_code"),
    callback: place("callback_url"),
    reference: place("reference"),
  };

  return (rawCells, line, origin = "cells") => {
    const cells = withoutEmptyTail(rawCells, header.length);
    const currency = trimmed(cells, at.currency);
    const plan = plans.byCurrency.get(currency);
    const isMisread = (text: string) =>
      origin === "guessed text" && (plan?.isWestern === true ? OTHER_PAGE : NOT_ASCII).test(text);
    const shape = shapeProblems(cells, header, line);
    if (shape.length > 0) {
      const doubts = cells.some(isMisread)
        ? [problem("encoding_doubtful", { line }, { column: "The row" })]
        : [];
      const problems = [...shape, ...doubts];
      return { kind: "rejected", line, cells: storable(cells), problems };
    }

    const problems: Problem[] = [];
    const find = (column: Column, found: string) => (finding: CellFinding) => {
      const { code, values, severity } = finding;
      problems.push(problem(code, { line, column, found, ...(severity && { severity }) }, values));
    };

    if (!plan || settings.currencies?.has(currency) === false) {
      find("currency_code", currency)(currencyFinding(currency, plan, plans.byCurrency, settings));
    }
    const money = readAmount(trimmed(cells, at.amount), plan ?? plans.unknown, settings, find);
    const details = readDetails(cells, plan ?? plans.unknown, settings, { find, isMisread });

    const code = trimmed(cells, at.code);
    if (code !== "") checkCode(code, line, codes, find);
    const payoutCode = trimmed(cells, at.payoutCode);
    if (payoutCode !== "") checkPayoutCode(payoutCode, currency, settings, find);
    const callbackUrl = trimmed(cells, at.callback);
    if (isMisread(callbackUrl)) find("callback_url", callbackUrl)({ code: "encoding_doubtful" });
    else if (callbackUrl !== "") {
      checkCallback(callbackUrl, plan?.carries ?? settings.carries, settings, find);
    }
    const reference = trimmed(cells, at.reference);
    // In the place of a value that was spoilt (rejects.ts). Of others that are not sent no letter is doubted.
    if (reference === LOST) find("reference", reference)({ code: "lost_character" });
    else if (reference !== "")
      checkFreeText(reference, REFERENCE_LENGTH_MAX, find("reference", reference));

    // In a workbook a cell has as many lines as it likes, and swallows nothing.
    if (origin !== "cells") {
      const unused = plan?.unused.map(({ place: at }) => at) ?? [];
      problems.push(...swallowed(cells, header, [...unknown, ...unused], line));
    }
    if (money && plan) {
      const first = payouts.firstLineOf(destinationKey(money, details), line);
      if (first > 0) problems.push(problem("row_repeated", { line }, { first }));
    }

    if (!money || !plan || problems.some(({ severity }) => severity === "error")) {
      return { kind: "rejected", line, cells, problems };
    }
    const draft = {
      transactionCode: code || null,
      money,
      details,
      payoutCode: payoutCode || null,
      callbackUrl: callbackUrl || null,
      reference: reference || null,
    };
    return { kind: "draft", line, cells, draft, warnings: problems };
  };
}

export type Find = (column: Column, found: string) => (finding: CellFinding) => void;

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
    values: { currencies, hint: near ? `; ${near} comes nearest` : "" },
  };
}

function readAmount(
  text: string,
  plan: CurrencyPlan,
  settings: RowSettings,
  find: Find,
): Money | null {
  const { unit, limit } = plan;
  const amount = parseMoney(text, unit, settings.amountStyle);
  if (!amount.ok) {
    const { example } = AMOUNT_STYLES[settings.amountStyle];
    const values = {
      example,
      style: settings.amountStyle === "plain" ? "a plain amount" : settings.amountStyle,
      currency: unit.currency,
      digits: Math.min(unit.minorDigits, unit.gatewayDigits),
    };
    const none = amount.error === "amount_not_a_number" ? noValueOf(text) : null;
    find("transaction_amount", text)({ code: none ?? amount.error, values });
    return null;
  }
  if (limit !== null && amount.value.minor > limit) {
    const values = {
      currency: unit.currency,
      limit: formatMoney({ ...amount.value, minor: limit }),
    };
    find("transaction_amount", text)({ code: "amount_above_limit", values });
  }
  return amount.value;
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
  const none = noValueOf(code);
  if (none !== null) return report({ code: none });
  if (!TRANSACTION_CODE.test(code)) return report({ code: "bad_transaction_code" });
  const first = codes.firstLineOf(code, line);
  if (first > 0) report({ code: "transaction_code_repeated", values: { first } });
}

/**
 * What makes two rows the same payout to a careful eye: where the money goes, currency and amount. Where
 * a row names no account, the person and the bank stand for it.
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
