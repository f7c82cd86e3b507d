import type { ReasonCode } from "#payout/reasons.ts";

/** Actions on many payouts at once. */
export const BULK_ACTIONS = [
  "query",
  "hold_back",
  "release",
  "cancel",
  "resolve",
  "assign",
] as const;
export type BulkAction = (typeof BULK_ACTIONS)[number];

/**
 * `previewed`: nothing has changed yet. `proposed`: a resolution waits for a second person.
 */
export const BULK_STATES = ["previewed", "proposed", "applied", "rejected"] as const;
export type BulkState = (typeof BULK_STATES)[number];

/** Maximum number of payouts in one action. */
export const SELECTED_MAX = 100_000;

/** Time in which a preview can be applied. */
export const PREVIEW_MS = 15 * 60_000;

/** Why an action does not apply to a payout. */
export const LEFT_REASONS = {
  moved: "The payout has changed since the preview.",
  held_back: "The payout is already held back.",
  not_held_back: "The payout is not held back.",
  not_approved: "The payout is not approved.",
  being_sent: "A request is in progress. payrun is waiting for the gateway's response.",
  sent: "The payout may have been sent.",
  not_sent: "The payout has not been sent.",
  finished: "The payout is in its final state.",
  batch_not_open: "The batch is finished, or its unsent payouts were cancelled.",
  not_resolvable: "The payout is neither on hold nor in doubt.",
  statement_not_enough:
    "A statement is not enough, because there may be another payment. Resolve the payout on its page.",
  other_amount_reported:
    "The gateway has reported another amount or currency, so a statement is not enough. Resolve the payout on its page.",
  report_changed:
    "The gateway has changed its report, which may be newer than the statement. Resolve the payout on its page.",
  not_listed: "No current statement lists a result of the payout.",
  listed_twice: "Statements list the payout more than once. Resolve it on its page.",
  contradictory: "Statements list contradictory results. Resolve it on its page.",
  amount_differs: "A statement lists another amount or currency.",
  gateway_number_differs: "A statement lists another gateway number.",
  no_attention: "The payout needs no attention.",
  reassigned: "Someone has changed the assignment since the preview.",
} satisfies Record<string, string>;

export type LeftReason = keyof typeof LEFT_REASONS;

/**
 * Reasons that only a listed payment settles. The ledger may have lost requests, and a listed
 * failure says nothing about those.
 */
export const ARRIVED_BY_STATEMENT: readonly ReasonCode[] = ["not_queried", "refused_since_restore"];

/**
 * Reasons that a listed result settles: the gateway gave no clear answer about one request. With
 * any other reason, the result may belong to another payment, or be older than what the gateway
 * said since.
 */
export const SETTLED_BY_STATEMENT: readonly ReasonCode[] = [
  "deferred",
  "duplicate_arrived",
  "lease_expired",
  "manual_process",
  "no_answer",
  "not_found_at_gateway",
  "poison",
  "refused_after_doubt",
  "resend_window_over",
  "status_unanswered",
  "unclear_status",
  ...ARRIVED_BY_STATEMENT,
];

/** Reasons with which no listed result is enough, by why not. */
export const NOT_BY_STATEMENT = {
  amount_mismatch: "other_amount_reported",
  contradiction: "report_changed",
} as const satisfies Partial<Record<ReasonCode, LeftReason>>;
