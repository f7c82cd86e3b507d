/**
 * Every legal state change of a deposit. No other change is possible: the guard in SQL, the diagram
 * in docs/understand/lifecycle.md and the tests are derived from this table.
 */

/**
 * Whether the payer's money has arrived. `late`: not by the payment deadline, and payrun is
 * still querying its status.
 */
export type MoneyArrived = "no" | "not_yet" | "maybe" | "yes" | "late" | "see_reason";

/** Each state with the text that people see; above all, whether money has arrived. */
// biome-ignore format: the columns are the point
export const DEPOSIT_STATES = {
  requested:        { paid: "not_yet",    final: false, means: "an attempt has been recorded; its request may be on its way" },
  in_doubt:         { paid: "maybe",      final: false, means: "sent without a conclusive response; payrun is querying its status" },
  awaiting_bank:    { paid: "not_yet",    final: false, means: "waiting for the payer to enter the account they are paying from (KRW)" },
  awaiting_payment: { paid: "not_yet",    final: false, means: "the gateway is waiting for the payer's money" },
  completed:        { paid: "yes",        final: true,  means: "the gateway reports it as completed" },
  expired:          { paid: "late",       final: true,  means: "the payment deadline has passed; payrun will keep querying the status for a while" },
  declined:         { paid: "no",         final: true,  means: "refused, not accepted, or failed at the gateway" },
  manual:           { paid: "see_reason", final: true,  means: "someone must decide; the reason is recorded" },
  resolved:         { paid: "see_reason", final: true,  means: "resolved manually, with the result that people recorded" },
} satisfies Record<string, { paid: MoneyArrived; final: boolean; means: string }>;

export type DepositState = keyof typeof DEPOSIT_STATES;

interface DepositMove {
  readonly from: readonly DepositState[];
  readonly to: DepositState;
}

/**
 * The state changes by event. `repeat` (proven not taken) and `resend` (queried and not found) keep
 * the transaction code. `send_account` sends the payer's account, the second step;
 * `request_account_again` means that the gateway did not accept it. Only people `resolve` a
 * deposit, never the gateway.
 */
// biome-ignore format: the columns are the point
const MOVES = {
  repeat:                { from: ["requested"],                    to: "requested" },
  resend:                { from: ["in_doubt"],                     to: "requested" },
  doubt:                 { from: ["requested"],                    to: "in_doubt" },
  request_account:       { from: ["requested", "in_doubt"],        to: "awaiting_bank" },
  send_account:          { from: ["awaiting_bank"],                to: "requested" },
  request_account_again: { from: ["requested", "in_doubt"],        to: "awaiting_bank" },
  accept:                { from: ["requested", "in_doubt"],        to: "awaiting_payment" },
  complete:              { from: ["in_doubt", "awaiting_bank", "awaiting_payment", "expired", "manual"], to: "completed" },
  expire:                { from: ["in_doubt", "awaiting_bank", "awaiting_payment"], to: "expired" },
  decline:               { from: ["requested", "in_doubt", "awaiting_bank", "awaiting_payment", "manual"], to: "declined" },
  hold:                  { from: ["requested", "in_doubt", "awaiting_bank", "awaiting_payment", "completed", "expired", "declined", "resolved"], to: "manual" },
  resolve:               { from: ["manual"],                       to: "resolved" },
} satisfies Record<string, DepositMove>;

export type DepositEvent = keyof typeof MOVES;

export const DEPOSIT_LIFECYCLE: Readonly<Record<DepositEvent, DepositMove>> = MOVES;
