import { type CryptoCurrencies, unitsOf } from "#intake/amount-limits.ts";
import type { AddedColumns } from "#intake/header/added-columns.ts";
import type { Column, ColumnPlaces } from "#intake/header/columns.ts";
import { type AmountUnit, isCurrency } from "#money/currency.ts";
import { CHAINS, type Chain } from "#payout/rules/addresses.ts";
import type { BankDoubt } from "#payout/rules/bank-codes/bank-codes.ts";
import { FORMATS } from "#payout/rules/formats.ts";
import type { Carries } from "#payout/rules/layout-limits.ts";
import { DETAIL_FIELDS, type DetailField } from "#payout/payout.ts";
import {
  COMMON_FIELDS,
  CRYPTO_FIELDS,
  type FieldKind,
  type FieldRules,
  type Need,
  RULES,
  WESTERN_NAME_CURRENCIES,
} from "#payout/rules/currency-rules.ts";

/** The rules for one column of a row in one currency. */
export interface FieldPlan {
  readonly column: DetailField;
  /** Position of the column in the file, or -1 if the file does not have it. */
  readonly place: number;
  readonly need: Need;
  readonly kind: FieldKind;
  readonly expected: string;
}

/** All rules for rows of one currency in one file, resolved once instead of for each row. */
export interface CurrencyPlan {
  readonly unit: AmountUnit;
  readonly limit: bigint | null;
  readonly chain: Chain | null;
  readonly carries: Carries;
  /**
   * True if Windows-1252 can encode the names of the currency's people. Also true for wallets,
   * because the residence of their owners is unknown.
   */
  readonly isWestern: boolean;
  readonly fields: readonly FieldPlan[];
  /** Columns of the file that payouts of this currency do not contain. */
  readonly unused: readonly { readonly column: Column; readonly place: number }[];
  /**
   * Cached problems of unlisted bank codes in this file. This is the only part that grows, up to a
   * maximum.
   */
  readonly bankCodeFindings: Map<string, BankDoubt>;
}

/** The settings that decide which currencies exist, how much of each may be paid, and how. */
export interface PlanSettings {
  readonly amountLimits: ReadonlyMap<string, bigint>;
  readonly crypto: CryptoCurrencies;
  readonly carries: Carries;
  readonly carriesOf: ReadonlyMap<string, Carries>;
}

/**
 * A row of an unknown currency is still validated where the currency does not matter. 18 decimals
 * fit any currency.
 */
const UNKNOWN_UNIT: AmountUnit = { currency: "", minorDigits: 18, gatewayDigits: 18 };
const UNKNOWN_FIELDS: FieldRules = {
  ...COMMON_FIELDS,
  bank_account_number: { need: "optional", kind: "account" },
  bank_code: { need: "optional", kind: "bank_code" },
  bank_name: { need: "optional", kind: "name" },
};

/**
 * Builds the plans of all configured currencies, and the plan for rows whose currency is unknown.
 */
export function planRowRules(
  places: ColumnPlaces,
  settings: PlanSettings,
): { readonly byCurrency: ReadonlyMap<string, CurrencyPlan>; readonly unknown: CurrencyPlan } {
  const byCurrency = new Map<string, CurrencyPlan>();
  for (const [currency, unit] of unitsOf(settings.crypto)) {
    const chain = settings.crypto.get(currency)?.chain ?? null;
    const rules = isCurrency(currency) && !chain ? RULES[currency] : CRYPTO_FIELDS;
    byCurrency.set(currency, planOf(unit, rules, chain, places, settings));
  }
  return { byCurrency, unknown: planOf(UNKNOWN_UNIT, UNKNOWN_FIELDS, null, places, settings) };
}

function planOf(
  unit: AmountUnit,
  rules: FieldRules,
  chain: Chain | null,
  places: ColumnPlaces,
  settings: PlanSettings,
): CurrencyPlan {
  const fields = DETAIL_FIELDS.flatMap((column) => {
    const rule = rules[column];
    if (!rule) return [];
    return [
      { column, place: places.get(column) ?? -1, ...rule, expected: expectedOf(rule.kind, chain) },
    ];
  });
  const unused = DETAIL_FIELDS.flatMap((column) => {
    const place = places.get(column);
    return rules[column] || place === undefined || unit.currency === "" ? [] : [{ column, place }];
  });
  const limit = settings.amountLimits.get(unit.currency) ?? null;
  const isWestern =
    !isCurrency(unit.currency) || chain !== null || WESTERN_NAME_CURRENCIES.has(unit.currency);
  const carries = settings.carriesOf.get(unit.currency) ?? settings.carries;
  return { unit, limit, chain, carries, isWestern, fields, unused, bankCodeFindings: new Map() };
}

function expectedOf(kind: FieldKind, chain: Chain | null): string {
  if (kind === "name") return "a name";
  if (kind === "wallet") return chain ? CHAINS[chain].expected : "a wallet address";
  return FORMATS[kind].expected;
}

/** The columns that payouts of a currency require. */
interface CurrencyColumns {
  readonly currency: string;
  readonly columns: readonly Column[];
}

/** Returns the required columns of each of these currencies. Unknown currencies are left out. */
export function requiredColumns(
  currencies: readonly string[],
  settings: PlanSettings,
): readonly CurrencyColumns[] {
  const { byCurrency } = planRowRules(new Map(), settings);
  return currencies.flatMap((currency) => {
    const fields = byCurrency.get(currency)?.fields ?? [];
    const columns = fields.filter(({ need }) => need === "required").map(({ column }) => column);
    return columns.length === 0 ? [] : [{ currency, columns }];
  });
}

/**
 * Returns the columns to add to a file.
 *
 * @param currency the currency of all rows. Null: the file has a currency column.
 * @param found the currencies of the rows.
 */
export function addedColumns(
  places: ColumnPlaces,
  currency: string | null,
  found: readonly string[],
  settings: PlanSettings,
): AddedColumns {
  const required = requiredColumns(currency === null ? found : [currency], settings);
  const missing = new Set(required.flatMap(({ columns }) => columns));
  const names = [...missing].filter((column) => !places.has(column));
  return currency === null
    ? { names, cells: names.map(() => "") }
    : { names: ["currency_code", ...names], cells: [currency, ...names.map(() => "")] };
}

/** Returns the currencies in these rows, in the order of their first row. */
export function currenciesIn(
  rows: readonly (readonly string[])[],
  places: ColumnPlaces,
): readonly string[] {
  const place = places.get("currency_code") ?? -1;
  const texts = rows.map((cells) => cells[place]?.trim() ?? "");
  return [...new Set(texts)].filter((text) => text !== "");
}

/** Returns the currencies in which an account can pay. */
export const availableCurrencies = ({
  currencies,
  ...settings
}: PlanSettings & { readonly currencies: ReadonlySet<string> | null }): readonly string[] =>
  [...planRowRules(new Map(), settings).byCurrency.keys()].filter(
    (currency) => currencies?.has(currency) ?? true,
  );
