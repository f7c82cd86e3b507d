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
  readonly remember_columns?: "true";
}

/** The columns without which no row can be paid. */
const REQUIRED = ["user_id", "currency_code", "transaction_amount", "account_name"];

/** The chosen column of each column of the file; "" for a column that is ignored. */
export type ChosenColumns = Readonly<Record<string, string>>;

/** Returns the choices that the server suggests. */
export const suggestedColumns = ({ columns }: ReadingProposal): ChosenColumns =>
  Object.fromEntries((columns ?? []).map(({ name, column }) => [name, column ?? ""]));

/** Returns the required columns that no column of the file has, and those that several have. */
export function columnFaults(chosen: ChosenColumns): {
  readonly missing: readonly string[];
  readonly twice: readonly string[];
} {
  const columns = Object.values(chosen).filter((column) => column !== "");
  return {
    missing: REQUIRED.filter((column) => !columns.includes(column)),
    twice: [...new Set(columns.filter((column, at) => columns.indexOf(column) !== at))],
  };
}

/**
 * Returns the confirmation for the API. If another column was chosen for the amount or currency,
 * the shown format belongs to other values, so it is not confirmed with it.
 */
export function confirmedReading(
  proposal: ReadingProposal,
  chosen: ChosenColumns,
  format: string | null,
  remembers: boolean,
): ConfirmedReading {
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
    ...(format !== null && isSameAmount && { amounts: format }),
    ...(proposal.columns && {
      columns: named.map(({ name }) => `${name}=${chosen[name] ?? ""}`),
      ...(remembers && { remember_columns: "true" as const }),
    }),
  };
}
