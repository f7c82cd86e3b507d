/** Every legal move of a batch. What became of its money is told by its payouts, never by this state. */

// biome-ignore format: the columns are the point
export const BATCH_STATES = {
  needs_correction:         { final: false, means: "some rows are wrong, or an approver gave it back; correct it, or go on without the rows" },
  awaiting_approval:        { final: false, means: "checked, waits for approval" },
  approved:                 { final: false, means: "approved; its payouts are being sent and followed" },
  paused:                   { final: false, means: "nothing more is sent; what was sent is still followed" },
  finished:                 { final: true,  means: "every payout is settled" },
  finished_with_exceptions: { final: true,  means: "every payout has ended, and not all of them are settled" },
  cancelled:                { final: true,  means: "stopped before the gateway took any of it" },
} satisfies Record<string, { final: boolean; means: string }>;

export type BatchState = keyof typeof BATCH_STATES;

/** It is being checked, corrected or handed in: no payout of it may be sent yet, and what is in it may change. */
export const isBeforeApproval = (state: BatchState): boolean =>
  state === "needs_correction" || state === "awaiting_approval";

/** Why something is not done with it now: "It is awaiting_approval: checked, waits for approval. Nothing of it is sent." */
export const standingText = (state: BatchState): string =>
  `It is ${state}: ${BATCH_STATES[state].means}.${isBeforeApproval(state) ? " Nothing of it is sent." : ""}`;

interface Move {
  readonly from: readonly BatchState[];
  readonly to: BatchState;
}

// biome-ignore format: the columns are the point
const MOVES = {
  leave_out: { from: ["needs_correction"],                       to: "awaiting_approval" }, // go on without the bad rows
  correct:   { from: ["needs_correction", "awaiting_approval"],  to: "awaiting_approval" }, // every wrong row was repaired
  correct_partly: { from: ["needs_correction", "awaiting_approval"], to: "needs_correction" }, // some rows are still wrong
  approve:   { from: ["awaiting_approval"],                      to: "approved" },
  give_back: { from: ["awaiting_approval"],                      to: "needs_correction" }, // an approver says no, and why
  pause:     { from: ["approved"],                               to: "paused" },
  resume:    { from: ["paused"],                                 to: "approved" },
  cancel:    { from: ["needs_correction", "awaiting_approval"],  to: "cancelled" },
  finish:    { from: ["approved", "paused"],                     to: "finished" },
  finish_cancelled:       { from: ["approved", "paused"],        to: "cancelled" }, // every payout was cancelled
  finish_with_exceptions: { from: ["approved", "paused", "finished"], to: "finished_with_exceptions" }, // finished: the gateway took its word back
} satisfies Record<string, Move>;

export type BatchEvent = keyof typeof MOVES;

export const BATCH_LIFECYCLE: Readonly<Record<BatchEvent, Move>> = MOVES;
