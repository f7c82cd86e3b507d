import { z } from "zod";
import { Actor, Allowed, BatchStateName, Policy } from "#api/approval/approvals.ts";
import { BatchLaneStopView, CanaryView } from "#api/app/circuit-breakers.ts";
import { PRIORITIES } from "#payout/priority.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import { SendTimeView } from "#api/schedule/send-times.ts";
import { Amount, Timestamp, reasonText } from "#api/app/shapes.ts";
import { PARTS } from "#approval/status-breakdown.ts";
import { CIRCUIT_BREAKER_SETTINGS } from "#payout/lane/circuit-breaker-settings.ts";
import { type PayoutState, STATES } from "#payout/payout-lifecycle.ts";

const BatchParams = z.object({ id: z.string().max(40) });
const PayoutStateName = z.enum(Object.keys(STATES) as [PayoutState, ...PayoutState[]]);
const Count = z.number().int();

/** 0 for none. */
const Canary = z.int().min(0).max(CIRCUIT_BREAKER_SETTINGS.canary_payouts.max);

const Equation = z.object({
  currency: z.string(),
  approved: z.string(),
  parts: z.array(z.object({ part: z.enum(PARTS), count: Count, amount: z.string() })),
  /** True if the parts, counted from the payouts, add up to the totals recorded at upload. */
  adds_up: z.boolean(),
});

/** A batch as every user sees it. The topic `batch:ID` of the live stream carries this document. */
export const BatchView = z.object({
  batch_id: z.string(),
  file: z.string(),
  name: z.string().nullable(),
  purpose: z.string().nullable(),
  state: BatchStateName,
  /** True once the payouts not sent yet were cancelled. Those sent before are still tracked. */
  cancelling: z.boolean(),
  /** The latest cancellation of the batch or its unsent payouts; null if there was none. */
  cancelled: z.object({ ...Actor.shape, reason: z.string().nullable(), at: Timestamp }).nullable(),
  reason: z.string().nullable(),
  rows: Count,
  rejected: Count,
  payouts: Count,
  maker: Actor,
  priority: z.enum(PRIORITIES),
  created_at: Timestamp,
  approved_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  /** Payouts whose details and course are only in archive files; null if there are none. */
  archived: z.object({ payouts: Count, files: z.array(z.string()) }).nullable(),
  digest: z.string(),
  content_digest: z.string(),
  encoding: z.string(),
  delimiter: z.string(),
  equation: z.array(Equation),
  /** The fees that the gateway reported for the payouts that settled, one total per currency. */
  fees: z.array(Amount),
  lanes: z.array(
    z.object({
      lane: z.string(),
      payouts: Count,
      ...Amount.shape,
      fees: z.array(Amount),
      states: z.array(z.object({ state: PayoutStateName, count: Count, amount: z.string() })),
      stopped: BatchLaneStopView.nullable(),
    }),
  ),
  canary: CanaryView,
  pace: z.object({ answers_per_second: z.number(), p95_ms: z.number().nullable() }),
  /** Estimated time until every payout is sent; null if unknown or if every payout is sent. */
  seconds_left: Count.nullable(),
  policy: Policy,
  /** The scheduled or actual send time; null: on approval. */
  send: SendTimeView.nullable(),
  /** A sentence for each lane whose cut-off the batch would miss if it were approved now. */
  misses: z.array(z.string()),
  /** Why the ledger is frozen; null if it is not. */
  frozen: z.string().nullable(),
  /** The reasons for the quarantine, one sentence each; empty if the batch is not in quarantine. */
  quarantine: z.array(z.string()),
  /** True: exact duplicates block the approval until an uploader gives a reason. */
  needs_duplicate_reason: z.boolean(),
});

const Point = z.object({
  at: Timestamp,
  /** Number of payouts so far. */
  sent: Count,
  settled: Count,
  declined: Count,
  /** Within the interval that ends at this point. */
  answers_per_second: z.number(),
  p95_ms: z.number().nullable(),
});

/** The topic `unsent:ID` of the live stream carries this document. */
const UnsentPayouts = z.object({ payouts: Count, sums: z.array(Amount) });
export type UnsentPayouts = z.output<typeof UnsentPayouts>;

const OrderBody = z.strictObject({ reason: reasonText(3, 500) });

export const BATCH_PAGE_API = {
  "GET /api/batches/:id": {
    permission: "read",
    summary:
      "Returns a batch with its amounts by status, its progress and the actions available to you",
    params: BatchParams,
    answer: z.object({
      ...BatchView.shape,
      you: z.object({
        approve: Allowed,
        request_approval: Allowed,
        withdraw: Allowed,
        pause: Allowed,
        resume: Allowed,
        cancel: Allowed,
        release_quarantine: Allowed,
        reschedule: Allowed,
        send_now: Allowed,
        release: Allowed,
        set_canary: Allowed,
        prioritize: Allowed,
      }),
    }),
  },
  "GET /api/batches/:id/unsent": {
    permission: "read",
    summary: "Counts the payouts in a batch that have not been sent, which can still be cancelled",
    params: BatchParams,
    answer: UnsentPayouts,
  },
  "GET /api/batches/:id/progress": {
    permission: "read",
    summary: "Returns a batch's progress over time and its payouts by failure group",
    params: BatchParams,
    answer: z.object({
      /** Number of payouts in the sample; a large batch is sampled. */
      sampled: Count,
      points: z.array(Point),
      reasons: z.array(
        z.object({
          state: PayoutStateName,
          /** A reason code; null for none. */
          reason: z.string().nullable(),
          meaning: z.string().nullable(),
          count: Count,
          ...Amount.shape,
        }),
      ),
    }),
  },
  "GET /api/batches/:id/timeline": {
    permission: "read",
    summary: "Returns the timeline of a batch",
    params: BatchParams,
    answer: z.object({
      items: z.array(
        z.object({
          at: Timestamp,
          by: Actor,
          action: z.string(),
          /** The text of the reason or question. */
          text: z.string().nullable(),
        }),
      ),
    }),
  },
  "POST /api/batches/:id/release-quarantine": {
    permission: "operate",
    summary: "Releases a batch from quarantine so that it can be approved and sent",
    params: BatchParams,
    body: OrderBody,
    answer: "nothing",
    stepUp: true,
    keys: false,
  },
  "POST /api/batches/:id/withdraw": {
    permission: "upload",
    summary: "Withdraws your batch from approval; it becomes a draft, and its approvals are void",
    params: BatchParams,
    body: OrderBody,
    answer: "nothing",
  },
  "POST /api/batches/:id/pause": {
    permission: "operate",
    summary: "Pauses a batch; payrun continues to track payouts already sent",
    params: BatchParams,
    body: OrderBody,
    answer: "nothing",
  },
  "POST /api/batches/:id/resume": {
    permission: "operate",
    summary: "Resumes a paused batch; its stopped lanes stay stopped",
    params: BatchParams,
    body: OrderBody,
    answer: "nothing",
  },
  "POST /api/batches/:id/priority": {
    // The uploader may until approval, approvers and operators until the batch is finished.
    permission: "read",
    summary: "Sets the priority of a batch",
    params: BatchParams,
    body: z.strictObject({ ...OrderBody.shape, priority: z.enum(PRIORITIES) }),
    answer: "nothing",
  },
  "POST /api/batches/:id/release": {
    permission: "operate",
    summary: "Releases the remaining payouts even though the canary did not settle",
    params: BatchParams,
    body: OrderBody,
    answer: z.object({ released: z.array(z.string()) }),
  },
  "POST /api/batches/:id/canary": {
    permission: "approve",
    summary:
      "Sets the number of payouts per lane that must settle before the remaining payouts are sent; the number can be set only before approval",
    params: BatchParams,
    body: z.strictObject({ payouts: Canary }),
    answer: "nothing",
  },
  "POST /api/batches/:id/cancel": {
    permission: "operate",
    summary: "Cancels the unsent payouts in a batch",
    params: BatchParams,
    body: OrderBody.extend({ content_digest: z.string().min(1).optional() }),
    answer: z.object({ cancelled: Count, state: BatchStateName }),
  },
} as const satisfies Record<string, ApiOperation>;
