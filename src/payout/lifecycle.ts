/**
 * Every legal move of a payout. Nothing else may change a state: the guard in SQL, the diagram in
 * docs/lifecycle.md and the tests are derived from this table.
 */

/** Has money moved? `back`: it had, and came back. */
export type Moved = "no" | "maybe" | "not yet" | "yes" | "see reason" | "back";

/** Each state with what it says to people, above all: has money moved? */
// biome-ignore format: the columns are the point
export const STATES = {
  awaiting_approval: { moved: "no",       final: false, means: "checked, waits for approval" },
  approved:          { moved: "no",       final: false, means: "to be sent" },
  submitting:        { moved: "maybe",    final: false, means: "an attempt is on record, bytes may be on the way" },
  in_doubt:          { moved: "maybe",    final: false, means: "sent without a conclusive answer, being asked for" },
  accepted:          { moved: "not yet",  final: false, means: "the gateway took it and has not reported it finished" },
  settled:           { moved: "yes",      final: true,  means: "the gateway reports it completed" },
  declined:          { moved: "no",       final: true,  means: "the gateway says, conclusively, that it will not be paid" },
  held:              { moved: "see reason", final: true, means: "a person must decide; the reason is on record" },
  returned:          { moved: "back",     final: true,  means: "later: came back after it was settled; nothing makes it yet" },
  closed:            { moved: "see reason", final: true, means: "closed by hand; what people found out elsewhere is on record" },
  cancelled:         { moved: "no",       final: true,  means: "stopped before the gateway took it" },
} satisfies Record<string, { moved: Moved; final: boolean; means: string }>;

export type PayoutState = keyof typeof STATES;

interface Move {
  readonly from: readonly PayoutState[];
  readonly to: PayoutState;
}

// biome-ignore format: the columns are the point
const MOVES = {
  approve: { from: ["awaiting_approval"],                          to: "approved" },
  cancel:  { from: ["awaiting_approval", "approved"],              to: "cancelled" },
  send:    { from: ["approved"],                                   to: "submitting" },
  resend:  { from: ["in_doubt"],                                   to: "submitting" }, // same transaction code
  defer:   { from: ["submitting"],                                 to: "approved" },   // proven: not taken
  doubt:   { from: ["submitting"],                                 to: "in_doubt" },
  accept:  { from: ["approved", "submitting", "in_doubt"],         to: "accepted" },   // approved: sent in a history that the ledger lost
  decline: { from: ["submitting", "in_doubt", "accepted"],         to: "declined" },
  settle:  { from: ["in_doubt", "accepted"],                       to: "settled" },
  hold:    { from: ["awaiting_approval", "approved", "submitting", "in_doubt", "accepted", "settled", "declined", "closed"], to: "held" },
  return:  { from: ["settled"],                                    to: "returned" },
  close:   { from: ["held"],                                       to: "closed" },     // by the word of people, never of the gateway
} satisfies Record<string, Move>;

export type PayoutEvent = keyof typeof MOVES;

export const LIFECYCLE: Readonly<Record<PayoutEvent, Move>> = MOVES;

export const isFinal = (state: PayoutState): boolean => STATES[state].final;

/** The states in which work is still owed, in the order of the life. */
export const OPEN_STATES: readonly PayoutState[] = (Object.keys(STATES) as PayoutState[]).filter(
  (state) => !isFinal(state),
);
