import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Timestamp } from "#api/app/shapes.ts";
import { LineNumber } from "#api/app/shapes.ts";
import { ListedBatch } from "#api/intake/batches.ts";
import { ProblemView } from "#api/intake/reading.ts";

const Params = z.object({ id: z.string().max(40) });

const Lines = z.strictObject({
  lines: z.array(z.number().int().min(1)).min(1).max(200),
  content_digest: z.string().min(1).optional(),
});

const Answer = z.object({ batch: ListedBatch, rows: z.int() });

/** Rows that the uploader leaves out of a batch before it is sent for approval. */
export const LEFT_OUT_ROW_API = {
  "GET /api/batches/:id/left-out-rows": {
    permission: "read",
    summary: "Lists the rows that were left out of a batch, in file order",
    params: Params,
    query: z.strictObject({
      after: LineNumber.min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    answer: z.object({
      columns: z.array(z.string()),
      count: z.int(),
      items: z.array(
        z.object({
          line: z.int(),
          cells: z.array(z.string()),
          problems: z.array(ProblemView),
          by: z.object({ actor: z.string(), name: z.string() }),
          at: Timestamp,
        }),
      ),
      next: z.string().nullable(),
    }),
  },
  "POST /api/batches/:id/rows/leave-out": {
    permission: "upload",
    summary:
      "Leaves rows with problems or warnings out of a batch before it is sent for approval; either all rows or none",
    params: Params,
    body: Lines,
    answer: Answer,
  },
  "POST /api/batches/:id/rows/put-back": {
    permission: "upload",
    summary:
      "Puts rows back that were left out of a batch, and validates them again; either all rows or none",
    params: Params,
    body: Lines,
    answer: Answer,
  },
} as const satisfies Record<string, ApiOperation>;
