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
const Left = z.array(
  z.object({
    reason: Reason,
    text: z.string(),
    count: Count.describe("Number of breaks with this reason."),
  }),
);

/**
 * An action on several breaks, from its preview on. Its descriptions are here, because actions on
 * payouts have the same names.
 */
const BreakActionView = z.object({
  id: z.string().describe("ID of the action."),
  action: z
    .enum(BREAK_ACTIONS)
    .describe(
      "`assign`: assign the breaks to a user. `propose`: propose one explanation for all. `confirm` or `reject`: decide about the proposals.",
    ),
  created_by: Person.describe("The person or API key that made the preview."),
  created_at: Timestamp.describe("Time of the preview."),
  expires_at: Timestamp.describe("Time after which the preview cannot be applied."),
  selected: Count.describe("Number of selected breaks."),
  qualifying: z
    .object({
      count: Count.describe("Number of breaks to which the action applies."),
      kinds: z.array(
        z.object({
          class: BreakClassName,
          count: Count.describe("Number of breaks of this class."),
          differences: z.array(Amount),
        }),
      ),
    })
    .describe("Selected breaks to which the action applies."),
  not_qualifying: Left.describe("Selected breaks to which the action does not apply, by reason."),
  digest: z
    .string()
    .describe(
      "SHA-256 of the list of qualifying breaks: one line for each, with its number, its version and, for a decision, the number of the proposal, in ascending order. The audit log lists the changed breaks in the same way.",
    ),
  explanations: z.array(
    z.object({
      explanation: z.string(),
      by: Person,
      count: Count.describe("Number of breaks with this explanation."),
    }),
  ),
  assigned_to: Person.nullable().describe(
    "User to whom the action assigned the breaks; null for nobody, and for other actions.",
  ),
  applied_at: Timestamp.nullable().describe(
    "Time at which the action was applied; null if it was not applied.",
  ),
  changed: Count.nullable().describe(
    "Number of breaks that the action changed; null if it was not applied.",
  ),
  left: Left.nullable().describe(
    "Qualifying breaks that the action did not change, by reason; null if it was not applied.",
  ),
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
