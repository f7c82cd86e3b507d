/** How a flow answered a job. */
export type JobResult =
  | { readonly kind: "done" }
  /** More work remains, or the work could not be done now. */
  | { readonly kind: "again"; readonly delayMs: number };

export const done: JobResult = { kind: "done" };
/** Returns the verdict that a job should run again after a delay in milliseconds. */
export const runAgain = (delayMs: number): JobResult => ({ kind: "again", delayMs });
