import { z } from "zod";
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
  /** The format of the amounts. Required if they could be meant in another format. */
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
