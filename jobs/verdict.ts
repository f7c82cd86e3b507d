/** How a flow answered a job. */
export type Verdict =
  | { readonly kind: "done" }
  /** More work remains, or the work could not be done now. */
  | { readonly kind: "again"; readonly delayMs: number };

export const done: Verdict = { kind: "done" };
/** Returns the verdict that a job should run again after a delay in milliseconds. */
export const again = (delayMs: number): Verdict => ({ kind: "again", delayMs });
