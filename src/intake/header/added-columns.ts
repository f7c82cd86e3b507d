import { trimmed } from "#intake/cell-check.ts";
import type { Column, ColumnPlaces } from "#intake/header/columns.ts";
import { type PlanSettings, planRowRules } from "#intake/row-plan.ts";
import type { RowSettings } from "#intake/row-settings.ts";

/**
 * Columns that a file lacks. payrun adds them in front of the file's own, with the same value in
 * every row: the currency of all rows, and empty columns that the currency requires, so that their
 * values can be entered on the file page or in the file of rejected rows.
 */
export interface AddedColumns {
  readonly names: readonly Column[];
  readonly cells: readonly string[];
}

export const NO_ADDED_COLUMNS: AddedColumns = { names: [], cells: [] };

/** The columns that payouts of a currency require. */
export interface CurrencyColumns {
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
 * @param currency the currency of all rows. Null: the file has a column for it.
 * @param found the currencies of the first rows.
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
  return [...new Set(rows.map((cells) => trimmed(cells, place)))].filter((text) => text !== "");
}

/** Returns the currencies in which an account can pay. */
export const availableCurrencies = ({
  currencies,
  ...settings
}: PlanSettings & Pick<RowSettings, "currencies">): readonly string[] =>
  [...planRowRules(new Map(), settings).byCurrency.keys()].filter(
    (currency) => currencies?.has(currency) ?? true,
  );

/**
 * Returns the currency that the columns of a file prove: that of its IFSC column, or the only one
 * in which the account can pay. Null: none.
 */
export function provenCurrency(
  columns: ReadonlySet<string | null>,
  available: readonly string[],
): string | null {
  if (available.length === 1) return available[0] ?? null;
  return columns.has("ifsc_code") && available.includes("INR") ? "INR" : null;
}
