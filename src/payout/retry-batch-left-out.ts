import type { PayoutState } from "#payout/payout-lifecycle.ts";

/** Reasons why payouts of a batch are not in its retry batch, in display order. */
export const LEFT_OUT_REASONS = {
  in_retry_batch: "Another batch retries them.",
  retried_twice:
    "They are already in two retry batches, including cancelled ones. Upload their rows in a new file.",
  before_restore:
    "The ledger has been frozen since then. They may have been paid in the history that was lost. Contact gateway support, and upload the rows that were not paid in a new file.",
  being_checked:
    "Their transaction codes were sent more than once, and payrun is still checking whether the gateway paid them under an earlier request. Try again in two hours.",
  in_progress: "They are still in progress.",
  on_hold: "They are on hold until a person decides: money may have moved.",
  returned:
    "They were settled and the money came back. Check that it is back in the merchant account before you include them.",
  cancelled:
    "They were cancelled before the gateway accepted them. Upload their rows in a new file.",
  settled: "They are settled.",
  resolved:
    "They were resolved manually. Upload the rows of those that did not arrive in a new file.",
} as const;
export type LeftOutReason = keyof typeof LEFT_OUT_REASONS;

/** The payout that pays the row of another payout again. */
export interface RetriedBy {
  readonly code: string;
  readonly batchId: string;
  readonly state: PayoutState;
  /** True if its batch was not sent for approval yet. */
  readonly isDraft: boolean;
  /** False: its row is already in as many retry batches as possible. */
  readonly mayBeRetried: boolean;
}

/** Reasons for which a payout cannot be retried, although its row was not paid. */
export type NotRetriedReason = "retried_twice" | "before_restore" | "being_checked";

/** Whether a payout can be retried: it can, another payout retries it, or it cannot. */
export type RetryStanding =
  | { readonly kind: "retryable" }
  | { readonly kind: "retried"; readonly by: RetriedBy }
  | { readonly kind: NotRetriedReason };

// biome-ignore format: the columns are the point
export const NOT_RETRIED: Readonly<Record<NotRetriedReason, string>> = {
  retried_twice:  "It is already in two retry batches, including cancelled ones. To pay the beneficiary, upload the corrected row in a new file.",
  before_restore: "The ledger has been frozen since then, and the payout may have been paid in the history that was lost. Contact gateway support before you upload the row in a new file.",
  being_checked:  "Its transaction code was sent more than once, and payrun is still checking whether the gateway paid it under an earlier request. Do not upload it in a new file. Try again in two hours.",
};

/** To pay a retried payout in a third place pays it twice. */
export const retriedText = ({ batchId, code, state, isDraft, mayBeRetried }: RetriedBy): string => {
  if (state === "settled") {
    return `Nothing. Batch ${batchId} has paid it as ${code}. Do not upload it in a new file.`;
  }
  if (state === "declined") {
    const next = mayBeRetried
      ? `An uploader can go to payout ${code}, correct its details and retry it from batch ${batchId}.`
      : NOT_RETRIED.retried_twice;
    return `Batch ${batchId} retried it as ${code}, which was declined as well. Nothing will happen automatically. ${next}`;
  }
  const word = isDraft ? "not sent for approval yet" : state.replaceAll("_", " ");
  return `Batch ${batchId} retries it as ${code} (${word}). Do not upload it in a new file.`;
};

/** Returns what a person may do to pay the row again. */
export function retryText(retry: RetryStanding, how: string): string {
  if (retry.kind === "retried") return retriedText(retry.by);
  return retry.kind === "retryable"
    ? `Nothing will happen automatically. To pay the beneficiary, ${how} or upload the corrected row in a new file.`
    : NOT_RETRIED[retry.kind];
}
