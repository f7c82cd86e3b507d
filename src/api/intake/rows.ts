import { z } from "zod";
import { ProblemView } from "#api/intake/reading.ts";
import { COLUMNS, type Column } from "#intake/header/columns.ts";

/** Maximum number of characters of one value. */
const VALUE_LENGTH_MAX = 2_000;
const Value = z.string().max(VALUE_LENGTH_MAX).nullish();

/** One payout, with the columns of a file as members. Values are texts, amounts included. */
export const PayoutRow = z.strictObject(
  Object.fromEntries(COLUMNS.map((column) => [column, Value])) as Record<Column, typeof Value>,
);

/** A problem of a row in a request. */
export const RowProblem = z.object({
  /** Position in `rows`, counted from 0. Null for a single payout. */
  row: z.number().int().nullable(),
  /** JSON pointer to the value in the body (RFC 6901). */
  pointer: z.string(),
  ...ProblemView.shape,
});
export type RowProblem = z.output<typeof RowProblem>;
