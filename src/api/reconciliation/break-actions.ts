import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, PageQuery, pageOf, reasonText, Timestamp } from "#api/app/shapes.ts";
import { BreakClassName, BreakFilter, BreakItem } from "#api/reconciliation/breaks.ts";
import {
  BREAK_ACTIONS,
  BREAK_LEFT_REASONS,
  type BreakLeftReason,
  BREAKS_LISTED_MAX,
} from "#reconciliation/break-action.ts";

const Count = z.int();
const Person = z.object({ actor: z.string(), name: z.string() });
const Reason = z.enum(Object.keys(BREAK_LEFT_REASONS) as [BreakLeftReason, ...BreakLeftReason[]]);
const Left = z.array(z.object({ reason: Reason, text: z.string(), count: Count }));

/** An action on several breaks, from its preview on. */
const BreakActionView = z.object({
  id: z.string(),
  action: z.enum(BREAK_ACTIONS),
  created_by: Person,
  created_at: Timestamp,
  /** The preview cannot be applied afterwards. */
  expires_at: Timestamp,
  selected: Count,
  qualifying: z.object({
    count: Count,
    /** Sums of different classes are not added: a missing payout also moves the balance. */
    kinds: z.array(
      z.object({
        class: BreakClassName,
        count: Count,
        /** Statement less ledger, one sum per currency. */
        differences: z.array(Amount),
      }),
    ),
  }),
  not_qualifying: Left,
  /** SHA-256 of the list of qualifying breaks. The audit log has that of the changed ones. */
  digest: z.string(),
  /** The proposals that a decision confirms or rejects, or that the action made. */
  explanations: z.array(z.object({ explanation: z.string(), by: Person, count: Count })),
  /** The user to whom the action assigned the breaks; null for nobody, and for other actions. */
  assigned_to: Person.nullable(),
  applied_at: Timestamp.nullable(),
  /** Number of changed breaks; null if the preview was not applied. */
  changed: Count.nullable(),
  /** The qualifying breaks that were not changed. */
  left: Left.nullable(),
});
export type BreakActionView = z.output<typeof BreakActionView>;

const ActionBreak = z.object({
  /** The break as it is now. */
  break: BreakItem,
  /** Whether its values have changed since the preview. */
  has_changed: z.boolean(),
  outcome: z.enum(["qualifies", "changed", ...Reason.options]),
  outcome_text: z.string(),
});

const params = z.object({ id: z.string().max(40) });

const chosen = {
  /** The filters of `GET /api/breaks`. Either this or `breaks`. */
  filter: BreakFilter.optional(),
  breaks: z.array(z.int().min(1).max(2_147_483_647)).min(1).max(BREAKS_LISTED_MAX).optional(),
};
const isOne = ({ filter, breaks }: { filter?: unknown; breaks?: unknown }): boolean =>
  (filter === undefined) !== (breaks === undefined);
const ONE_OF = "requires either filter or breaks";

/** The API of actions on several breaks. */
export const BREAK_ACTION_API = {
  "POST /api/break-actions": {
    permission: "operate",
    summary:
      "Previews an assignment or a proposal for the selected breaks: how many would change, with their sums, and why others would not. No break changes",
    creates: true,
    body: z
      .strictObject({ action: z.enum(["assign", "propose"]), ...chosen })
      .refine(isOne, ONE_OF),
    answer: BreakActionView,
  },
  "GET /api/break-actions": {
    permission: "read",
    summary: "Lists applied actions on several breaks, newest first",
    query: z.strictObject(PageQuery.shape),
    answer: pageOf(BreakActionView),
  },
  "GET /api/break-actions/:id": {
    permission: "read",
    summary: "Returns an action on several breaks with its preview and its result",
    params,
    answer: BreakActionView,
  },
  "GET /api/break-actions/:id/breaks": {
    permission: "read",
    summary: "Lists the selected breaks of an action with their outcomes",
    params,
    query: z.strictObject(PageQuery.shape),
    answer: pageOf(ActionBreak),
  },
  "POST /api/break-actions/:id/assign": {
    permission: "operate",
    summary:
      "Assigns exactly the previewed breaks that still qualify, or removes their assignments. Repeating the request changes nothing",
    params,
    /** A user ID. Null removes the assignments. */
    body: z.strictObject({ to: z.string().max(40).nullable() }),
    answer: BreakActionView,
  },
  "POST /api/break-actions/:id/propose": {
    permission: "operate",
    summary:
      "Proposes one resolution for exactly the previewed breaks that still qualify. Repeating the request changes nothing",
    params,
    body: z.strictObject({ explanation: reasonText(3, 1_000) }),
    answer: BreakActionView,
  },
  "POST /api/break-decisions": {
    permission: "approve",
    keys: false,
    summary: "Previews a decision about the proposals of the selected breaks. No break changes",
    creates: true,
    body: z.strictObject({ agree: z.boolean(), ...chosen }).refine(isOne, ONE_OF),
    answer: BreakActionView,
  },
  "POST /api/break-decisions/:id/apply": {
    permission: "approve",
    keys: false,
    summary:
      "Confirms or rejects the proposals of exactly the previewed breaks that still qualify. Repeating the request changes nothing",
    params,
    answer: BreakActionView,
  },
} as const satisfies Record<string, ApiOperation>;
