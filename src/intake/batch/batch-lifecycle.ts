/**
 * The states of a batch, each with its name for people (docs/reference/glossary.md), and
 * every legal transition. The state of its money is given by its payouts, never by this state.
 */

// biome-ignore format: the columns are the point
export const BATCH_STATES = {
  needs_correction:         { final: false, word: "needs correction",        means: "some rows have problems, or an approver sent the batch back; correct it, or continue without those rows" },
  draft:                    { final: false, word: "draft",                   means: "validated, but not sent for approval yet" },
  awaiting_approval:        { final: false, word: "awaiting approval",       means: "validated and awaiting approval" },
  approved:                 { final: false, word: "in progress",             means: "approved; payrun sends its payouts and tracks them until they are finished" },
  paused:                   { final: false, word: "paused",                  means: "paused; payrun is not sending its remaining payouts, but still tracks payouts already sent" },
  finished:                 { final: true,  word: "finished",                means: "every payout is settled" },
  finished_with_exceptions: { final: true,  word: "finished with exceptions", means: "every payout is in its final state, but not all are settled" },
  cancelled:                { final: true,  word: "cancelled",               means: "cancelled before the gateway accepted any payouts" },
} satisfies Record<string, { final: boolean; word: string; means: string }>;

export type BatchState = keyof typeof BATCH_STATES;

/**
 * Origin of the rows of a batch: a file, one API request with all rows, or one API request for each
 * payout.
 */
export const BATCH_SOURCES = ["file", "rows", "payouts"] as const;
export type BatchSource = (typeof BATCH_SOURCES)[number];

/**
 * Returns whether the batch is still validated, corrected or awaiting approval: none of its
 * payouts may be sent yet, and its contents may change.
 */
export const isBeforeApproval = (state: BatchState): boolean =>
  state === "needs_correction" || isReadyForApproval(state);

/** Returns whether the batch has no open problems and waits to be sent for approval or approved. */
export const isReadyForApproval = (state: BatchState): boolean =>
  state === "draft" || state === "awaiting_approval";

/** Returns whether the batch was not sent for approval yet, or was sent back. */
export const isBeforeRequest = (state: BatchState): boolean =>
  state === "needs_correction" || state === "draft";

/**
 * Returns the state of a batch whose problems are solved. A batch from the command line counts as
 * sent for approval, because its maker has no dashboard to send it from.
 */
export const stateWhenValid = (maker: string): BatchState =>
  /^(?:user|key):/.test(maker) ? "draft" : "awaiting_approval";

/**
 * Explains why an action is not possible in this state, such as "Its state is “awaiting approval”:
 * validated and awaiting approval. Its payouts are not being sent."
 */
export const stateText = (state: BatchState): string =>
  `Its state is “${BATCH_STATES[state].word}”: ${BATCH_STATES[state].means}.${isBeforeApproval(state) ? " Its payouts are not being sent." : ""}`;

interface Move {
  readonly from: readonly BatchState[];
  readonly to: BatchState;
}

// biome-ignore format: the columns are the point
const MOVES = {
  // The batch continues without its invalid rows.
  leave_out: { from: ["needs_correction"],                       to: "draft" },
  // Every invalid row was corrected.
  correct:   { from: ["needs_correction", "draft", "awaiting_approval"], to: "draft" },
  // Some rows are still invalid.
  correct_partly: { from: ["needs_correction", "draft", "awaiting_approval"], to: "needs_correction" },
  // Its uploader sends it for approval. A batch from the command line is sent at once.
  request_approval: { from: ["draft"],                           to: "awaiting_approval" },
  approve:   { from: ["awaiting_approval"],                      to: "approved" },
  // An approver sends it back, with a reason.
  send_back: { from: ["awaiting_approval"],                      to: "needs_correction" },
  // Its uploader withdraws it from approval.
  withdraw:  { from: ["awaiting_approval"],                      to: "draft" },
  pause:     { from: ["approved"],                               to: "paused" },
  resume:    { from: ["paused"],                                 to: "approved" },
  cancel:    { from: ["needs_correction", "draft", "awaiting_approval"], to: "cancelled" },
  finish:    { from: ["approved", "paused"],                     to: "finished" },
  // Every payout was cancelled.
  finish_cancelled:       { from: ["approved", "paused"],        to: "cancelled" },
  // From finished: the gateway reversed a result.
  finish_with_exceptions: { from: ["approved", "paused", "finished"], to: "finished_with_exceptions" },
} satisfies Record<string, Move>;

export type BatchEvent = keyof typeof MOVES;

export const BATCH_LIFECYCLE: Readonly<Record<BatchEvent, Move>> = MOVES;
