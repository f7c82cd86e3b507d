import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { lineText, Timestamp } from "#api/app/shapes.ts";
import { AMOUNT_STYLE_NAMES } from "#money/parse.ts";
import { PAYOUT_SIGNS } from "#reconciliation/statement-mapping.ts";

const Texts = (hint: string) =>
  z
    .union(
      [
        z
          .string()
          .max(300)
          .transform((text) => [text]),
        z.array(z.string().max(300)).max(100),
      ],
      hint,
    )
    .optional();

const Balance = z
  .string()
  .regex(/^\d{1,20}(\.\d{1,8})?$/, "an amount such as 1000.50")
  .optional();

const LineCount = z.coerce.number().int().min(0).max(1_000_000_000);

const StatementResult = z.object({
  statement: z.object({
    id: z.string(),
    lane: z.string(),
    day: z.string(),
    lines: z.int(),
    mapping_version: z.int(),
    /** False: this file had been loaded before, with this mapping and these balances. */
    is_new: z.boolean(),
    /** `proposed`: it replaces a compared statement if an approver confirms it. */
    state: z.enum(["proposed", "current", "refused"]),
  }),
  /** Null: the statement has not been compared. */
  comparison: z
    .object({
      /** Payouts of the ledger that were compared, and those that the statement contains. */
      payouts: z.int(),
      matched: z.int(),
      /** Codes of deposits, and of payouts in other currencies of the merchant. */
      others: z.int(),
      counted_here: z.int(),
      /** Number of breaks by class. */
      breaks: z.record(z.string(), z.int()),
      /** Earlier breaks of this day and other days that no longer exist. */
      closed: z.int(),
      /** Resolved breaks that are open again, because their values have changed. */
      reopened: z.int(),
      /** False: no balances are known, so movements of the balance were not compared. */
      has_balances: z.boolean(),
    })
    .nullable(),
});
export type StatementResult = z.output<typeof StatementResult>;

const StatementFile = z.object({
  file_name: z.string(),
  lines: z.int(),
  mapping_version: z.int(),
  has_balances: z.boolean(),
});

const ProposedStatement = StatementFile.extend({
  id: z.string(),
  lane: z.string(),
  day: z.string(),
  by: z.object({ actor: z.string(), name: z.string() }),
  at: Timestamp,
  /** Whether you uploaded it. Another approver must confirm it. */
  is_own: z.boolean(),
  /** Names of the approvers who may confirm it, in alphabetical order. */
  approvers: z.array(z.string()),
  replaces: StatementFile.nullable(),
});
export type ProposedStatement = z.output<typeof ProposedStatement>;

export const STATEMENT_API = {
  "GET /api/statements": {
    permission: "read",
    summary: "Lists statements that replace a compared one and wait for an approver",
    answer: z.object({ items: z.array(ProposedStatement) }),
  },
  "POST /api/statements/:id/decide": {
    permission: "approve",
    keys: false,
    summary: "Confirms or rejects a statement that replaces a compared one; its uploader cannot",
    params: z.object({ id: z.string().max(40) }),
    body: z.strictObject({ agree: z.boolean() }),
    answer: StatementResult,
  },
  "POST /api/statements": {
    permission: "operate",
    upload: true,
    creates: true,
    summary:
      "Uploads a statement of the gateway's back office and compares it with the ledger; no payout changes",
    query: z.strictObject({
      /** MERCHANT/CURRENCY */
      lane: z.string().max(100),
      /** The business day of the statement. */
      day: z.iso.date(),
      file_name: lineText(1, 255),
      /** Meanings of all columns that are read, such as "Order ID=code". */
      columns: Texts("meanings such as Order ID=code, one per column"),
      /** All additional words of the status column, such as "Done=completed"; empty for none. */
      words: Texts("meanings such as Done=completed, one per word"),
      amounts: z.enum(AMOUNT_STYLE_NAMES).optional(),
      /** The sign of payouts. `none`: no amount has a minus sign. */
      sign: z.enum(PAYOUT_SIGNS).optional(),
      /** Time zone of the business day. */
      zone: z.string().max(60).optional(),
      /**
       * `true` stores the mapping as a new version. Without it, a new mapping is returned as an
       * error; `false` returns every mapping. API keys cannot store a mapping.
       */
      confirm_mapping: z.enum(["true", "false"]).optional(),
      /** Number of lines with a time outside the day that you have checked. */
      outside_day: LineCount.optional(),
      /** Number of lines, and sum without signs of the amounts in the currency of the lane. */
      lines: LineCount.optional(),
      total: Balance,
      opening: Balance,
      closing: Balance,
      deposits: Balance,
    }),
    answer: StatementResult,
  },
} as const satisfies Record<string, ApiOperation>;
