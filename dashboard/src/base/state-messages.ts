import type { Part } from "#approval/status-breakdown.ts";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import type { DepositState } from "#deposit/lifecycle.ts";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import { inLanguage } from "./language.ts";

/** The name of a state and a sentence about it, which says no more about money than is proven. */
interface StateText {
  readonly word: string;
  readonly sentence: string;
}

const payouts: Readonly<Record<PayoutState, StateText>> = {
  awaiting_approval: {
    word: "awaiting approval",
    sentence: "Validated and waiting for approval. No money has moved.",
  },
  approved: {
    word: "not sent yet",
    sentence: "Approved and waiting to be sent. No money has moved.",
  },
  held_back: {
    word: "held back",
    sentence: "Approved, but not sent until someone releases it. No money has moved.",
  },
  submitting: {
    word: "being sent",
    sentence: "Being submitted to the gateway. Money may have moved.",
  },
  in_doubt: {
    word: "in doubt",
    sentence:
      "Sent, but the gateway has not returned a conclusive result. Money may have moved. payrun is querying the status. Do not pay this payout again.",
  },
  accepted: {
    word: "accepted",
    sentence:
      "The gateway accepted the payout but has not reported its result. There is no proof that the money has arrived.",
  },
  settled: { word: "settled", sentence: "The gateway reports that the money has arrived." },
  declined: {
    word: "declined",
    sentence: "The gateway reports that it will not pay. No money has moved.",
  },
  on_hold: {
    word: "on hold",
    sentence:
      "Stopped until someone decides what to do. The reason states whether money may have moved.",
  },
  returned: {
    word: "returned",
    sentence:
      "The payout was settled, and the gateway later confirmed it as failed or reversed. Check that the money is back.",
  },
  cancelled: {
    word: "cancelled",
    sentence: "Cancelled before the gateway accepted the payout. No money has moved.",
  },
  resolved: {
    word: "resolved manually",
    sentence: "The result was recorded manually. The reason states whether the money arrived.",
  },
};

const batches: Readonly<Record<BatchState, StateText>> = {
  needs_correction: {
    word: "needs correction",
    sentence:
      "Some rows have problems, or an approver sent the batch back. No payouts are being sent.",
  },
  draft: {
    word: "draft",
    sentence:
      "Validated, but not sent for approval yet. No payouts will be sent until another person approves the batch.",
  },
  awaiting_approval: {
    word: "awaiting approval",
    sentence: "Validated. No payouts will be sent until another person approves the batch.",
  },
  approved: {
    word: "in progress",
    sentence: "Approved. payrun is sending and tracking the payouts.",
  },
  paused: {
    word: "paused",
    sentence:
      "payrun is not sending payouts from this batch. It still queries the status of payouts already sent.",
  },
  finished: { word: "finished", sentence: "Every payout is settled." },
  finished_with_exceptions: {
    word: "finished with exceptions",
    sentence: "payrun has no payouts left to send in this batch, and not all are settled.",
  },
  cancelled: {
    word: "cancelled",
    sentence: "Cancelled before the gateway accepted any payouts.",
  },
};

const deposits: Readonly<Record<DepositState, StateText>> = {
  requested: {
    word: "requested",
    sentence:
      "payrun is requesting the deposit from the gateway. The payment page asks the payer to wait.",
  },
  in_doubt: {
    word: "in doubt",
    sentence:
      "Requested, but the gateway has not returned a conclusive result. payrun is querying the status. Do not request another deposit.",
  },
  awaiting_bank: {
    word: "awaiting bank details",
    sentence:
      "The payer must enter the account from which they will pay. The payment page will then show where to pay.",
  },
  awaiting_payment: {
    word: "awaiting payment",
    sentence: "The payer can see where to pay. The gateway has not reported a payment.",
  },
  completed: { word: "completed", sentence: "The gateway reports that the money has arrived." },
  expired: {
    word: "expired",
    sentence:
      "The gateway did not report a payment in time. payrun will keep querying the status for a while, because a payment may arrive late.",
  },
  declined: {
    word: "declined",
    sentence: "The gateway reports that it will not process the deposit.",
  },
  manual: {
    word: "on hold",
    sentence:
      "Stopped until someone decides what to do. The reason states whether money may have arrived.",
  },
  resolved: {
    word: "resolved manually",
    sentence: "The result was recorded manually. The reason states whether the money arrived.",
  },
};

// biome-ignore format: the columns are the point
const parts: Readonly<Record<Part, string>> = {
  settled:           "settled",
  declined:          "declined",
  in_doubt:          "in doubt",
  on_hold:           "on hold",
  held_back:         "held back",
  returned:          "returned",
  cancelled:         "cancelled",
  resolved:          "resolved manually",
  unsent:            "not sent yet",
  in_progress:       "in progress",
  awaiting_approval: "awaiting approval",
};

const en = {
  payouts,
  batches,

  /** Batches and payouts whose state alone does not say what a person must know. */
  standings: {
    blocked: {
      word: "blocked",
      sentence:
        "The batch contains exact duplicates. It can be approved only after an uploader gives a reason. No money has moved.",
    },
    draftPayout: {
      word: batches.draft.word,
      sentence: "Validated, but its batch was not sent for approval yet. No money has moved.",
    },
    quarantined: {
      word: "in quarantine",
      sentence:
        "payrun may have paid this batch before the ledger was restored. The batch can be approved and sent only after someone releases it.",
    },
    rowsAreWrong: {
      word: batches.needs_correction.word,
      sentence: "Some rows have problems. Correct them, or continue without them.",
    },
    sentBack: {
      word: "sent back",
      sentence:
        "An approver sent the batch back. Its uploader can send it for approval again, or upload a corrected file as a new batch and ask an operator to cancel this one.",
    },
    cancelling: {
      word: "cancelling",
      sentence: "Unsent payouts are cancelled. payrun still tracks the payouts already sent.",
    },
    partlyCancelled: {
      word: "partly cancelled",
      sentence: "The unsent payouts were cancelled. The others have reached a final state.",
    },
    scheduled: {
      word: "scheduled",
      sentence: "Approved. payrun will send the payouts at the scheduled time.",
    },
    heldBack: {
      word: "held back",
      sentence: "Approved, but not sent at the scheduled time. Someone must decide what to do.",
    },
  },

  parts,
  deposits,
};

export const messages = inLanguage({ en });
