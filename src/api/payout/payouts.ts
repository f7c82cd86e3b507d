import { z } from "zod";
import { Actor, BatchStateName } from "#api/approval/approvals.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import {
  Amount,
  TimelineEntry,
  multiLineText,
  PageQuery,
  pageOf,
  Timestamp,
  reasonText,
} from "#api/app/shapes.ts";
import { AssignmentView } from "#api/payout/assignments.ts";
import { PayoutFilter, PayoutSortName, StateName } from "#api/payout/payout-filter.ts";

const PayoutQuery = z.strictObject({
  ...PayoutFilter.shape,
  ...PageQuery.shape,
  sort: PayoutSortName,
});

const Payout = z.object({
  code: z.string(),
  batch_id: z.string(),
  line: z.number().int(),
  state: StateName,
  batch_state: BatchStateName,
  /** Exact duplicates block the approval of its batch until an uploader gives a reason. */
  needs_duplicate_reason: z.boolean(),
  reason: z.string().nullable(),
  ...Amount.shape,
  beneficiary: z.string().nullable(),
  /** The data of the beneficiary was erased. */
  is_erased: z.boolean(),
  account_last4: z.string().nullable(),
  bank: z.string().nullable(),
  reference: z.string().nullable(),
  gateway_number: z.string().nullable(),
  /** The fee that the gateway reported last; null for none, or for one that cannot be read. */
  fee: Amount.shape.amount.nullable(),
  attempts: z.number().int(),
  sent_at: Timestamp.nullable(),
  settled_at: Timestamp.nullable(),
  updated_at: Timestamp,
});

/** A payout in lists. */
export const ListedPayout = z.object({
  ...Payout.shape,
  batch_name: z.string().nullable(),
  batch_purpose: z.string().nullable(),
  file_name: z.string(),
  /** The text of the gateway, or the meaning of the reason; null for none. */
  cause: z.string().nullable(),
  /** As in the file; null if it is not the name of a bank. */
  bank_name: z.string().nullable(),
  /** The last readable status answer and how often it was repeated; null for none. */
  last_status_answer: z
    .object({ answer: z.enum(["not_found", "unclear", "returned"]), times: z.number().int() })
    .nullable(),
  /** The last payout that retries a declined or returned one; null if none does. */
  retried_by: z
    .object({
      code: z.string(),
      state: StateName,
      batch_state: BatchStateName,
      needs_duplicate_reason: z.boolean(),
    })
    .nullable(),
});

/** A payout with its history. The topic `payout:CODE` of the live stream carries this document. */
export const PayoutView = z.object({
  ...Payout.shape,
  reason_text: z.string().nullable(),
  /** The archive file with its details and course; null if they are in the ledger. */
  archive_file: z.string().nullable(),
  /** The last reported fee as written, if it cannot be read. */
  unreadable_fee: z.string().nullable(),
  earlier_fee: z.string().nullable(),
  /** The start of a period without a readable answer of the gateway; null if there is none. */
  silent_since: Timestamp.nullable(),
  lane: z.string(),
  maker: Actor,
  file_name: z.string(),
  batch_name: z.string().nullable(),
  batch_purpose: z.string().nullable(),
  /** The fields sent to the gateway; accounts and numbers are masked except for their ends. */
  details: z.array(z.object({ field: z.string(), text: z.string() })),
  /** The name of the merchant, as on the payment page of deposits; null if none is set. */
  payer: z.string().nullable(),
  /** The other values sent. `own`: from the file. Null if unknown or not sent. */
  payout_code: z.object({ text: z.string().nullable(), own: z.boolean() }),
  callback_url: z.object({ text: z.string().nullable(), own: z.boolean() }),
  outlook: z.object({
    moved: z.enum(["no", "maybe", "not_yet", "yes", "see_reason", "returned"]),
    answer: z.string(),
    next: z.string(),
    next_at: Timestamp.nullable(),
    /**
     * The earliest time at which payrun sends the code again, if the gateway still does not know
     * it, with the reason; null if the payout is not waiting to be sent again.
     */
    wait: z
      .object({
        until: Timestamp,
        reason: z.enum(["may_be_processed", "may_show_late"]),
        reason_text: z.string(),
      })
      .nullable(),
  }),
  timeline: z.array(TimelineEntry),
  actions: z.array(
    z.object({
      action: z.enum(["query", "resolve", "hold_back", "release", "cancel", "resend", "replace"]),
      may: z.boolean(),
      why: z.string(),
    }),
  ),
  /** The recorded result before an approver confirms it. Void once the payout changes. */
  resolution: z
    .object({
      id: z.number().int(),
      arrived: z.boolean(),
      evidence: z.string(),
      proposed_by: z.object({ actor: z.string(), name: z.string() }),
      at: Timestamp,
    })
    .nullable(),
  /** An unconfirmed proposal to end the wait before the payout is sent again. */
  wait_ending: z
    .object({
      id: z.number().int(),
      reason: z.string(),
      proposed_by: z.object({ actor: z.string(), name: z.string() }),
      at: Timestamp,
    })
    .nullable(),
  /** The assignment; null if the payout needs no attention. */
  assignment: z
    .object({
      ...AssignmentView.shape,
      /** The assignee of its failure group; null for nobody. */
      group_assigned_to: z.string().nullable(),
      /** The payout can be snoozed: it awaits a person, and payrun does not act on it by itself. */
      may_snooze: z.boolean(),
    })
    .nullable(),
  /** Whether a retry batch may include it, and the payout that retries it. */
  retry: z
    .object({
      may: z.boolean(),
      by: z.object({ code: z.string(), batch_id: z.string(), state: StateName }).nullable(),
    })
    .nullable(),
  /** All payouts of its row, oldest first, if it was retried; otherwise empty. */
  chain: z.array(
    z.object({
      code: z.string(),
      batch_id: z.string(),
      state: StateName,
      batch_state: BatchStateName,
      needs_duplicate_reason: z.boolean(),
      /** When it paid the row; null if it has not. */
      paid_at: Timestamp.nullable(),
    }),
  ),
  /** Other recent payouts to the same account. */
  related: z.array(ListedPayout),
  related_days: z.number().int(),
});
export type PayoutView = z.output<typeof PayoutView>;

const CodeParams = z.object({ code: z.string().trim().min(1).max(64) });
const ReasonWords = reasonText(3, 1_000);

export const PAYOUT_API = {
  "GET /api/payouts": {
    permission: "read",
    summary: "Lists the payouts that match the filters",
    query: PayoutQuery,
    answer: z.object({
      ...pageOf(ListedPayout).shape,
      /** On the first page: the number of results, counted up to `count_max`. */
      count: z.number().int().nullable(),
      count_max: z.number().int(),
    }),
  },
  "POST /api/account-filters": {
    permission: "reveal",
    summary:
      "Creates a filter for an account number, phone number or wallet address; requests are rate-limited and recorded in the audit log",
    body: z.strictObject({ account: z.string().trim().min(1).max(140) }),
    answer: z.object({ account: z.string() }),
  },
  "GET /api/payouts/:code": {
    permission: "read",
    summary: "Returns a payout with its history, its next step and whether money has moved",
    params: CodeParams,
    answer: PayoutView,
  },
  "POST /api/payouts/:code/query": {
    permission: "operate",
    summary: "Queries the payout's status at the gateway now; this is always safe",
    params: CodeParams,
    answer: PayoutView,
  },
  "POST /api/payouts/:code/resolve": {
    permission: "operate",
    summary: "Records the result of an on-hold payout; an approver must confirm it",
    params: CodeParams,
    body: z.strictObject({
      /** Whether the money arrived, according to the evidence. */
      arrived: z.boolean(),
      /** The evidence, such as a bank statement or a support ticket of the gateway. */
      evidence: ReasonWords,
    }),
    answer: PayoutView,
  },
  "POST /api/payouts/:code/resolution": {
    permission: "approve",
    stepUp: true,
    keys: false,
    summary: "Confirms or rejects the recorded result of a payout",
    params: CodeParams,
    body: z.strictObject({ id: z.number().int(), agree: z.boolean() }),
    answer: PayoutView,
  },
  "POST /api/payouts/:code/end-wait": {
    permission: "operate",
    summary:
      "Proposes ending the wait before an in-doubt payout is sent again; an approver must confirm the proposal",
    params: CodeParams,
    body: z.strictObject({
      /** Why no earlier request can be in progress, such as a support ticket of the gateway. */
      reason: ReasonWords,
    }),
    answer: PayoutView,
  },
  "POST /api/payouts/:code/wait-ending": {
    permission: "approve",
    stepUp: true,
    keys: false,
    summary: "Confirms or rejects the proposal to end the wait",
    params: CodeParams,
    body: z.strictObject({ id: z.number().int(), agree: z.boolean() }),
    answer: PayoutView,
  },
  "POST /api/payouts/:code/reveal": {
    permission: "reveal",
    summary: "Returns the full beneficiary details; each access is recorded in the audit log",
    params: CodeParams,
    body: z.strictObject({ reason: ReasonWords }),
    answer: z.object({ details: z.array(z.object({ field: z.string(), text: z.string() })) }),
  },
  "POST /api/payouts/:code/notes": {
    permission: "operate",
    summary: "Adds a permanent note to a payout; it is recorded in the audit log",
    params: CodeParams,
    body: z.strictObject({ text: multiLineText(3, 1_000) }),
    answer: PayoutView,
  },
} as const satisfies Record<string, ApiOperation>;
