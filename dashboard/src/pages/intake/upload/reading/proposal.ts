/** How a file could be read, as the server suggests it. */
export interface ReadingProposal {
  /** Null: the format of the amounts is certain. */
  readonly amounts: {
    readonly values: number;
    readonly proposed: string | null;
    readonly formats: readonly FormatProposal[];
  } | null;
  /** Null: every column has one of payrun's names. */
  readonly columns: readonly ColumnProposal[] | null;
  /** Present together with the columns. */
  readonly currency: CurrencyProposal | null;
}

/** The currency of all rows of a file without such a column, and the columns it requires. */
export interface CurrencyProposal {
  readonly choices: readonly string[];
  readonly proposed: string | null;
  /** The currencies in the file that decide about required columns. */
  readonly found: readonly string[];
  readonly required: readonly CurrencyColumns[];
}

/** The columns that payouts of a currency require. */
interface CurrencyColumns {
  readonly currency: string;
  readonly columns: readonly string[];
}

export interface FormatProposal {
  readonly format: string;
  readonly fits: number;
  readonly only: number;
  readonly totals: readonly { readonly currency: string; readonly amount: string }[];
  readonly examples: readonly {
    readonly text: string;
    readonly currency: string;
    readonly amount: string | null;
  }[];
}

export interface ColumnProposal {
  readonly name: string;
  readonly column: string | null;
  readonly basis: "own_name" | "remembered" | "synonym" | "several" | "unknown";
  readonly first: string;
}

/** The confirmation of the uploader, as the API takes it. */
export interface ConfirmedReading {
  readonly amounts?: string;
  readonly columns?: string[];
  readonly currency?: string;
  readonly remember_columns?: "true";
}

/** The columns without which no row can be paid. */
const REQUIRED = ["user_id", "currency_code", "transaction_amount", "account_name"];

/** The chosen column of each column of the file; "" for a column that is ignored. */
export type ChosenColumns = Readonly<Record<string, string>>;

/** Returns the choices that the server suggests. */
export const suggestedColumns = ({ columns }: ReadingProposal): ChosenColumns =>
  Object.fromEntries((columns ?? []).map(({ name, column }) => [name, column ?? ""]));

/** Returns whether a column of the file holds the currency. */
export const hasCurrencyColumn = (chosen: ChosenColumns): boolean =>
  Object.values(chosen).includes("currency_code");

/**
 * Returns the required columns that no column of the file has, and those that several have.
 *
 * @param currency the currency of all rows. Null: not chosen.
 */
export function columnFaults(
  chosen: ChosenColumns,
  currency: string | null,
): {
  readonly missing: readonly string[];
  readonly twice: readonly string[];
} {
  const columns = Object.values(chosen).filter((column) => column !== "");
  return {
    missing: REQUIRED.filter(
      (column) => !columns.includes(column) && (column !== "currency_code" || currency === null),
    ),
    twice: [...new Set(columns.filter((column, at) => columns.indexOf(column) !== at))],
  };
}

/** A column that the currency of the file requires, and columns of the file that may hold it. */
export interface MissingColumn {
  readonly currency: string;
  readonly column: string;
  /** The names of these columns in the file. */
  readonly candidates: readonly string[];
}

/** Returns the columns that the currencies of the file require and that were not chosen. */
export function missingColumns(
  { columns, currency: of }: ReadingProposal,
  chosen: ChosenColumns,
  currency: string | null,
): readonly MissingColumn[] {
  const isInFile = hasCurrencyColumn(chosen);
  const currencies = isInFile ? (of?.found ?? []) : currency === null ? [] : [currency];
  const taken = Object.values(chosen);
  const missing = (of?.required ?? [])
    .filter((required) => currencies.includes(required.currency))
    .flatMap((required) => required.columns.map((column) => ({ column, required })))
    .filter(({ column }) => !taken.includes(column) && !REQUIRED.includes(column));
  return missing.map(({ column, required }) => ({
    currency: required.currency,
    column,
    candidates: (columns ?? [])
      .filter(({ name, basis }) => basis !== "own_name" && mayHold(column, name))
      // A column that holds another required detail would leave that one missing.
      .filter(({ name }) => isFree(chosen[name] ?? "", required.columns))
      .map(({ name }) => name),
  }));
}

const isFree = (meaning: string, required: readonly string[]): boolean =>
  ["", "bank_code", "bank_name"].includes(meaning) && !required.includes(meaning);

/** A column with the bank may hold its code or its name. */
const mayHold = (column: string, name: string): boolean =>
  ["bank_code", "bank_name"].includes(column) && /bank/i.test(name);

/**
 * Returns the confirmation for the API. If another column was chosen for the amount or currency,
 * the shown format belongs to other values, so it is not confirmed with it.
 */
export function confirmedReading(
  proposal: ReadingProposal,
  chosen: ChosenColumns,
  {
    format,
    currency,
    remembers,
  }: {
    readonly format: string | null;
    /** The currency of all rows, if no column holds it. */
    readonly currency: string | null;
    readonly remembers: boolean;
  },
): ConfirmedReading {
  const ofAll = hasCurrencyColumn(chosen) ? null : currency;
  const isSameCurrency = ofAll === (proposal.currency?.proposed ?? null);
  const others = (proposal.columns ?? []).filter(({ basis }) => basis !== "own_name");
  const isSameAmount = others.every(({ name, column }) => {
    const affected = [column, chosen[name]].some(
      (each) => each === "transaction_amount" || each === "currency_code",
    );
    return !affected || (column ?? "") === chosen[name];
  });
  const told = others.filter(({ name, basis }) => chosen[name] !== "" || basis !== "unknown");
  const named = told.length > 0 ? told : others.slice(0, 1);
  return {
    ...(format !== null && isSameAmount && isSameCurrency && { amounts: format }),
    ...(ofAll !== null && { currency: ofAll }),
    ...(proposal.columns && {
      columns: named.map(({ name }) => `${name}=${chosen[name] ?? ""}`),
      ...(remembers && { remember_columns: "true" as const }),
    }),
  };
}
