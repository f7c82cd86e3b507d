import { z } from "zod";
import { BatchStateName } from "#api/approval/approvals.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { SendTimeView } from "#api/schedule/send-times.ts";
import { Amount, CellChange, LineNumber, PageQuery, pageOf, reasonText } from "#api/app/shapes.ts";
import { COLUMNS, type Column } from "#intake/header/columns.ts";
import { RETRY_RULES } from "#payout/retry-rule.ts";
import { LEFT_OUT_REASONS, type LeftOutReason } from "#payout/retry-batch-left-out.ts";

const BatchParams = z.object({ id: z.string().max(40) });
const Count = z.number().int();
const Share = z.object({ count: Count, sums: z.array(Amount) });

/** The declined payouts of a batch by the results of its retry batches; null if it has none. */
export const RetriedShares = z
  .object({ declined: Count, paid_by_retry: Count, unpaid: Share })
  .nullable();

/** The columns of a row that a retry may change. */
const EditedColumn = z.enum(
  COLUMNS.filter((column) => column !== "transaction_code" && column !== "currency_code") as [
    Exclude<Column, "transaction_code" | "currency_code">,
  ],
);
const EDITS_MAX = 500;
/** Two values for one cell would contradict each other. */
const isUniqueBy =
  <Key extends string>(key: Key) =>
  (items: readonly Readonly<Record<Key, unknown>>[]): boolean =>
    new Set(items.map((item) => item[key])).size === items.length;
const Edit = z.strictObject({
  /** Line of the declined payout in its batch's file. */
  line: LineNumber,
  cells: z
    .array(z.strictObject({ column: EditedColumn, text: z.string().max(2_000) }))
    .min(1)
    .max(COLUMNS.length)
    .refine(isUniqueBy("column"), "names a column twice"),
});

export type RetryEdit = z.output<typeof Edit>;

/** A declined row with its cells; accounts are masked. */
const DeclinedRow = z.object({
  line: z.number().int(),
  code: z.string(),
  ...Amount.shape,
  beneficiary: z.string().nullable(),
  reason: z.string().nullable(),
  meaning: z.string(),
  next_step: z.string(),
  retry: z.enum(RETRY_RULES),
  /** The columns that the gateway refused, of which one must change; empty if it named none. */
  refused_columns: z.array(z.string()),
  cells: z.array(z.object({ column: EditedColumn, text: z.string() })),
});

/** A row of a retry batch whose details differ from the declined payout; accounts are masked. */
const RetryChange = z.object({
  line: z.number().int(),
  code: z.string(),
  ...Amount.shape,
  beneficiary: z.string().nullable(),
  declined_code: z.string(),
  changes: z.array(CellChange),
});

export const RETRY_BATCH_API = {
  "GET /api/batches/:id/retry-batch": {
    permission: "read",
    summary:
      "Lists the declined payouts in a batch that can be retried, and the reasons other declined payouts cannot be retried",
    params: BatchParams,
    answer: z.object({
      payable: Share,
      /** The payable payouts by cause, with how each may be retried. */
      causes: z.array(
        z.object({
          reason: z.string().nullable(),
          meaning: z.string(),
          retry: z.enum(RETRY_RULES),
          ...Share.shape,
        }),
      ),
      left_out: z.array(
        z.object({
          why: z.enum(Object.keys(LEFT_OUT_REASONS) as [LeftOutReason, ...LeftOutReason[]]),
          says: z.string(),
          ...Share.shape,
        }),
      ),
      /** Its retry batches. */
      batches: z.array(
        z.object({
          batch_id: z.string(),
          state: BatchStateName,
          send: SendTimeView.nullable(),
          needs_duplicate_reason: z.boolean(),
        }),
      ),
      retried: RetriedShares,
      /** The batch that this one retries. */
      of: z
        .object({
          batch_id: z.string(),
          file: z.string(),
          name: z.string().nullable(),
          purpose: z.string().nullable(),
          /** Why payouts are retried unchanged; null if none is. */
          unchanged_reason: z.string().nullable(),
        })
        .nullable(),
    }),
  },
  "POST /api/batches/:id/retry-batch": {
    permission: "upload",
    summary:
      "Creates a retry batch from the declined payouts, with new transaction codes; it requires approval like any other batch",
    creates: true,
    params: BatchParams,
    body: z
      .strictObject({
        /** Why payouts are retried unchanged although the gateway gave no reason. */
        reason: reasonText(3, 500).optional(),
        /** Retries only payouts with these reasons unchanged. */
        causes: z.array(z.string().trim().min(1).max(300)).min(1).max(50).optional(),
        /** Retries only these lines unchanged. */
        lines: z.array(LineNumber).min(1).max(1_000).optional(),
        /** Also retries the returned payouts. Their totals, as listed, confirm them. */
        returned: z.array(Amount).min(1).max(50).refine(isUniqueBy("currency")).optional(),
        /** Rows to retry with new details. */
        edits: z
          .array(Edit)
          .max(EDITS_MAX)
          .refine(isUniqueBy("line"), "names a line twice")
          .optional(),
      })
      .optional(),
    answer: z.object({
      batch_id: z.string(),
      payouts: Count,
      edited: Count,
      /** Declined rows left out because they are never retried unchanged. */
      need_new_details: Count,
      /** Declined rows that validation now rejects, or interprets differently than at approval. */
      left_out: Count,
    }),
  },
  "POST /api/batches/:id/retry-batch/check": {
    permission: "upload",
    summary: "Validates the edited details of a declined payout without storing them",
    params: BatchParams,
    body: Edit,
    answer: z.object({
      /** The details can be retried. */
      valid: z.boolean(),
      problems: z.array(
        z.object({
          column: z.string().nullable(),
          severity: z.enum(["error", "warning"]),
          message: z.string(),
          correction: z.string(),
        }),
      ),
    }),
  },
  "GET /api/batches/:id/declined-rows": {
    permission: "upload",
    summary: "Lists the declined payouts in a batch that can be retried, with their cells",
    params: BatchParams,
    query: z.strictObject({
      ...PageQuery.shape,
      cause: z.string().trim().min(1).max(300).optional(),
      /** Only the row on this line of the file. */
      line: z.coerce.number().int().positive().optional(),
    }),
    answer: pageOf(DeclinedRow),
  },
  "GET /api/batches/:id/retry-changes": {
    permission: "read",
    summary:
      "Lists the rows with edited details in a retry batch, with each changed cell before and after the edit",
    params: BatchParams,
    answer: z.object({ items: z.array(RetryChange) }),
  },
} as const satisfies Record<string, ApiOperation>;
