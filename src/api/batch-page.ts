import { z } from "zod";
import { Actor, Allowed, BatchStateName, Policy } from "#api/approvals.ts";
import { CanaryShown, StopShown } from "#api/brakes.ts";
import { PRIORITIES } from "#batch/priority.ts";
import type { Operation } from "#api/operation.ts";
import { SendView } from "#api/send-times.ts";
import { Amount, Timestamp, why } from "#api/shapes.ts";
import { PARTS } from "#batch/equation.ts";
import { BRAKE_SETTINGS } from "#payout/brake-settings.ts";
import { type PayoutState, STATES } from "#payout/lifecycle.ts";

const BatchParams = z.object({ id: z.string().max(40) });
const PayoutStateName = z.enum(Object.keys(STATES) as [PayoutState, ...PayoutState[]]);
const Count = z.number().int();

/** 0: none. */
const Canary = z.int().min(0).max(BRAKE_SETTINGS.canary_payouts.max);

const Equation = z.object({
  currency: z.string(),
  approved: z.string(),
  parts: z.array(z.object({ part: z.enum(PARTS), count: Count, amount: z.string() })),
  /** The parts, counted from the payouts, are what was written down when the rows came in. */
  adds_up: z.boolean(),
});

/** A batch as everybody sees it; what `batch:ID` of the live stream carries. */
export const BatchView = z.object({
  batch_id: z.string(),
  file: z.string(),
  name: z.string().nullable(),
  purpose: z.string().nullable(),
  state: BatchStateName,
  reason: z.string().nullable(),
  rows: Count,
  rejected: Count,
  payouts: Count,
  maker: Actor,
  priority: z.enum(PRIORITIES),
  created_at: Timestamp,
  approved_at: Timestamp.nullable(),
  finished_at: Timestamp.nullable(),
  digest: z.string(),
  content_digest: z.string(),
  encoding: z.string(),
  delimiter: z.string(),
  equation: z.array(Equation),
  lanes: z.array(
    z.object({
      lane: z.string(),
      payouts: Count,
      ...Amount.shape,
      states: z.array(z.object({ state: PayoutStateName, count: Count, amount: z.string() })),
      stopped: StopShown.nullable(),
    }),
  ),
  canary: CanaryShown,
  pace: z.object({ answers_per_second: z.number(), p95_ms: z.number().nullable() }),
  /** Until everything is sent, at the pace of now; null: unknown, or nothing left to send. */
  seconds_left: Count.nullable(),
  policy: Policy,
  /** When it goes out, or went; null: when it is approved. */
  send: SendView.nullable(),
  /** A sentence for each lane whose cut-off it misses, were it approved now. */
  misses: z.array(z.string()),
  /** Why the whole ledger sends nothing; null: it may. */
  frozen: z.string().nullable(),
  /** Why the batch is neither approved nor sent, one sentence each; empty: it is not in quarantine. */
  quarantine: z.array(z.string()),
});

const Point = z.object({
  at: Timestamp,
  /** Payouts so far. */
  sent: Count,
  paid: Count,
  not_paid: Count,
  /** Within the step that ends here. */
  answers_per_second: z.number(),
  p95_ms: z.number().nullable(),
});

const Steer = z.strictObject({ reason: why(3, 500) });

export const BATCH_PAGE_API = {
  "GET /api/batches/:id": {
    may: "read",
    summary: "A batch: where its money is, how it goes on, and what whoever asks may do",
    params: BatchParams,
    answer: z.object({
      ...BatchView.shape,
      you: z.object({
        approve: Allowed,
        pause: Allowed,
        resume: Allowed,
        cancel: Allowed,
        release_quarantine: Allowed,
        put_off: Allowed,
        send_now: Allowed,
        release: Allowed,
        set_canary: Allowed,
        prioritize: Allowed,
      }),
    }),
  },
  "GET /api/batches/:id/progress": {
    may: "read",
    summary: "How a batch went on over time, and what became of its payouts by cause",
    params: BatchParams,
    answer: z.object({
      /** Payouts that the points are drawn from; fewer than all of them in a large batch. */
      sampled: Count,
      points: z.array(Point),
      causes: z.array(
        z.object({
          state: PayoutStateName,
          /** A code of the catalogue of reasons; null: none. */
          cause: z.string().nullable(),
          means: z.string().nullable(),
          count: Count,
          ...Amount.shape,
        }),
      ),
    }),
  },
  "GET /api/batches/:id/timeline": {
    may: "read",
    summary: "What people and payrun did with a batch, in order",
    params: BatchParams,
    answer: z.object({
      items: z.array(
        z.object({
          at: Timestamp,
          by: Actor,
          action: z.string(),
          /** What they said: a reason, a question. */
          words: z.string().nullable(),
        }),
      ),
    }),
  },
  "POST /api/batches/:id/release-quarantine": {
    may: "operate",
    summary: "Let a batch be approved and sent that a restored ledger may have paid before",
    params: BatchParams,
    body: Steer,
    answer: "nothing",
    stepUp: true,
    keys: false,
  },
  "POST /api/batches/:id/pause": {
    may: "operate",
    summary: "Send nothing more of a batch; what was sent is still followed",
    params: BatchParams,
    body: Steer,
    answer: "nothing",
  },
  "POST /api/batches/:id/resume": {
    may: "operate",
    summary: "Go on with a paused batch, and open its stopped lanes",
    params: BatchParams,
    body: Steer,
    answer: z.object({ opened: z.array(z.string()) }),
  },
  "POST /api/batches/:id/priority": {
    // Its maker may until it is approved, approvers and operators until it has ended.
    may: "read",
    summary: "Which batch goes first where not all can be sent at once",
    params: BatchParams,
    body: z.strictObject({ ...Steer.shape, priority: z.enum(PRIORITIES) }),
    answer: "nothing",
  },
  "POST /api/batches/:id/release": {
    may: "operate",
    summary: "Let the rest of a batch follow although its canary has not settled",
    params: BatchParams,
    body: Steer,
    answer: z.object({ released: z.array(z.string()) }),
  },
  "POST /api/batches/:id/canary": {
    may: "approve",
    summary: "How many payouts of each lane must settle before the rest is sent; before approval",
    params: BatchParams,
    body: z.strictObject({ payouts: Canary }),
    answer: "nothing",
  },
  "POST /api/batches/:id/cancel": {
    may: "operate",
    summary: "Cancel what has not been sent",
    params: BatchParams,
    body: Steer,
    answer: z.object({ cancelled: Count, state: BatchStateName }),
  },
} as const satisfies Record<string, Operation>;
