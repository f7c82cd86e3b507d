import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, lineText, pageOf, PageQuery, Timestamp } from "#api/app/shapes.ts";
import { ListedBatch, StateName } from "#api/intake/batches.ts";

const Count = z.number().int();
const TextLine = lineText(1, 200);

/** The send status of an approved batch. */
const SendStatus = z.enum(["scheduled", "held_back", "released"]);
/** The state of a batch in filters, which separate approved batches by their send status. */
const ListedState = z.enum([...StateName.options, ...SendStatus.options]);

const States = z.union(
  [ListedState.transform((state) => [state]), z.array(ListedState)],
  `one or more of ${ListedState.options.join(", ")}`,
);

/** The filters of the list of batches. */
const BatchFilter = z.strictObject({
  state: States.optional(),
  /** Approved batches only. */
  send: SendStatus.optional(),
  /** Searches the id, file name, name and purpose. */
  text: TextLine.optional(),
  /** Your own batches in which Home lists this task. */
  task: z.enum(["duplicates", "retry"]).optional(),
  /** The uploader: "user:US…" in full, or part of the name. */
  maker: TextLine.optional(),
  /** A day (UTC) or a time. */
  from: z.union([z.iso.date(), Timestamp]).optional(),
  /** A day (UTC, inclusive) or an exclusive upper bound for the upload time. */
  to: z.union([z.iso.date(), Timestamp]).optional(),
});
export type BatchFilter = z.output<typeof BatchFilter>;

/** By upload time, number of rows, or the total in the currency with the largest total. */
const Sort = z
  .enum(["newest", "oldest", "most_rows", "fewest_rows", "largest", "smallest"])
  .default("newest");

/** The API of the list of batches: its pages, its sums, and its file. */
export const BATCH_LIST_API = {
  "GET /api/batches": {
    permission: "read",
    summary: "Lists batches, newest first unless sorted otherwise",
    query: z.strictObject({ ...PageQuery.shape, ...BatchFilter.shape, sort: Sort }),
    answer: pageOf(ListedBatch),
  },
  "GET /api/batch-summary": {
    permission: "read",
    summary:
      "Returns the number of batches that match the filters, by state, and the total amounts of those sent for approval",
    query: BatchFilter,
    answer: z.object({
      count: Count,
      /** Without the batches of `not_summed`. */
      totals: z.array(z.object({ ...Amount.shape, payouts: Count })),
      /**
       * Of a list with several kinds of batches: drafts, cancelled batches, and retry batches,
       * whose amounts are those of the batches that they retry.
       */
      not_summed: z.object({ drafts: Count, cancelled: Count, retries: Count }),
      /** The batches that match all filters except `state` and `send`, by state. */
      states: z.array(
        z.object({
          state: z.enum([...StateName.options, "scheduled", "held_back"]),
          batches: Count,
        }),
      ),
    }),
  },
  "GET /api/batch-export": {
    permission: "read",
    summary:
      "Downloads the batches that match the filters, as CSV or as a workbook of at most 50,000 rows. A batch has one row for each currency. The download is recorded in the audit log",
    query: z.strictObject({
      ...BatchFilter.shape,
      sort: Sort,
      format: z.enum(["csv", "xlsx"]).default("csv"),
    }),
    answer: "file",
  },
} as const satisfies Readonly<Record<string, ApiOperation>>;
