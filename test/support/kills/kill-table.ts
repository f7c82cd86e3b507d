/**
 * The gateway's behaviour for the payouts of a batch, and their possible results. The beginning of
 * the code selects the rules. A payout refused after a worker's death is put on hold, because the
 * dead worker's attempt may have arrived.
 */
// biome-ignore format: the columns are the point
export const ANSWERS = {
  ACCEPTED: { ends: ["settled"],  currency: "INR", rule: null },
  LOST:     { ends: ["settled"],  currency: "INR", rule: { fault: "cut_after" } },
  REFUSED:  { ends: ["declined", "on_hold"], currency: "INR", rule: { fault: "code_121" } },
  UNHEARD:  { ends: ["settled"],  currency: "INR", rule: { fault: "cut_before", times: 1 } },
  SLOW:     { ends: ["settled"],  currency: "INR", rule: { fault: "slow", delay_ms: 700 } },
  HUNG:     { ends: ["settled"],  currency: "INR", rule: { fault: "hang_before", times: 1 } },
  BROKE:    { ends: ["settled"],  currency: "THB", rule: { fault: "code_119", times: 1 } },
} as const;

export type Answer = keyof typeof ANSWERS;

export type Boundary =
  | "hints.add"
  | "openAttempts"
  | "submitPayout"
  | "stopLane"
  | "move after answer"
  | "takeQuestions"
  | "status"
  | "move after status"
  | "reopenAttempt"
  | "finishBatch";

export interface Kill {
  readonly boundary: Boundary;
  readonly when: "before" | "during" | "after";
  readonly answer: Answer;
  /** Default: the first call of the boundary. */
  readonly nth?: number;
}

export const ROWS_PER_KILL = 3;

const around = (boundary: Boundary, ...answers: readonly Answer[]): Kill[] =>
  answers.flatMap((answer) => [
    { boundary, when: "before", answer },
    { boundary, when: "after", answer },
  ]);

/** Every step of a payout, with a kill on each side of it (F01 to F05, F08). */
export const KILLS: readonly Kill[] = [
  ...around("hints.add", "ACCEPTED"),
  ...around("openAttempts", "ACCEPTED", "LOST", "REFUSED"),
  ...around("submitPayout", "ACCEPTED", "LOST", "REFUSED"),
  { boundary: "submitPayout", when: "during", answer: "SLOW" },
  { boundary: "submitPayout", when: "during", answer: "HUNG" },
  ...around("stopLane", "BROKE"),
  ...around("move after answer", "ACCEPTED", "LOST", "REFUSED"),
  // The last outcome is recorded and the job is not acknowledged (F05).
  { boundary: "move after answer", when: "after", answer: "ACCEPTED", nth: ROWS_PER_KILL },
  ...around("takeQuestions", "ACCEPTED", "LOST"),
  ...around("status", "ACCEPTED", "LOST"),
  ...around("move after status", "ACCEPTED", "LOST"),
  ...around("reopenAttempt", "UNHEARD"),
  ...around("finishBatch", "ACCEPTED", "REFUSED"),
];
