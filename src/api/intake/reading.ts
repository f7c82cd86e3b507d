import { z } from "zod";
import { FIX_KINDS } from "#intake/batch/suggested-fix.ts";
import { parseMapping } from "#intake/header/column-mapping.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";

const ColumnText = z
  .string()
  .max(300)
  .refine(
    (text) => parseMapping([text]).ok,
    "a column and its meaning, such as Amount=transaction_amount",
  );

/** Statements of an uploader about how to read a file. */
export const ReadingQuery = z.object({
  /** The format of the amounts. Required if they could also be read in another format. */
  amounts: z.enum(AMOUNT_STYLE_NAMES).optional(),
  /**
   * The meaning of columns with other names, such as "Amount=transaction_amount". "Note=" ignores a
   * column. Required if payrun suggests a meaning for a name.
   */
  columns: z
    .union(
      [ColumnText.transform((text) => [text]), z.array(ColumnText).max(200)],
      "meanings such as Amount=transaction_amount, one per column, at most 200",
    )
    .optional(),
  /** The currency of all rows, such as INR. Required if the file has no column for the currency. */
  currency: z
    .string()
    .regex(/^[A-Z]{3,8}$/, "a currency code such as INR")
    .optional(),
  /** Suggests the same meanings for your next files with this header. */
  remember_columns: z.enum(["true", "false"]).optional(),
});

/** How the amounts of a file were read. */
export const ReadingFacts = z.object({
  /** The format of the amounts. Null: the batch is older than this field. */
  amounts: z.string().nullable(),
  /** True if the uploader confirmed the format. */
  amounts_confirmed: z.boolean(),
});

/** New values for cells of rejected rows. */
export const RowRepairs = z.strictObject({
  rows: z
    .array(
      z.strictObject({
        line: z.number().int().min(1),
        /** The new values by the names of the columns. Other cells stay as they are. */
        values: z.record(z.string().max(300), z.string().max(2_000)),
      }),
    )
    .min(1)
    .max(200),
});

/** Similar values of rejected rows that payrun can correct in one way. */
export const RowFix = z.object({
  kind: z.enum(FIX_KINDS),
  /** The number of values, in all rejected rows. */
  values: z.int(),
  /** The first values. */
  examples: z.array(
    z.object({ line: z.int(), column: z.string(), before: z.string(), after: z.string() }),
  ),
});

/** The severity of a problem. */
export const Severity = z.enum(["error", "warning"]);

/** A problem of a row or a file. */
export const ProblemView = z.object({
  code: z.string(),
  severity: Severity,
  column: z.string().nullable(),
  /** The text from the file, with invisible characters made visible. */
  found: z.string().nullable(),
  expected: z.string(),
  correction: z.string(),
  message: z.string(),
});

/** Rows with problems, as in the file. */
export const RowsPage = z.object({
  columns: z.array(z.string()),
  items: z.array(
    z.object({
      line: z.number().int(),
      rejected: z.boolean(),
      cells: z.array(z.string()),
      problems: z.array(ProblemView),
      /** Values that keep the meaning of a cell and correct its problem. */
      fixes: z.array(z.object({ column: z.string(), value: z.string() })),
    }),
  ),
  next: z.string().nullable(),
});

/**
 * Number of valid rows that hold a workbook number where an account, bank code or branch code
 * belongs.
 */
export const StoredAsNumber = z.object({ column: z.string(), rows: z.number().int() });
