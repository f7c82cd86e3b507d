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
