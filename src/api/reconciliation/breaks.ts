import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import {
  Amount,
  multiLineText,
  PageQuery,
  pageOf,
  reasonText,
  Timestamp,
} from "#api/app/shapes.ts";
import { BREAK_CLASSES, type BreakClass } from "#reconciliation/break-classes.ts";

const CLASSES = Object.keys(BREAK_CLASSES) as [BreakClass, ...BreakClass[]];
/** The class of a break. */
export const BreakClassName = z.enum(CLASSES);
const BreakState = z.enum(["open", "proposed", "resolved", "closed"]);
const Person = z.object({ actor: z.string(), name: z.string() });

export const BreakItem = z.object({
  id: z.int(),
  lane: z.string(),
  /** The business day, such as 2026-11-26. */
  day: z.iso.date(),
  class: BreakClassName,
  class_text: z.string(),
  /** The transaction code. Null: the break is about the balance. */
  code: z.string().nullable(),
  /** Whether the ledger has a payout with this code. */
  has_payout: z.boolean(),
  /** The payout in the ledger; null without one, as for the three values below. */
  beneficiary: z.string().nullable(),
  batch_id: z.string().nullable(),
  /** The name of the batch, or that of its file. */
  batch_name: z.string().nullable(),
  settled_at: Timestamp.nullable(),
  /** Null: this side does not contain the payout, or the break is about the balance. */
  ledger_shows: z.string().nullable(),
  statement_shows: z.string().nullable(),
  /**
   * Paid by the statement less paid by the ledger. 0: no money moved. Null: the sides do not differ
   * in one amount, or do not prove whether money moved.
   */
  difference: Amount.nullable(),
  /** Null: the balance was not on a statement. */
  file_name: z.string().nullable(),
  /** The first lines of the statement that show it. Empty: it does not contain the code. */
  lines: z.array(z.int()),
  state: BreakState.describe("State of the break."),
  /**
   * Counts the changes of amount, currency, gateway number and result on either side. A proposal
   * belongs to one version.
   */
  version: z.int(),
  assigned_to: Person.nullable(),
  found_at: Timestamp,
  /** The resolution that waits for confirmation. */
  proposal: z
    .object({ id: z.int(), explanation: z.string(), by: Person, is_own: z.boolean() })
    .nullable(),
  /** The confirmed resolution. `by_two` is false if nobody could confirm it. */
  resolution: z
    .object({
      explanation: z.string(),
      proposed_by: Person,
      decided_by: Person,
      by_two: z.boolean(),
    })
    .nullable(),
});
export type BreakItem = z.output<typeof BreakItem>;

const BreakView = BreakItem.extend({
  events: z.array(
    z.object({
      at: Timestamp,
      event: z.enum([
        "found",
        "changed",
        "closed",
        "found_again",
        "assigned",
        "commented",
        "proposed",
        "refused",
        "resolved",
      ]),
      by: Person,
      text: z.string(),
    }),
  ),
});
export type BreakView = z.output<typeof BreakView>;

const params = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) });
const version = z.int().min(1);

const FILTER = {
  lane: z.string().max(100).optional(),
  day: z.iso.date().optional(),
  class: BreakClassName.optional(),
  /** Absent: open and proposed. */
  state: BreakState.describe("Finds only breaks in this state.").optional(),
  /** A user ID. */
  assignee: z.string().max(40).optional(),
};
/** The filters of the list of breaks. */
export const BreakFilter = z.strictObject(FILTER);

export const BREAK_API = {
  "GET /api/breaks": {
    permission: "read",
    summary: "Lists differences between statements and the ledger, oldest first",
    query: z.strictObject({ ...PageQuery.shape, ...FILTER }),
    answer: pageOf(BreakItem).extend({
      /** Breaks by class for the other filters. A class without breaks is absent. */
      counts: z.array(z.object({ class: BreakClassName, count: z.int() })),
    }),
  },
  "GET /api/breaks/:id": {
    permission: "read",
    summary: "Shows a break with its history",
    params,
    answer: BreakView,
  },
  "PUT /api/breaks/:id/assignment": {
    permission: "operate",
    summary: "Assigns an unresolved break to a user, or removes the assignment",
    params,
    /** Null removes the assignment. */
    body: z.strictObject({ to: z.string().max(40).nullable(), version }),
    answer: BreakView,
  },
  "POST /api/breaks/:id/comments": {
    permission: "read",
    summary: "Adds a permanent comment to a break",
    params,
    body: z.strictObject({ text: multiLineText(1, 2_000), version }),
    answer: BreakView,
  },
  "POST /api/breaks/:id/propose": {
    permission: "operate",
    summary: "Proposes the resolution of a break; an approver must confirm it",
    params,
    body: z.strictObject({ explanation: reasonText(3, 1_000), version }),
    answer: BreakView,
  },
  "POST /api/breaks/:id/decide": {
    permission: "approve",
    keys: false,
    summary: "Confirms or rejects the proposed resolution of a break; the proposer cannot",
    params,
    body: z.strictObject({
      agree: z.boolean(),
      version,
      /** The ID of the proposal that you saw. */
      proposal: z.int().min(1),
    }),
    answer: BreakView,
  },
} as const satisfies Record<string, ApiOperation>;
