import { z } from "zod";
import { Actor, People, Total } from "#api/approval/approvals.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { lineText, Timestamp } from "#api/app/shapes.ts";

const TextLine = lineText(1, 200);
const Count = z.int();

const Waiting = z.object({
  batch_id: z.string(),
  file: z.string(),
  name: z.string().nullable(),
  purpose: z.string().nullable(),
  created_at: Timestamp,
  maker: Actor,
  totals: z.array(Total),
  people: People,
  why: z.string(),
  given: Count,
  missing: Count,
  blocked: z.string().nullable(),
  /** Findings that approvers must check before they approve. Null: the search is running. */
  findings: Count.nullable(),
  /** Exact duplicates block it until an uploader gives a reason. */
  needs_duplicate_reason: z.boolean(),
  /** The batch awaits your approval. */
  mine: z.boolean(),
  own: z.boolean(),
  approved: z.boolean(),
});

/** The filters of the list of batches awaiting approval, and its order. */
const ApprovalQuery = z.strictObject({
  /** `mine`: only the batches that await your approval. */
  show: z.enum(["mine", "all"]).default("all"),
  /** Searches the ID, file name, name and purpose. */
  text: TextLine.optional(),
  /** A part of the uploader's name. */
  maker: TextLine.optional(),
  currency: z.string().trim().min(1).max(10).toUpperCase().optional(),
  /** By upload time, or by the total in the currency with the largest total. */
  sort: z.enum(["oldest", "newest", "largest", "smallest"]).default("oldest"),
});
export type ApprovalQuery = z.output<typeof ApprovalQuery>;

/** The API of the list of batches awaiting approval: its rows, its sums, and its file. */
export const APPROVAL_LIST_API = {
  "GET /api/approvals": {
    permission: "read",
    summary: "Lists the batches awaiting approval that match the filters, including your own",
    query: ApprovalQuery,
    answer: z.object({
      items: z.array(Waiting),
      /** The number of batches that await your approval, and of all; without filters. */
      mine: Count,
      all: Count,
      totals: z.array(Total),
      /** The uploaders of the batches that match all filters except `maker`. */
      makers: z.array(z.object({ name: z.string(), batches: Count })),
    }),
  },
  "GET /api/approval-export": {
    permission: "read",
    summary:
      "Downloads the batches awaiting approval that match the filters, as CSV or as a workbook. A batch has one row for each currency. The download is recorded in the audit log",
    query: z.strictObject({
      ...ApprovalQuery.shape,
      format: z.enum(["csv", "xlsx"]).default("csv"),
    }),
    answer: "file",
  },
} as const satisfies Readonly<Record<string, ApiOperation>>;
