/**
 * Every legal transition of a payout. All other changes of state are illegal: the guard in SQL, the
 * diagram in docs/understand/lifecycle.md and the tests are derived from this table.
 */

/** Answers to the question whether money has moved. `returned`: it moved and came back. */
export type MoneyMoved = "no" | "maybe" | "not_yet" | "yes" | "see_reason" | "returned";

/** Each state with its text for people, above all whether money has moved. */
// biome-ignore format: the columns are the point
export const STATES = {
  awaiting_approval: { moved: "no",       final: false, means: "validated and awaiting approval" },
  approved:          { moved: "no",       final: false, means: "approved but not sent yet" },
  held_back:         { moved: "no",       final: false, means: "approved, but not sent until a person releases it" },
  submitting:        { moved: "maybe",    final: false, means: "an attempt has been recorded; its request may be on its way" },
  in_doubt:          { moved: "maybe",    final: false, means: "sent without a conclusive response; payrun is querying its status" },
  accepted:          { moved: "not_yet",  final: false, means: "the gateway accepted it but has not reported a result yet" },
  settled:           { moved: "yes",      final: true,  means: "the gateway reports it as completed" },
  declined:          { moved: "no",       final: true,  means: "the gateway has conclusively reported that it will not pay the payout" },
  on_hold:           { moved: "see_reason", final: true, means: "on hold until a person decides; the reason is recorded" },
  returned:          { moved: "returned", final: true,  means: "settled, and then confirmed by the gateway as failed, reversed or refunded" },
  resolved:          { moved: "see_reason", final: true, means: "resolved manually, with the result that people recorded" },
  cancelled:         { moved: "no",       final: true,  means: "stopped before the gateway accepted it" },
} satisfies Record<string, { moved: MoneyMoved; final: boolean; means: string }>;

export type PayoutState = keyof typeof STATES;

interface Move {
  readonly from: readonly PayoutState[];
  readonly to: PayoutState;
}

// biome-ignore format: the columns are the point
const MOVES = {
  approve: { from: ["awaiting_approval"],                          to: "approved" },
  cancel:  { from: ["awaiting_approval", "approved", "held_back"], to: "cancelled" },
  hold_back: { from: ["approved"],                                 to: "held_back" },
  release: { from: ["held_back"],                                  to: "approved" },
  send:    { from: ["approved"],                                   to: "submitting" },
  // The transaction code stays the same.
  resend:  { from: ["in_doubt"],                                   to: "submitting" },
  // The gateway provably did not accept it.
  defer:   { from: ["submitting"],                                 to: "approved" },
  doubt:   { from: ["submitting"],                                 to: "in_doubt" },
  // From approved or held back: it was sent in a history that the ledger has lost.
  accept:  { from: ["approved", "held_back", "submitting", "in_doubt"], to: "accepted" },
  decline: { from: ["submitting", "in_doubt", "accepted"],         to: "declined" },
  settle:  { from: ["in_doubt", "accepted"],                       to: "settled" },
  // From on_hold: it may also have been paid twice.
  hold:    { from: ["awaiting_approval", "approved", "held_back", "submitting", "in_doubt", "accepted", "settled", "declined", "resolved", "returned", "on_hold"], to: "on_hold" },
  // Confirmed by a second status answer.
  return:  { from: ["settled"],                                    to: "returned" },
  // Decided by people, never by the gateway. From in_doubt: a statement lists it.
  resolve: { from: ["on_hold", "in_doubt"],                        to: "resolved" },
} satisfies Record<string, Move>;

export type PayoutEvent = keyof typeof MOVES;

export const LIFECYCLE: Readonly<Record<PayoutEvent, Move>> = MOVES;

/** Returns whether a payout in this state is finished. */
export const isFinal = (state: PayoutState): boolean => STATES[state].final;

/** Returns whether the ledger knows of no attempt to send a payout in this state. */
export const isUnsent = (state: PayoutState): boolean =>
  state === "awaiting_approval" || state === "approved" || state === "held_back";

/** The states of unfinished payouts, in the order of the lifecycle. */
export const OPEN_STATES: readonly PayoutState[] = (Object.keys(STATES) as PayoutState[]).filter(
  (state) => !isFinal(state),
);
