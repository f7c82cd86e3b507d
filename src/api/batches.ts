import { z } from "zod";
import type { Operation } from "#api/operation.ts";
import { SendView } from "#api/send-times.ts";
import { Amount, line, LineNumber, pageOf, PageQuery, Timestamp } from "#api/shapes.ts";
import { SUM } from "#batch/control-totals.ts";
import { PARTS } from "#batch/equation.ts";
import { BATCH_STATES, type BatchState } from "#batch/lifecycle.ts";
import { PRIORITIES } from "#batch/priority.ts";
import { BRAKE_SETTINGS } from "#payout/brake-settings.ts";
import { type PayoutState, STATES } from "#payout/lifecycle.ts";

const StateName = z.enum(Object.keys(BATCH_STATES) as [BatchState, ...BatchState[]]);
const PayoutStateName = z.enum(Object.keys(STATES) as [PayoutState, ...PayoutState[]]);
const BatchParams = z.object({ id: z.string().max(40) });
const Words = line(1, 200);
const FileName = line(1, 255);
const Count = z.number().int();
const Severity = z.enum(["error", "warning"]);
const FileFormat = z.strictObject({ format: z.enum(["csv", "xlsx"]).default("csv") });

/** "INR=1234.50": what the payouts of a currency come to by the uploader's own system. */
const SumText = z.string().regex(SUM, "a currency and its total such as INR=1234.50");
/** Two sums of one currency contradict each other. */
const SumTexts = z
  .array(SumText)
  .max(20)
  .refine(
    (sums) => new Set(sums.map((sum) => sum.split("=")[0])).size === sums.length,
    "a currency stands there twice",
  );
const Sums = z.union(
  [SumText.transform((sum) => [sum]), SumTexts],
  "a currency and its total such as INR=1234.50, each currency once, at most 20 of them",
);

const States = z.union(
  [StateName.transform((state) => [state]), z.array(StateName)],
  `one of ${StateName.options.join(", ")}, or several of them`,
);

const ControlTotals = z.object({ rows: Count.nullable(), sums: z.array(Amount) });

const BatchLine = z.object({
  batch_id: z.string(),
  file: z.string(),
  name: z.string().nullable(),
  purpose: z.string().nullable(),
  state: StateName,
  /** SHA-256 of the bytes of the file. */
  digest: z.string(),
  /** Of what was read from it; an approval names it. */
  content_digest: z.string(),
  rows: Count,
  rejected: Count,
  /** What the good rows come to. */
  totals: z.array(z.object({ ...Amount.shape, payouts: Count })),
  maker: z.object({ actor: z.string(), name: z.string() }),
  created_at: Timestamp,
  /** Null: its maker has not asked for approval yet. */
  submitted_at: Timestamp.nullable(),
  approved_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  /** When it goes out, where it has a time. */
  send: SendView.nullable(),
  /** Its payouts by state and currency; null before it is approved. */
  progress: z
    .array(z.object({ state: PayoutStateName, part: z.enum(PARTS), count: Count, ...Amount.shape }))
    .nullable(),
});

export const ProblemShown = z.object({
  code: z.string(),
  severity: Severity,
  column: z.string().nullable(),
  /** As it stood in the file, with invisible characters drawn. */
  found: z.string().nullable(),
  expected: z.string(),
  repair: z.string(),
  message: z.string(),
});

/** So many good rows hold a number of a workbook where an account, or the code of a bank or branch, belongs. */
export const HeldAsNumber = z.object({ column: z.string(), rows: Count });

const Findings = z.object({
  batch: BatchLine,
  /** How the file was read. */
  file: z.object({
    encoding: z.string(),
    delimiter: z.string(),
    /** The columns as the file names them, and what they were taken for; null: ignored. */
    columns: z.array(z.object({ name: z.string(), column: z.string().nullable() })),
    notes: z.array(ProblemShown),
  }),
  expected: ControlTotals,
  numbers: z.array(HeldAsNumber),
  /** Why the batch cannot be submitted as it stands, in words; empty: it can. */
  obstacles: z.array(z.string()),
  findings: z.array(
    z.object({
      count: Count,
      lines: z.array(Count),
      /** What is said of one currency, and of no other; empty: the same for every row. */
      sentence: z.string(),
      example: ProblemShown,
    }),
  ),
  corrections: z.array(
    z.object({
      file: z.string(),
      digest: z.string(),
      by: z.object({ actor: z.string(), name: z.string() }),
      at: Timestamp,
      rows: Count,
      repaired: Count,
    }),
  ),
});

const RowsPage = z.object({
  columns: z.array(z.string()),
  items: z.array(
    z.object({
      line: Count,
      rejected: z.boolean(),
      cells: z.array(z.string()),
      problems: z.array(ProblemShown),
    }),
  ),
  next: z.string().nullable(),
});

export const BATCH_API = {
  "GET /api/batches": {
    may: "read",
    summary: "Batches, the newest first",
    query: z.strictObject({
      ...PageQuery.shape,
      state: States.optional(),
      /** Of those that are approved: "waits" for its time, "stuck" at its time, or "out", which has none or was let go. */
      send: z.enum(["waits", "stuck", "out"]).optional(),
      /** In the id, the name of the file, the name and the purpose. */
      text: Words.optional(),
      /** Who brought it: "user:US…" in full, or a part of their name. */
      maker: Words.optional(),
      /** A day of UTC, or a moment. */
      from: z.union([z.iso.date(), Timestamp]).optional(),
      /** A day of UTC, which counts in full, or the moment before which they were brought. */
      to: z.union([z.iso.date(), Timestamp]).optional(),
    }),
    answer: pageOf(BatchLine),
  },
  "POST /api/batches": {
    may: "upload",
    summary: "Takes a file in: reads and checks it, and sends nothing",
    upload: true,
    creates: true,
    query: z.strictObject({
      file_name: FileName,
      name: Words.optional(),
      purpose: Words.optional(),
      expect_rows: z.coerce.number().int().min(1).max(100_000_000).optional(),
      expect_sum: Sums.optional(),
      /** How many payouts of each lane must settle before the rest is sent. */
      canary: z.coerce.number().int().min(0).max(BRAKE_SETTINGS.canary_payouts.max).optional(),
      /** Which batch goes first where not all can be sent at once. */
      priority: z.enum(PRIORITIES).optional(),
    }),
    /** `is_new` false: this very file came in before, and this is its batch. */
    answer: z.object({
      batch: BatchLine,
      is_new: z.boolean(),
      /** What was said of it and does not count, because it was handed in before: a sentence each. */
      kept: z.array(z.string()),
    }),
  },
  "GET /api/batches/:id/findings": {
    may: "read",
    summary: "How the file was read, and what was found in it, grouped by repair",
    params: BatchParams,
    answer: Findings,
  },
  "GET /api/batches/:id/rows": {
    may: "read",
    summary: "Rows that something was found in, in the order of the file",
    params: BatchParams,
    query: z.strictObject({
      severity: Severity.optional(),
      code: z.string().max(60).optional(),
      /** Empty: of the row as a whole. */
      column: z.string().max(200).optional(),
      /** The `sentence` of a finding. */
      sentence: z.string().max(500).optional(),
      after: LineNumber.min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: RowsPage,
  },
  "GET /api/batches/:id/rejects": {
    may: "upload",
    summary: "The rejected rows as a file, to be repaired and sent back",
    params: BatchParams,
    query: FileFormat,
    answer: "file",
  },
  "POST /api/batches/:id/corrections": {
    may: "upload",
    summary: "Takes repaired rows in: all of them or none, and never a good row",
    upload: true,
    creates: true,
    params: BatchParams,
    query: z.strictObject({ file_name: FileName }),
    answer: z.object({ batch: BatchLine, rows: Count, repaired: Count, is_new: z.boolean() }),
  },
  "POST /api/batches/:id/submit": {
    may: "upload",
    summary: "Asks for approval",
    params: BatchParams,
    body: z.strictObject({
      /** Goes on without the rejected rows. */
      leave_out: z.boolean().default(false),
      /** What a spreadsheet held as a number has been compared with papers of one's own. */
      numbers_compared: z.boolean().default(false),
      name: Words.nullish(),
      purpose: Words.nullish(),
      expect_rows: z.number().int().min(1).nullish(),
      expect_sum: SumTexts.nullish(),
    }),
    answer: z.object({ batch: BatchLine }),
  },
  "GET /api/batches/:id/report": {
    may: "read",
    summary: "Every row of the file and what became of it",
    params: BatchParams,
    query: z.strictObject({ format: z.enum(["csv", "xlsx", "jsonl"]).default("csv") }),
    answer: "file",
  },
  "GET /api/batches/:id/copy": {
    may: "upload",
    summary:
      "The rows that could be paid, as a file to edit and bring as another batch: the columns of the templates, without codes",
    params: BatchParams,
    query: FileFormat,
    answer: "file",
  },
  "GET /api/templates": {
    may: "read",
    summary:
      "The currencies that can be paid, the columns that each needs, and how large a file may be",
    answer: z.object({
      items: z.array(z.object({ currency: z.string(), columns: z.array(z.string()) })),
      /** At most so much; a workbook is counted as it is unpacked. */
      limits: z.object({ bytes: Count, workbook_bytes: Count, rows: Count, columns: Count }),
    }),
  },
  "GET /api/templates/:currency": {
    may: "read",
    summary: "An empty file for one currency, with a sample row that is refused as it stands",
    params: z.object({ currency: z.string().max(40) }),
    query: FileFormat,
    answer: "file",
  },
  "GET /api/templates/:currency/guide": {
    may: "read",
    summary: "What each column of a currency holds",
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
    }),
  },
} as const satisfies Record<string, Operation>;
