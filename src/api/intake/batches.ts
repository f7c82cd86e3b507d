import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import {
  ProblemView,
  ReadingFacts,
  ReadingQuery,
  RowFix,
  RowRepairs,
  RowsPage,
  Severity,
  StoredAsNumber,
} from "#api/intake/reading.ts";
import { BATCH_DETAILS, PayoutRow, Rows, SumText, SumTexts, TextLine } from "#api/intake/rows.ts";
import { RetriedShares } from "#api/payout/retry-batches.ts";
import { SendTimeView } from "#api/schedule/send-times.ts";
import { Amount, lineText, LineNumber, Timestamp } from "#api/app/shapes.ts";
import { PARTS } from "#approval/status-breakdown.ts";
import { BATCH_SOURCES, BATCH_STATES, type BatchState } from "#intake/batch/batch-lifecycle.ts";
import { PRIORITIES } from "#payout/priority.ts";
import { CIRCUIT_BREAKER_SETTINGS } from "#payout/lane/circuit-breaker-settings.ts";
import { type PayoutState, STATES } from "#payout/payout-lifecycle.ts";

/** A state of a batch. */
export const StateName = z.enum(Object.keys(BATCH_STATES) as [BatchState, ...BatchState[]]);
const PayoutStateName = z.enum(Object.keys(STATES) as [PayoutState, ...PayoutState[]]);
const BatchParams = z.object({ id: z.string().max(40) });
const FileName = lineText(1, 255);
const Count = z.number().int();
const FileFormat = z.strictObject({ format: z.enum(["csv", "xlsx"]).default("csv") });

const Sums = z.union(
  [SumText.transform((sum) => [sum]), SumTexts],
  "totals such as INR=1234.50, one per currency, at most 20",
);

const ControlTotals = z.object({ rows: Count.nullable(), sums: z.array(Amount) });

/** A batch as lists show it. */
export const ListedBatch = z.object({
  batch_id: z.string(),
  file: z.string(),
  /** `file`, or the API: `rows` of one request, or single `payouts` of one day. */
  source: z.enum(BATCH_SOURCES),
  name: z.string().nullable(),
  purpose: z.string().nullable(),
  state: StateName,
  /** Exact duplicates block the approval until an uploader gives a reason. */
  needs_duplicate_reason: z.boolean(),
  /** True once the payouts not sent yet were cancelled. Those sent before are still tracked. */
  cancelling: z.boolean(),
  /** SHA-256 of the file. */
  digest: z.string(),
  /** Digest of the rows as payrun read them. An approval refers to it. */
  content_digest: z.string(),
  rows: Count,
  rejected: Count,
  /** The totals of the valid rows. */
  totals: z.array(z.object({ ...Amount.shape, payouts: Count })),
  maker: z.object({ actor: z.string(), name: z.string() }),
  created_at: Timestamp,
  /** Null until the uploader sends the batch for approval. */
  approval_requested_at: Timestamp.nullable(),
  approved_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  /** The send time, if the batch is scheduled. */
  send: SendTimeView.nullable(),
  /** The payouts by state and currency; null before approval. */
  progress: z
    .array(z.object({ state: PayoutStateName, part: z.enum(PARTS), count: Count, ...Amount.shape }))
    .nullable(),
  retried: RetriedShares,
});

const Findings = z.object({
  batch: ListedBatch,
  /** How payrun read the file. */
  file: z.object({
    encoding: z.string(),
    delimiter: z.string(),
    ...ReadingFacts.shape,
    /** The columns of the file and the fields they map to; null for ignored columns. */
    columns: z.array(z.object({ name: z.string(), column: z.string().nullable() })),
    notes: z.array(ProblemView),
  }),
  expected: ControlTotals,
  numbers: z.array(StoredAsNumber),
  /** Why the batch cannot be sent for approval yet; empty if it can. */
  obstacles: z.array(z.string()),
  findings: z.array(
    z.object({
      count: Count,
      lines: z.array(Count),
      /** The rule of one currency, if the finding depends on it; otherwise empty. */
      sentence: z.string(),
      example: ProblemView,
    }),
  ),
  /** Rejected rows that look like the row with the total below the payouts. */
  total_rows: z.array(z.object({ line: Count, equals_total: z.boolean().nullable() })),
  corrections: z.array(
    z.object({
      file: z.string(),
      digest: z.string(),
      by: z.object({ actor: z.string(), name: z.string() }),
      at: Timestamp,
      rows: Count,
      corrected: Count,
    }),
  ),
});

export const BATCH_API = {
  "POST /api/batches": {
    permission: "upload",
    summary: "Uploads a file, or rows as JSON, and validates it; no payouts are sent",
    upload: true,
    body: Rows,
    bodyBytesMax: 8 * 1024 * 1024,
    creates: true,
    query: z.strictObject({
      file_name: FileName,
      name: TextLine.optional(),
      purpose: TextLine.optional(),
      expect_rows: z.coerce.number().int().min(1).max(100_000_000).optional(),
      expect_sum: Sums.optional(),
      /** Number of payouts per lane that must settle before the others are sent. */
      canary: z.coerce
        .number()
        .int()
        .min(0)
        .max(CIRCUIT_BREAKER_SETTINGS.canary_payouts.max)
        .optional(),
      /** The order of batches when not all can be sent at the same time. */
      priority: z.enum(PRIORITIES).optional(),
      ...ReadingQuery.shape,
    }),
    /** `is_new` is false if this file was uploaded before; the answer is its batch. */
    answer: z.object({
      batch: ListedBatch,
      is_new: z.boolean(),
      /** Ignored options of a repeated upload, one sentence each. */
      ignored_options: z.array(z.string()),
    }),
  },
  "POST /api/payouts": {
    permission: "upload",
    summary:
      "Adds one payout to the draft of your API key for the day, merchant account and currency",
    body: PayoutRow,
    creates: "with_key",
    answer: z.object({
      code: z.string(),
      batch: ListedBatch,
      /** Warnings about the values, which do not prevent the payout. */
      warnings: z.array(ProblemView),
    }),
  },
  "GET /api/batches/:id/findings": {
    permission: "read",
    summary: "Returns details of how the file was read, and its problems grouped by correction",
    params: BatchParams,
    answer: Findings,
  },
  "GET /api/batches/:id/rows": {
    permission: "read",
    summary: "Lists the rows with problems or warnings, in file order",
    params: BatchParams,
    query: z.strictObject({
      severity: Severity.optional(),
      code: z.string().max(60).optional(),
      /** Empty for problems of the whole row. */
      column: z.string().max(200).optional(),
      /** The `sentence` of a finding. */
      sentence: z.string().max(500).optional(),
      after: LineNumber.min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: RowsPage,
  },
  "POST /api/batches/:id/rows/check": {
    permission: "upload",
    summary: "Validates new values for rows with problems or warnings without storing them",
    params: BatchParams,
    body: RowRepairs,
    answer: z.object({
      items: z.array(z.object({ line: Count, problems: z.array(ProblemView) })),
    }),
  },
  "POST /api/batches/:id/rows/correct": {
    permission: "upload",
    summary:
      "Corrects rows with problems or warnings with new values; either all rows are stored or none",
    params: BatchParams,
    body: RowRepairs,
    answer: z.object({ batch: ListedBatch, rows: Count, corrected: Count }),
  },
  "GET /api/batches/:id/row-fixes": {
    permission: "upload",
    summary:
      "Lists the ways in which payrun can correct similar values of all rejected rows, each with its number of values and some examples",
    params: BatchParams,
    answer: z.object({ items: z.array(RowFix) }),
  },
  "POST /api/batches/:id/row-fixes": {
    permission: "upload",
    summary:
      "Corrects all rejected rows with similar values in one way; either all rows are stored or none",
    params: BatchParams,
    body: z.strictObject({
      kind: RowFix.shape.kind,
      /** The number of values as listed. If it has changed, the request is refused. */
      values: Count.min(1),
    }),
    answer: z.object({ batch: ListedBatch, rows: Count, corrected: Count }),
  },
  "GET /api/batches/:id/rejects": {
    permission: "upload",
    summary: "Downloads the rejected rows as a file to correct",
    params: BatchParams,
    query: FileFormat,
    answer: "file",
  },
  "POST /api/batches/:id/corrections": {
    permission: "upload",
    summary:
      "Uploads corrected rows; either all or none are accepted, and previously accepted rows never change",
    upload: true,
    creates: true,
    params: BatchParams,
    query: z.strictObject({ file_name: FileName }),
    answer: z.object({ batch: ListedBatch, rows: Count, corrected: Count, is_new: z.boolean() }),
  },
  "POST /api/batches/:id/request-approval": {
    permission: "upload",
    summary: "Sends a batch for approval",
    params: BatchParams,
    body: z.strictObject({
      /** Continues without the rejected rows. */
      leave_out: z.boolean().default(false),
      /** The uploader compared the numbers from the spreadsheet with their source. */
      numbers_compared: z.boolean().default(false),
      content_digest: z.string().min(1).optional(),
      ...BATCH_DETAILS,
    }),
    answer: z.object({ batch: ListedBatch }),
  },
  "GET /api/batches/:id/report": {
    permission: "read",
    summary: "Downloads every row of the file with its result",
    params: BatchParams,
    query: z.strictObject({ format: z.enum(["csv", "xlsx", "jsonl"]).default("csv") }),
    answer: "file",
  },
  "GET /api/batches/:id/copy": {
    permission: "upload",
    summary:
      "Downloads the valid rows, without transaction codes, as a file to edit and upload as another batch",
    params: BatchParams,
    query: FileFormat,
    answer: "file",
  },
  "GET /api/templates": {
    permission: "read",
    summary: "Lists the supported currencies, their columns and the file size limits",
    answer: z.object({
      items: z.array(z.object({ currency: z.string(), columns: z.array(z.string()) })),
      /** Upper limits. `workbook_bytes` counts the unpacked workbook. */
      limits: z.object({ bytes: Count, workbook_bytes: Count, rows: Count, columns: Count }),
    }),
  },
  "GET /api/templates/:currency": {
    permission: "read",
    summary: "Downloads a template for one currency; its sample row is always rejected",
    params: z.object({ currency: z.string().max(40) }),
    query: FileFormat,
    answer: "file",
  },
  "GET /api/templates/:currency/guide": {
    permission: "read",
    summary: "Describes the columns for a currency",
    params: z.object({ currency: z.string().max(40) }),
    answer: z.object({
      currency: z.string(),
      columns: z.array(
        z.object({
          column: z.string(),
          need: z.enum(["required", "wanted", "optional"]),
          expected: z.string(),
        }),
      ),
      /** Empty if the provider publishes no list for the currency. */
      bank_codes: z.array(
        z.object({ code: z.string(), name: z.string(), bank_name: z.string().nullable() }),
      ),
    }),
  },
} as const satisfies Record<string, ApiOperation>;
