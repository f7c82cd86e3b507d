/**
 * Every legal move of a deposit. Nothing else may change a state: the guard in SQL, the diagram in docs/lifecycle.md
 * and the tests are derived from this table.
 */

/** Has the payer's money come in? `late`: not while there was time for it, and it is still looked for. */
export type Paid = "no" | "not yet" | "maybe" | "yes" | "late" | "see reason";

/** Each state with what it says to people, above all: has money come in? */
// biome-ignore format: the columns are the point
export const DEPOSIT_STATES = {
  requested:        { paid: "not yet",    final: false, means: "an attempt is on record, bytes may be on the way" },
  in_doubt:         { paid: "maybe",      final: false, means: "sent without a conclusive answer, being asked for" },
  awaiting_bank:    { paid: "not yet",    final: false, means: "the payer must say which account they pay from (KRW)" },
  awaiting_payment: { paid: "not yet",    final: false, means: "the gateway waits for the payer's money" },
  completed:        { paid: "yes",        final: true,  means: "the gateway reports it completed" },
  expired:          { paid: "late",       final: true,  means: "the time to pay is over; asked for a while longer" },
  declined:         { paid: "no",         final: true,  means: "came to nothing: refused, not taken, or failed at the gateway" },
  manual:           { paid: "see reason", final: true,  means: "a person must decide; the reason is on record" },
  closed:           { paid: "see reason", final: true,  means: "closed by hand; what people found out elsewhere is on record" },
} satisfies Record<string, { paid: Paid; final: boolean; means: string }>;

export type DepositState = keyof typeof DEPOSIT_STATES;

interface DepositMove {
  readonly from: readonly DepositState[];
  readonly to: DepositState;
}

// biome-ignore format: the columns are the point
const MOVES = {
  repeat:    { from: ["requested"],                         to: "requested" },        // proven: not taken; same transaction code
  resend:    { from: ["in_doubt"],                          to: "requested" },        // looked up and not there; same transaction code
  doubt:     { from: ["requested"],                         to: "in_doubt" },
  ask_bank:  { from: ["requested", "in_doubt"],             to: "awaiting_bank" },
  hand_in:   { from: ["awaiting_bank"],                     to: "requested" },        // the payer's account, second step
  give_back: { from: ["requested", "in_doubt"],             to: "awaiting_bank" },    // the second step was not taken
  accept:    { from: ["requested", "in_doubt"],             to: "awaiting_payment" },
  complete:  { from: ["in_doubt", "awaiting_bank", "awaiting_payment", "expired", "manual"], to: "completed" },
  expire:    { from: ["in_doubt", "awaiting_bank", "awaiting_payment"], to: "expired" },
  decline:   { from: ["requested", "in_doubt", "awaiting_bank", "awaiting_payment", "manual"], to: "declined" },
  hold:      { from: ["requested", "in_doubt", "awaiting_bank", "awaiting_payment", "completed", "expired", "declined", "closed"], to: "manual" },
  close:     { from: ["manual"],                            to: "closed" },           // by the word of people, never of the gateway
} satisfies Record<string, DepositMove>;

export type DepositEvent = keyof typeof MOVES;

export const DEPOSIT_LIFECYCLE: Readonly<Record<DepositEvent, DepositMove>> = MOVES;
