import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { type ReasonCode, reasonCode, reasonText } from "#payout/reasons.ts";
import { retryConditionOf, type RetryRule } from "#payout/retry-rule.ts";

/** The meaning of a failed or doubtful payout for the person who resolves it. */
export interface FailureExplanation {
  readonly meaning: string;
  readonly todo: string;
  /** How it may be retried. Null: not at all, because it is not conclusively declined. */
  readonly retry: RetryRule | null;
}

/**
 * The party that has to act next: the uploader of the file, an operator who queries the gateway, or
 * payrun itself.
 */
export type Actor = "maker" | "operator" | "payrun";

/** The states of payouts that need attention. An approved payout counts once it was deferred. */
export const FAILING = {
  declined: "maker",
  on_hold: "operator",
  returned: "operator",
  in_doubt: "payrun",
  approved: "payrun",
} as const satisfies Partial<Record<PayoutState, Actor>>;
export type FailingState = keyof typeof FAILING;
export const FAILING_STATES = Object.keys(FAILING) as [FailingState, ...FailingState[]];

/** The only reason for which an approved payout counts as a failure: it is sent later. */
export const DEFERRED = "deferred" satisfies ReasonCode;

/** Returns the state of a payout that needs attention. Null: nothing needs to be done. */
export function failingState(state: PayoutState, cause: string | null): FailingState | null {
  if (state === "approved" && reasonCode(cause) !== DEFERRED) return null;
  return FAILING_STATES.find((each) => each === state) ?? null;
}

/**
 * Returns whether a failure group may be snoozed. Those that wait for people may. Those that payrun
 * works on may not: they change with every status query, and a reader of the list wants to see
 * them.
 */
export const maySnooze = (state: FailingState): boolean => FAILING[state] !== "payrun";

/** Maximum snooze time in days. No failure group can be hidden for ever. */
export const SNOOZE_DAYS_MAX = 90;

const CONTACT_SUPPORT =
  "Contact gateway support, quoting the transaction code and the amount, and resolve the payout manually on its page. Do not pay it again before support has replied.";
const WAIT =
  "Wait: payrun is querying the gateway. After 15 minutes, also contact gateway support. Do not pay it again.";
const CHECK_RETURN =
  "Ask the beneficiary for the correct account details, and check that the money has come back. Then include it in a retry batch, or upload the corrected row in a new file.";
const LATER =
  "No action needed: payrun will send it again with the same transaction code. If its lane has stopped, see Operations.";

/**
 * The next step for each failure group. For refusals, the gateway's text is more specific (below).
 */
// biome-ignore format: the columns are the point
const STEPS: Readonly<Record<ReasonCode, string>> = {
  refused:               "Find out from gateway support why it was refused. Then retry it with new details, or unchanged with a reason.",
  failed_at_gateway:     "Ask the beneficiary to confirm the account details. Then retry it with new details, or unchanged with a reason.",
  deferred:              LATER,
  no_answer:             WAIT,
  lease_expired:         WAIT,
  duplicate_arrived:     WAIT,
  duplicate_unexplained: WAIT,
  duplicate_matched:     "Find out whether the file was paid before a restore, or whether another system is using the same transaction codes.",
  sent_before_restore:   "No action needed: it was found at the gateway after the restore.",
  refused_after_doubt:   CONTACT_SUPPORT,
  refused_since_restore: WAIT,
  code_not_ours:         CONTACT_SUPPORT,
  duplicate_not_shown:   CONTACT_SUPPORT,
  duplicate_failed:      CONTACT_SUPPORT,
  known_before_sent:     CONTACT_SUPPORT,
  status_unanswered:     CONTACT_SUPPORT,
  amount_mismatch:       CONTACT_SUPPORT,
  manual_process:        CONTACT_SUPPORT,
  unclear_status:        CONTACT_SUPPORT,
  two_records:           "Ask gateway support at once whether it was paid twice. Quote the transaction code, the amount and both gateway numbers, and have one of the two payments stopped or returned. Resolve the payout manually on its page once the outcome is clear.",
  accepted_twice:        "Ask gateway support at once whether it was paid twice, quoting the transaction code and the amount. Resolve the payout manually on its page once the outcome is clear.",
  contradiction:         CONTACT_SUPPORT,
  poison:                "Find out from the logs why the workers stopped, and ask gateway support about the transaction code. Do not pay the row again until both are clear.",
  not_found_at_gateway:  CONTACT_SUPPORT,
  not_queried:             CONTACT_SUPPORT,
  resend_window_over:    CONTACT_SUPPORT,
  cannot_be_encoded:     "Ask gateway support whether it has a record of an earlier attempt. If it has none, shorten the value, and upload the row in a new file.",
  content_changed:       "Find out who changed the database, before anything else is sent.",
  overtaken:             CONTACT_SUPPORT,
  paid_again_before_restore: CONTACT_SUPPORT,
  resolved_arrived:        "No action needed: it was resolved manually.",
  resolved_not_arrived:    "Upload the row in a new file if it still needs to be paid.",
  returned_by_gateway:   CHECK_RETURN,
  held_back:             "No action needed: it is not sent until someone releases it.",
  cancelled:             "No action needed: it was cancelled before it was sent.",
};

/** The next step for each refusal of docs/reference/gateway.md, by the recorded text. */
// biome-ignore format: the columns are the point
const REFUSALS: Readonly<Record<string, string>> = {
  "a required parameter is missing":  "Fill in the fields that the currency requires (see its template), and retry it with these details.",
  "invalid IFSC":                     "Ask the beneficiary for the branch's IFSC, and retry it with this IFSC.",
  "bank not found":                   "Correct the bank code or the bank name, and retry it with these details.",
  "the amount cannot have decimals":  "Round the amount to whole units, and retry it with this amount.",
};

const UNEXPLAINED = "See its history on the payout page.";

/**
 * Describes a failure group.
 * @param cause a reason as it is stored, with or without the text after its code.
 */
export function explainFailure(state: FailingState, cause: string | null): FailureExplanation {
  const retry = state === "declined" ? retryConditionOf(cause).rule : null;
  const code = reasonCode(cause);
  if (cause === null || code === null) {
    return { meaning: cause ?? "No reason is recorded.", todo: UNEXPLAINED, retry };
  }
  const said = code === "refused" ? cause.slice(code.length + 2) : "";
  return { meaning: reasonText(cause), todo: REFUSALS[said] ?? STEPS[code], retry };
}
