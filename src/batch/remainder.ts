/** Reasons why payouts of a batch are not in its retry batch, in display order. */
export const LEFT_OUT = {
  paid_again: "Another batch pays them again.",
  paid_again_twice:
    "They went into two such batches already, cancelled ones counted: bring their rows in a new file.",
  before_restore:
    "The ledger was frozen since: another history of it may have paid them. Ask the gateway, and bring what is left in a new file.",
  being_checked:
    "Their codes were sent more than once, and payrun still checks whether the gateway paid them under another request. Try again in two hours.",
  open: "They have not ended yet.",
  on_hold: "A person must decide about them: money may have moved.",
  returned:
    "The money came back after it was paid. That is no refusal: bring their rows in a new file.",
  cancelled: "They were cancelled, and never sent: bring their rows in a new file.",
  settled: "They are paid.",
  resolved: "They were closed by hand: bring the rows of those that did not arrive in a new file.",
} as const;
export type LeftOut = keyof typeof LEFT_OUT;
