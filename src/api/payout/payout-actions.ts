import { z } from "zod";
import type { ApiOperation } from "#api/app/operation.ts";
import { Amount, PageQuery, pageOf, reasonText, Timestamp } from "#api/app/shapes.ts";
import { PayoutFilter, StateName } from "#api/payout/payout-filter.ts";
import {
  BULK_ACTIONS,
  BULK_STATES,
  LEFT_REASONS,
  type LeftReason,
} from "#payout/action/payout-action.ts";

const Count = z.number().int();
const Person = z.object({ actor: z.string(), name: z.string() });
const Share = z.object({
  count: Count,
  totals: z.array(z.object({ ...Amount.shape, payouts: Count })),
});
const LeftName = z.enum(Object.keys(LEFT_REASONS) as [LeftReason, ...LeftReason[]]);
const Left = z.array(z.object({ reason: LeftName, text: z.string(), count: Count }));

/** An action on many payouts, from its preview on. */
export const PayoutActionView = z.object({
  id: z.string(),
  action: z.enum(BULK_ACTIONS),
  /** `proposed`: the results wait for a second person. */
  state: z.enum(BULK_STATES),
  created_by: Person,
  created_at: Timestamp,
  /** The preview cannot be applied afterwards. */
  expires_at: Timestamp,
  selected: Count,
  qualifying: Share,
  not_qualifying: Left,
  /** The qualifying payouts by their assignee; null if the action is no assignment. */
  assignees: z.array(z.object({ user: Person.nullable(), count: Count })).nullable(),
  /** The user to whom an applied action has assigned the payouts; null: nobody. */
  assigned_to: Person.nullable(),
  /** The reason given when it was applied. */
  reason: z.string().nullable(),
  applied_at: Timestamp.nullable(),
  /** The person who confirmed or rejected a resolution. */
  decided_by: Person.nullable(),
  decided_at: Timestamp.nullable(),
  /** The reason of a rejection. */
  rejection: z.string().nullable(),
  /** The changed payouts; of a proposal, the payouts that it proposes to resolve. */
  changed: Share.nullable(),
  /** The qualifying payouts that were not changed. */
  left: Left.nullable(),
  /** SHA-256 of the list of changed payouts, as on the audit log. */
  digest: z.string().nullable(),
});
export type PayoutActionView = z.output<typeof PayoutActionView>;

const ActionPayout = z.object({
  code: z.string(),
  batch_id: z.string(),
  line: Count,
  ...Amount.shape,
  /** The state at the time of the preview. */
  state_before: StateName,
  state: StateName,
  outcome: z.enum(["qualifies", "changed", ...LeftName.options]),
  outcome_text: z.string(),
  /** For a resolution: the lines of statements. */
  evidence: z.string().nullable(),
});

const params = z.object({ id: z.string().max(40) });
const CODES_MAX = 1_000;
const Reason = reasonText(3, 300);

/** The API of actions on many payouts. */
export const PAYOUT_ACTION_API = {
  "POST /api/payout-actions": {
    permission: "operate",
    summary:
      "Previews an action on the selected payouts: how many would change, with their sums, and why others would not. No payout changes",
    creates: true,
    body: z
      .strictObject({
        action: z.enum(BULK_ACTIONS),
        /** The filters of `GET /api/payouts`. Either this or `codes`. */
        filter: PayoutFilter.optional(),
        /** Transaction codes. */
        codes: z.array(z.string().min(1).max(64)).min(1).max(CODES_MAX).optional(),
      })
      .refine(
        ({ filter, codes }) => (filter === undefined) !== (codes === undefined),
        "requires either filter or codes",
      ),
    answer: PayoutActionView,
  },
  "GET /api/payout-actions": {
    permission: "read",
    summary: "Lists actions in one state, oldest first",
    query: z.strictObject({
      ...PageQuery.shape,
      state: z.enum(BULK_STATES).default("proposed"),
    }),
    answer: pageOf(PayoutActionView),
  },
  "GET /api/payout-actions/:id": {
    permission: "read",
    summary: "Returns an action with its preview and its result",
    params,
    answer: PayoutActionView,
  },
  "GET /api/payout-actions/:id/payouts": {
    permission: "read",
    summary: "Lists the selected payouts of an action with their outcomes",
    params,
    query: z.strictObject({
      ...PageQuery.shape,
      /** Only those that the action did or would change, or only the others. */
      outcome: z.enum(["changed", "left"]).optional(),
    }),
    answer: pageOf(ActionPayout),
  },
  "GET /api/payout-actions/:id/export": {
    permission: "read",
    summary: "Downloads the selected payouts of an action with their outcomes",
    params,
    query: z.strictObject({ format: z.enum(["csv", "xlsx"]).default("csv") }),
    answer: "file",
  },
  "POST /api/payout-actions/:id/apply": {
    permission: "operate",
    summary:
      "Applies your preview to exactly the previewed payouts that still qualify; a resolution only becomes a proposal. Repeating the request changes nothing",
    params,
    body: z.strictObject({ reason: Reason }),
    answer: PayoutActionView,
  },
  "POST /api/payout-actions/:id/assign": {
    permission: "operate",
    summary:
      "Assigns exactly the previewed payouts that still qualify, or removes their assignments. Repeating the request changes nothing",
    params,
    /** A user ID. Null removes the assignments. */
    body: z.strictObject({ to: z.string().max(40).nullable() }),
    answer: PayoutActionView,
  },
  "POST /api/payout-actions/:id/confirm": {
    permission: "approve",
    stepUp: true,
    keys: false,
    summary:
      "Confirms all proposed results of an action; payouts that have changed since are left. The proposer cannot confirm them",
    params,
    answer: PayoutActionView,
  },
  "POST /api/payout-actions/:id/reject": {
    permission: "approve",
    stepUp: true,
    keys: false,
    summary: "Rejects all proposed results of an action",
    params,
    body: z.strictObject({ reason: Reason }),
    answer: PayoutActionView,
  },
} as const satisfies Readonly<Record<string, ApiOperation>>;
