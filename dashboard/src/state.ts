/**
 * The labels of the states of payouts, batches and deposits. Each state has a label, an icon and a sentence. The tone
 * is a colour of state-badge.module.css and is never the only sign of a state. Only `settled` says that a payout
 * arrived, and only `completed` that a deposit did.
 */
import {
  Ban,
  CircleCheck,
  CircleEllipsis,
  CircleHelp,
  CircleX,
  Clock,
  FileCheck,
  FileWarning,
  type LucideIcon,
  OctagonAlert,
  PauseCircle,
  Send,
  Undo2,
} from "lucide-react";
import type { PayoutState } from "#payout/lifecycle.ts";
import type { Part } from "#batch/equation.ts";
import type { BatchState } from "#batch/lifecycle.ts";

export type Tone = "quiet" | "moving" | "taken" | "good" | "bad" | "doubt" | "alarm" | "back";

export interface StateWords {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly sentence: string;
}

export const PAYOUT_STATES: Readonly<Record<PayoutState, StateWords>> = {
  awaiting_approval: {
    word: "awaiting approval",
    icon: Clock,
    tone: "quiet",
    sentence: "Validated and waiting for approval. No money has moved.",
  },
  approved: {
    word: "approved",
    icon: Clock,
    tone: "quiet",
    sentence: "Approved and waiting to be sent. No money has moved.",
  },
  submitting: {
    word: "submitting",
    icon: Send,
    tone: "moving",
    sentence: "Being submitted to the gateway. Money may have moved.",
  },
  in_doubt: {
    word: "in doubt",
    icon: CircleHelp,
    tone: "doubt",
    sentence:
      "Sent without a conclusive answer. Money may have moved. payrun is querying the gateway; do not pay it again.",
  },
  accepted: {
    word: "accepted",
    icon: CircleEllipsis,
    tone: "taken",
    sentence:
      "The gateway accepted the payout and has not reported its result. The money has not provably arrived.",
  },
  settled: {
    word: "settled",
    icon: CircleCheck,
    tone: "good",
    sentence: "The gateway reports that the money has arrived.",
  },
  declined: {
    word: "declined",
    icon: CircleX,
    tone: "bad",
    sentence: "The gateway reports that it will not pay. No money has moved.",
  },
  on_hold: {
    word: "on hold",
    icon: OctagonAlert,
    tone: "alarm",
    sentence: "Stopped until a person decides. The reason says whether money has moved.",
  },
  returned: {
    word: "returned",
    icon: Undo2,
    tone: "back",
    sentence: "The money arrived and was returned.",
  },
  cancelled: {
    word: "cancelled",
    icon: Ban,
    tone: "quiet",
    sentence: "Cancelled before the gateway accepted it. No money has moved.",
  },
  resolved: {
    word: "resolved manually",
    icon: FileCheck,
    tone: "quiet",
    sentence:
      "Two people recorded the result, because the gateway did not report it. The reason says whether money has moved.",
  },
};

/** The state of a batch describes its file and approval. Its payouts show the state of the money. */
const BATCH_STATES: Readonly<Record<BatchState, StateWords>> = {
  needs_correction: {
    word: "needs correction",
    icon: FileWarning,
    tone: "alarm",
    sentence: "Some rows have problems, or an approver sent the batch back. No payout is sent.",
  },
  awaiting_approval: {
    word: "awaiting approval",
    icon: Clock,
    tone: "quiet",
    sentence: "Validated. No payout is sent until another person approves the batch.",
  },
  approved: {
    word: "approved",
    icon: Send,
    tone: "moving",
    sentence: "Approved. payrun is sending the payouts and following them.",
  },
  paused: {
    word: "paused",
    icon: PauseCircle,
    tone: "alarm",
    sentence: "No more payouts are sent. payrun still follows those already sent.",
  },
  finished: {
    word: "finished",
    icon: CircleCheck,
    tone: "good",
    sentence: "Every payout is settled.",
  },
  finished_with_exceptions: {
    word: "finished with exceptions",
    icon: OctagonAlert,
    tone: "alarm",
    sentence: "Every payout has a final state, and some are not settled.",
  },
  cancelled: {
    word: "cancelled",
    icon: Ban,
    tone: "quiet",
    sentence: "Cancelled before the gateway accepted any payout.",
  },
};

/** The batch may still be corrected. Repeats the rule of src/batch/lifecycle.ts, of which the dashboard imports only types. */
export const isBeforeApproval = (state: BatchState): boolean =>
  state === "needs_correction" || state === "awaiting_approval";

const QUARANTINED: StateWords = {
  word: "in quarantine",
  icon: CircleHelp,
  tone: "doubt",
  sentence:
    "payrun may have paid this batch before the ledger was restored. It is sent only after a person releases it.",
};

const ROWS_ARE_WRONG: StateWords = {
  ...BATCH_STATES.needs_correction,
  sentence: "Some rows have problems. Correct them, or continue without them.",
};

const GIVEN_BACK: StateWords = {
  ...BATCH_STATES.needs_correction,
  word: "sent back",
  icon: Undo2,
  sentence:
    "An approver sent the batch back. Its uploader can send it for approval again, or upload a corrected file as a new batch and ask an operator to cancel this one.",
};

const WAITS_FOR_ITS_TIME: StateWords = {
  word: "scheduled",
  icon: Clock,
  tone: "quiet",
  sentence: "Approved. payrun sends the payouts at the scheduled time.",
};

const KEPT_BACK: StateWords = {
  word: "held back",
  icon: OctagonAlert,
  tone: "alarm",
  sentence: "Approved, but not sent at the scheduled time. A person must decide.",
};

/** The states in lists of batches, which separate scheduled and held-back batches from the other approved ones. */
export const LISTED_STATES = {
  ...BATCH_STATES,
  waits: WAITS_FOR_ITS_TIME,
  stuck: KEPT_BACK,
} as const;
export type ListedState = keyof typeof LISTED_STATES;

export interface BatchStanding {
  readonly state: BatchState;
  /** Number of rejected rows, where known. */
  readonly rejected?: number;
  /** The latest reason given for its state, where known. */
  readonly reason?: string | null;
  /** The batch may have been paid before the ledger was restored. */
  readonly quarantined?: boolean;
  /** Its scheduled time, where known. */
  readonly send?: { readonly released_at: string | null; readonly stuck: string | null } | null;
}

/** A batch in quarantine can only be approved after a person releases it. */
export const isQuarantined = (batch: {
  readonly state: BatchState;
  readonly quarantine: readonly string[];
}): boolean => batch.quarantine.length > 0 && isBeforeApproval(batch.state);

/** A batch needs correction when rows have problems, or when an approver sent it back with a reason. */
export const isGivenBack = ({ state, rejected, reason }: BatchStanding): boolean =>
  state === "needs_correction" && (rejected === 0 || typeof reason === "string");

export function batchWords(batch: BatchStanding): StateWords {
  if (batch.quarantined) return QUARANTINED;
  if (isGivenBack(batch)) return GIVEN_BACK;
  const { state, send } = batch;
  if (state === "approved" && send?.released_at === null) {
    return send.stuck === null ? WAITS_FOR_ITS_TIME : KEPT_BACK;
  }
  const isKnownWrong = batch.state === "needs_correction" && batch.rejected !== undefined;
  return isKnownWrong ? ROWS_ARE_WRONG : BATCH_STATES[batch.state];
}

interface PartWords {
  readonly word: string;
  readonly tone: Tone;
}

/** The parts of an amount by status, in the order in which tables and bars show them. */
// biome-ignore format: the columns are the point
export const PART_WORDS: Readonly<Record<Part, PartWords>> = {
  paid:      { word: "settled",           tone: "good" },
  not_paid:  { word: "declined",          tone: "bad" },
  unknown:   { word: "in doubt",          tone: "doubt" },
  needs_you: { word: "on hold",           tone: "alarm" },
  returned:  { word: "returned",          tone: "back" },
  cancelled: { word: "cancelled",         tone: "quiet" },
  resolved:    { word: "resolved manually", tone: "quiet" },
  in_flight: { word: "in progress",       tone: "moving" },
  waiting:   { word: "awaiting approval", tone: "quiet" },
};
