/** How a flow answered a job. */
export type Verdict =
  | { readonly kind: "done" }
  /** More work remains, or the work could not be done now. */
  | { readonly kind: "again"; readonly delayMs: number };

export const done: Verdict = { kind: "done" };
export const again = (delayMs: number): Verdict => ({ kind: "again", delayMs });
