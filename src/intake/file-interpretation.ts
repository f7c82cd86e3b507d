import { AmountTally } from "#intake/amount-detection.ts";
import {
  type ColumnSuggestion,
  columnsQuestion,
  type ReadColumns,
} from "#intake/header/column-mapping.ts";
import { type AddedColumns, NO_ADDED_COLUMNS } from "#intake/header/added-columns.ts";
import type { Column } from "#intake/header/columns.ts";
import {
  addedColumns,
  availableCurrencies,
  currenciesIn,
  requiredColumns,
} from "#intake/row-plan.ts";
import { maskCells } from "#intake/masking.ts";
import type { RowSettings } from "#intake/row-settings.ts";
import type { RowVerdict } from "#intake/row.ts";
import { type Problem, problem } from "#intake/text/problems.ts";
import type { AmountProposal } from "#intake/text/reading-proposal.ts";
import { visible } from "#base/invisible-characters.ts";
import type { Result } from "#base/result.ts";
import { AMOUNT_STYLES, type AmountStyle } from "#money/parse.ts";

/** The choices by which a file was read. An approval covers them. */
export interface FileInterpretation {
  readonly amounts: AmountStyle;
  /** True if a person confirmed the format; false if it is the default and no other one fits. */
  readonly amountsConfirmed: boolean;
  /** The columns that were read by a confirmed mapping, with their names in the file. */
  readonly columns: readonly { readonly name: string; readonly column: string }[];
  /** The currency of all rows, which the uploader chose for a file without a currency column. */
  readonly currency?: string;
  /** Number of columns that payrun added in front of those of the file. Absent: none. */
  readonly added?: number;
}

/** Returns how a file with these settings and columns is read. */
export const interpretationOf = (
  { amountStyle, amountsConfirmed }: RowSettings,
  { mapped, currency }: Pick<ReadColumns, "mapped" | "currency">,
  { names: added }: AddedColumns = NO_ADDED_COLUMNS,
): FileInterpretation => ({
  amounts: amountStyle,
  amountsConfirmed,
  columns: mapped,
  ...(currency !== null && { currency }),
  ...(added.length > 0 && { added: added.length }),
});

/** Returns the tally for a file whose amount format is not certain. Null: it is. */
export const tallyFor = ({ amountStyle, amountsFixed }: RowSettings): AmountTally | null =>
  amountsFixed ? null : new AmountTally(amountStyle);

/** Returns what to ask about the amounts, after all rows were read. Null: nothing. */
export function amountsQuestion(tally: AmountTally | null): Problem | null {
  const amounts = tally?.question();
  if (!amounts) return null;
  const asked = problem("amounts_unconfirmed", {}, { hint: formatHint(amounts) });
  return { ...asked, proposal: { amounts, columns: null } };
}

function formatHint({ values, proposed, formats }: AmountProposal): string {
  const fitting = formats.find(({ format }) => format === proposed);
  const texts = formats[0]?.examples.map(({ text }) => visible(text)).join(", ") ?? "";
  if (fitting) {
    const { format, fits } = fitting;
    return `${fits} of ${values} amounts, such as ${texts}, fit the format ${exampleOf(format)}.`;
  }
  const names = formats.filter(({ fits }) => fits === formats[0]?.fits);
  const [only, other] = formats;
  if (only && other && names.length === 1) {
    return `Amounts such as ${texts} fit the format ${exampleOf(only.format)}, but have too many decimals in the format ${exampleOf(other.format)}.`;
  }
  const choices = names.map(({ format }) => exampleOf(format)).join(" or ");
  return `Amounts such as ${texts} have different values in the formats ${choices}.`;
}

const exampleOf = (format: string): string =>
  Object.hasOwn(AMOUNT_STYLES, format) ? AMOUNT_STYLES[format as AmountStyle].example : format;

/**
 * Reads all rows of a file whose columns are not confirmed, with the suggested columns, so that the
 * question about the amounts can be asked together with that about the columns.
 */
export async function askAbout(
  { question: suggestions, currency }: Question,
  { found, added }: FoundCurrencies,
  settings: RowSettings,
  reading: {
    readonly facts: { readonly header: readonly string[] };
    readonly rows: AsyncIterable<readonly RowVerdict[]>;
    end(): Result<unknown, readonly Problem[]>;
  },
): Promise<readonly Problem[]> {
  const names = reading.facts.header;
  let first: readonly string[] = [];
  for await (const [row] of reading.rows) {
    if (row && first.length === 0) {
      first = maskCells(names, row.cells, false).slice(added.names.length);
    }
  }
  const end = reading.end();
  const amounts = end.ok ? undefined : end.error.find(({ proposal }) => proposal);
  if (!end.ok && !amounts) return end.error;
  const columns = suggestions.map((each, place) => ({ ...each, first: first[place] ?? "" }));
  const choices = availableCurrencies(settings);
  const required = requiredColumns([...new Set([...choices, ...found])], settings);
  const proposal = {
    amounts: amounts?.proposal?.amounts ?? null,
    columns,
    currency: { choices, proposed: currency, found, required },
  };
  return [{ ...columnsQuestion(suggestions, currency), proposal }, ...(amounts ? [amounts] : [])];
}

/** The suggestions to confirm, with the currency of all rows if the file lacks that column. */
interface Question {
  readonly question: readonly ColumnSuggestion[];
  readonly currency: string | null;
}

/** The currencies in a file, and the columns that payrun adds for their sake. */
export interface FoundCurrencies {
  readonly found: readonly string[];
  readonly added: AddedColumns;
}

/** Rows of a file as texts. */
export type RowPages = AsyncIterable<readonly (readonly string[])[]>;

/**
 * Finds the currencies in a file, and the required columns that the file lacks. All rows are
 * searched only for currencies whose columns are not known to be in the file.
 *
 * @param first the first rows.
 * @param rowsNaming returns at least the rows that contain one of these currency codes.
 */
export async function findCurrencies(
  first: readonly (readonly string[])[],
  { places, currency }: Pick<ReadColumns, "places" | "currency">,
  settings: RowSettings,
  rowsNaming: (codes: readonly string[]) => RowPages,
): Promise<FoundCurrencies> {
  const found = new Set(currency === null ? currenciesIn(first, places) : []);
  const added = () => addedColumns(places, currency, [...found], settings);
  const wanted = new Set(
    currency === null && places.has("currency_code")
      ? lackingCurrencies(places, added().names, settings)
      : [],
  );
  if (wanted.size > 0) {
    for await (const rows of rowsNaming([...wanted])) {
      for (const each of currenciesIn(rows, places)) if (wanted.has(each)) found.add(each);
    }
  }
  return { found: [...found], added: added() };
}

/** Returns the currencies of the account that require a column which the file does not have. */
const lackingCurrencies = (
  places: ReadColumns["places"],
  added: readonly Column[],
  settings: RowSettings,
): readonly string[] =>
  requiredColumns(availableCurrencies(settings), settings).flatMap(({ currency, columns }) =>
    columns.every((column) => places.has(column) || added.includes(column)) ? [] : [currency],
  );

/** Returns the settings for reading rows of an existing batch again, in the format of its file. */
export const settingsOfBatch = (
  settings: RowSettings,
  reading: FileInterpretation | undefined,
): RowSettings => ({
  ...settings,
  amountStyle: reading?.amounts ?? settings.amountStyle,
  amountsConfirmed: reading?.amountsConfirmed ?? false,
  amountsFixed: true,
});

/** Returns what an approver must know about how the file was read. */
export function interpretationNotes({
  amounts,
  amountsConfirmed,
  columns,
  currency,
}: FileInterpretation): readonly Problem[] {
  const { example } = AMOUNT_STYLES[amounts];
  const who = amountsConfirmed ? "which the uploader confirmed" : "the default of this server";
  return [
    ...(amounts === "plain" ? [] : [problem("amounts_read_as", {}, { example, who })]),
    ...(columns.length === 0
      ? []
      : [problem("columns_read_as", {}, { columns: columnsText(columns) })]),
    ...(currency === undefined ? [] : [problem("currency_of_all_rows", {}, { currency })]),
  ];
}

const columnsText = (columns: FileInterpretation["columns"]): string =>
  columns.map(({ name, column }) => `"${visible(name)}" as ${column}`).join(", ");

/** Describes how a file was read, in half a sentence. */
export function interpretationText({ amounts, columns, currency }: FileInterpretation): string {
  return [
    `amounts as ${AMOUNT_STYLES[amounts].example}`,
    ...(columns.length === 0 ? [] : [columnsText(columns)]),
    ...(currency === undefined ? [] : [`${currency} as the currency of all rows`]),
  ].join(" and ");
}

/**
 * Returns the text that the content digest of a batch starts with. Empty for plain amounts under
 * payrun's own column names.
 */
export const digestedInterpretation = ({
  amounts,
  columns,
  currency,
}: FileInterpretation): string =>
  amounts === "plain" && columns.length === 0 && currency === undefined
    ? ""
    : JSON.stringify([
        "reading 1",
        amounts,
        columns.map(({ name, column }) => [name, column]),
        ...(currency === undefined ? [] : [currency]),
      ]);
