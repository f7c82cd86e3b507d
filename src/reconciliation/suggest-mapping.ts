import { parseDecimal } from "#money/money.ts";
import { type AmountStyle, AMOUNT_STYLE_NAMES, ungrouped } from "#money/parse.ts";
import {
  type StatementField,
  type StatementMapping,
  suggestColumns,
} from "#reconciliation/statement-mapping.ts";

/** The columns of a statement, with values of its first rows. */
export interface StatementSample {
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const NUMBERS = /^[+-]?\s*\d/;

/** Returns the values of one column that are not empty. */
export const valuesOf = ({ names, rows }: StatementSample, name: string): readonly string[] => {
  const at = names.indexOf(name);
  return rows.map((row) => (row[at] ?? "").trim()).filter((value) => value !== "");
};

/**
 * Suggests a column for each field by its name and by its first values. Generated transaction codes
 * are recognised in any column; the column whose name looked like the code then has the gateway's
 * own number.
 *
 * @param generatedCode matches a generated transaction code.
 */
export function suggestFromValues(
  sample: StatementSample,
  generatedCode: RegExp,
): StatementMapping["columns"] {
  const byName = suggestColumns(sample.names);
  const withCodes = sample.names.filter((name) => {
    const values = valuesOf(sample, name);
    return values.length > 0 && values.every((value) => generatedCode.test(value));
  });
  const [code] = withCodes;
  if (withCodes.length !== 1 || code === undefined || byName.code === code) return byName;
  const others = Object.entries(byName).filter(([, name]) => name !== code);
  const columns: Partial<Record<StatementField, string>> = { ...Object.fromEntries(others), code };
  if (columns.gateway_number === undefined && byName.code !== undefined)
    columns.gateway_number = byName.code;
  return columns;
}

/** Returns the first style in which every amount can be read. Null: there is none, or no amount. */
export function suggestStyle(amounts: readonly string[]): AmountStyle | null {
  const values = amounts.map((text) => text.replace(/^[+-]\s*/, ""));
  if (values.length === 0 || !values.every((text) => NUMBERS.test(text))) return null;
  return AMOUNT_STYLE_NAMES.find((style) => values.every((text) => isIn(text, style))) ?? null;
}

const isIn = (text: string, style: AmountStyle): boolean =>
  parseDecimal(ungrouped(text, style) ?? "", 0) !== null;
