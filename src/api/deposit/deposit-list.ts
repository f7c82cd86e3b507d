import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, lineText, pageOf, PageQuery, Timestamp } from "#api/app/shapes.ts";
import { Deposit, DepositStateName } from "#api/deposit/deposits.ts";

const Count = z.number().int();
const text = (max: number) => lineText(1, max);

/** The filters of the list of deposits. */
const DepositFilter = z.strictObject({
  /** A transaction code or its beginning. */
  code: text(64).optional(),
  /** One or more, separated by commas. */
  state: z
    .string()
    .transform((names) => [...new Set(names.split(","))])
    .pipe(z.array(DepositStateName))
    .optional(),
  currency: text(10).toUpperCase().optional(),
  user_id: text(100).optional(),
  reference: text(200).optional(),
  gateway_number: text(128).optional(),
  created_from: Timestamp.optional(),
  created_to: Timestamp.optional(),
});

export type DepositFilter = z.output<typeof DepositFilter>;

const Sort = z.enum(["newest", "oldest"]).default("newest");

/** The API of the list of deposits: its pages, its sums, and its file. */
export const DEPOSIT_LIST_API = {
  "GET /api/deposits": {
    permission: "read",
    summary: "Lists the deposits that match the filters, newest first unless sorted otherwise",
    query: z.strictObject({ ...PageQuery.shape, ...DepositFilter.shape, sort: Sort }),
    answer: pageOf(Deposit),
  },
  "GET /api/deposit-summary": {
    permission: "read",
    summary:
      "Counts the deposits that match the filters, by state, and sums their requested amounts",
    query: DepositFilter,
    answer: z.object({
      count: Count,
      totals: z.array(z.object({ ...Amount.shape, deposits: Count })),
      /** The deposits that match all filters except `state`, by state. */
      states: z.array(z.object({ state: DepositStateName, deposits: Count })),
    }),
  },
  "GET /api/deposit-export": {
    permission: "read",
    summary:
      "Downloads the deposits that match the filters, as CSV or as a workbook of at most 50,000 rows. The download is recorded in the audit log",
    query: z.strictObject({
      ...DepositFilter.shape,
      sort: Sort,
      format: z.enum(["csv", "xlsx"]).default("csv"),
    }),
    answer: "file",
  },
} as const satisfies Readonly<Record<string, ApiOperation>>;
