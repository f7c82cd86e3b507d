/** How a file could be read, for its uploader to confirm. */
export interface ReadingProposal {
  /** Null: the format of the amounts is certain, or has been confirmed. */
  readonly amounts: AmountProposal | null;
  /** Null: every column has one of payrun's names, or the mapping has been confirmed. */
  readonly columns: readonly ColumnProposal[] | null;
  /** Present together with the columns. */
  readonly currency?: CurrencyProposal;
}

/** The currency of all rows of a file without such a column, and the columns it requires. */
export interface CurrencyProposal {
  /** The currencies in which the account can pay. */
  readonly choices: readonly string[];
  /** The currency of all rows. Null: the file has a currency column, or nothing proves one. */
  readonly proposed: string | null;
  /** The currencies in the file that decide about required columns. */
  readonly found: readonly string[];
  /** The columns that payouts of each of these currencies require. */
  readonly required: readonly { readonly currency: string; readonly columns: readonly string[] }[];
}

export interface AmountProposal {
  /** Number of amounts, including those that no format can read. */
  readonly values: number;
  /** The format that reads the most amounts. Null: several do, with different results. */
  readonly proposed: string | null;
  readonly formats: readonly FormatProposal[];
}

export interface FormatProposal {
  readonly format: string;
  /** Number of amounts that this format can read. */
  readonly fits: number;
  /** Number of amounts that no other format can read. */
  readonly only: number;
  readonly totals: readonly { readonly currency: string; readonly amount: string }[];
  /** The same texts for each format. The amount is null if the format cannot read the text. */
  readonly examples: readonly {
    readonly text: string;
    readonly currency: string;
    readonly amount: string | null;
  }[];
}

/** A column of a file, and what payrun suggests to read it as. */
export interface ColumnProposal {
  readonly name: string;
  /** Null: ignored, unless the uploader chooses a column. */
  readonly column: string | null;
  /** Reason for the suggestion. "several": more than one column of the file has this meaning. */
  readonly basis: "own_name" | "remembered" | "synonym" | "several" | "unknown";
  /** The first value in the column, with account numbers masked. */
  readonly first: string;
}
