/** Reasons why payouts of a batch are not in its retry batch, in display order. */
export const LEFT_OUT = {
  paid_again: "Another batch pays them again.",
  paid_again_twice:
    "They are already in two retry batches, counting cancelled ones: upload their rows in a new file.",
  before_restore:
    "The ledger has been frozen since: the lost history may have paid them. Ask the gateway's support, and upload the rows that were not paid in a new file.",
  being_checked:
    "Their codes were sent more than once, and payrun still checks whether the gateway paid them under another request. Try again in two hours.",
  open: "They are still in progress.",
  on_hold: "A person must decide about them: money may have moved.",
  returned:
    "The money came back after it was paid, which is not a decline: upload their rows in a new file.",
  cancelled: "They were cancelled before they were sent: upload their rows in a new file.",
  settled: "They are settled.",
  resolved:
    "They were resolved manually: upload the rows of those that did not arrive in a new file.",
} as const;
export type LeftOut = keyof typeof LEFT_OUT;
