/**
 * What the states of a payout, a batch and a deposit are called on a screen. Each has a word, an icon and a sentence;
 * the tone is a colour of state-badge.module.css and never stands alone. Only `settled` says paid, and only `completed`
 * says received.
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
import type { DepositState } from "#deposit/lifecycle.ts";

export type Tone = "quiet" | "moving" | "taken" | "good" | "bad" | "doubt" | "alarm" | "back";

export interface StateWords {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly sentence: string;
}

export const PAYOUT_STATES: Readonly<Record<PayoutState, StateWords>> = {
  awaiting_approval: {
    word: "waiting for approval",
    icon: Clock,
    tone: "quiet",
    sentence: "Checked. No money has moved; it waits for a person's approval.",
  },
  approved: {
    word: "waiting",
    icon: Clock,
    tone: "quiet",
    sentence: "Approved. No money has moved; it will be sent when its turn comes.",
  },
  submitting: {
    word: "sending",
    icon: Send,
    tone: "moving",
    sentence: "On its way to the gateway. Money may have moved; the answer is awaited.",
  },
  in_doubt: {
    word: "unknown, being checked",
    icon: CircleHelp,
    tone: "doubt",
    sentence:
      "Sent, and no conclusive answer. Money may have moved; the gateway is being asked. Do not pay it again.",
  },
  accepted: {
    word: "accepted by gateway",
    icon: CircleEllipsis,
    tone: "taken",
    sentence:
      "The gateway took it and has not reported it finished. That money has arrived is not proven.",
  },
  settled: {
    word: "paid",
    icon: CircleCheck,
    tone: "good",
    sentence: "The gateway reports that the money has arrived.",
  },
  declined: {
    word: "not paid",
    icon: CircleX,
    tone: "bad",
    sentence: "The gateway says, conclusively, that it will not pay. No money has moved.",
  },
  held: {
    word: "needs you",
    icon: OctagonAlert,
    tone: "alarm",
    sentence: "A person must decide. Whether money has moved stands with the reason.",
  },
  returned: {
    word: "returned",
    icon: Undo2,
    tone: "back",
    sentence: "The money had arrived and came back.",
  },
  cancelled: {
    word: "cancelled",
    icon: Ban,
    tone: "quiet",
    sentence: "Stopped before the gateway took it. No money has moved.",
  },
  closed: {
    word: "closed by hand",
    icon: FileCheck,
    tone: "quiet",
    sentence:
      "The gateway did not explain it; people found out elsewhere. Whether money has moved stands with the reason.",
  },
};

/** A batch is a file and its approval; what became of its money is told by its payouts. */
const BATCH_STATES: Readonly<Record<BatchState, StateWords>> = {
  needs_correction: {
    word: "needs correction",
    icon: FileWarning,
    tone: "alarm",
    sentence: "Some rows are wrong, or an approver gave it back. Nothing is sent.",
  },
  awaiting_approval: {
    word: "waiting for approval",
    icon: Clock,
    tone: "quiet",
    sentence: "Checked. Nothing is sent before another person approves it.",
  },
  approved: {
    word: "sending",
    icon: Send,
    tone: "moving",
    sentence: "Approved. Its payouts are being sent and followed.",
  },
  paused: {
    word: "paused",
    icon: PauseCircle,
    tone: "alarm",
    sentence: "Nothing more is sent. What was sent is still followed.",
  },
  finished: {
    word: "all paid",
    icon: CircleCheck,
    tone: "good",
    sentence: "The gateway reports every payout as arrived.",
  },
  finished_with_exceptions: {
    word: "ended with exceptions",
    icon: OctagonAlert,
    tone: "alarm",
    sentence: "Every payout has ended, and not all of them are settled.",
  },
  cancelled: {
    word: "cancelled",
    icon: Ban,
    tone: "quiet",
    sentence: "Stopped before the gateway took any of it.",
  },
};

/** It may still be corrected and handed in, as src/batch/lifecycle.ts has it: nothing but types comes from there. */
export const isBeforeApproval = (state: BatchState): boolean =>
  state === "needs_correction" || state === "awaiting_approval";

const QUARANTINED: StateWords = {
  word: "in quarantine",
  icon: CircleHelp,
  tone: "doubt",
  sentence: "A restored ledger may have paid it before. A person releases it, or it stays.",
};

const ROWS_ARE_WRONG: StateWords = {
  ...BATCH_STATES.needs_correction,
  sentence: "Some rows are wrong. Correct them, or go on without them.",
};

const GIVEN_BACK: StateWords = {
  ...BATCH_STATES.needs_correction,
  word: "given back",
  icon: Undo2,
  sentence:
    "An approver gave it back. Its maker submits it again as it is, or brings a corrected file as a new batch and has an operator cancel this one.",
};

const WAITS_FOR_ITS_TIME: StateWords = {
  word: "waits for its time",
  icon: Clock,
  tone: "quiet",
  sentence: "Approved. Nothing of it is sent before its time.",
};

const KEPT_BACK: StateWords = {
  word: "kept back",
  icon: OctagonAlert,
  tone: "alarm",
  sentence: "Approved, and not sent at its time. A person decides.",
};

/** As lists tell batches apart: an approved one may be waiting for its time, or be kept back. */
export const LISTED_STATES = {
  ...BATCH_STATES,
  waits: WAITS_FOR_ITS_TIME,
  stuck: KEPT_BACK,
} as const;
export type ListedState = keyof typeof LISTED_STATES;

export interface BatchStanding {
  readonly state: BatchState;
  /** Wrong rows, where they are known. */
  readonly rejected?: number;
  /** What was said last of it, where it is known. */
  readonly reason?: string | null;
  /** It may have been paid in the history that a restored ledger has lost. */
  readonly quarantined?: boolean;
  /** Its time, where that is known. */
  readonly send?: { readonly let_go_at: string | null; readonly stuck: string | null } | null;
}

/** Two ways lead to a correction: rows are wrong, or an approver gave the batch back with a reason. */
export const isGivenBack = ({ state, rejected, reason }: BatchStanding): boolean =>
  state === "needs_correction" && (rejected === 0 || typeof reason === "string");

export function batchWords(batch: BatchStanding): StateWords {
  if (batch.quarantined) return QUARANTINED;
  if (isGivenBack(batch)) return GIVEN_BACK;
  const { state, send } = batch;
  if (state === "approved" && send?.let_go_at === null) {
    return send.stuck === null ? WAITS_FOR_ITS_TIME : KEPT_BACK;
  }
  const isKnownWrong = batch.state === "needs_correction" && batch.rejected !== undefined;
  return isKnownWrong ? ROWS_ARE_WRONG : BATCH_STATES[batch.state];
}

export const DEPOSIT_STATES: Readonly<Record<DepositState, StateWords>> = {
  requested: {
    word: "being asked for",
    icon: Send,
    tone: "moving",
    sentence: "The gateway is being asked for it. The payer is told to wait.",
  },
  in_doubt: {
    word: "unknown, being checked",
    icon: CircleHelp,
    tone: "doubt",
    sentence: "Asked for, and no conclusive answer. It is looked up; do not ask for another one.",
  },
  awaiting_bank: {
    word: "waiting for the payer's account",
    icon: Clock,
    tone: "quiet",
    sentence: "The payer has to say which account they pay from, then they are told where to pay.",
  },
  awaiting_payment: {
    word: "waiting for the payer",
    icon: CircleEllipsis,
    tone: "taken",
    sentence: "The payer is told where to pay. Nothing has come in yet.",
  },
  completed: {
    word: "received",
    icon: CircleCheck,
    tone: "good",
    sentence: "The gateway reports that the money has come in.",
  },
  expired: {
    word: "expired",
    icon: Clock,
    tone: "quiet",
    sentence: "Nothing came in while there was time. It is asked for a while longer.",
  },
  declined: {
    word: "not taken",
    icon: CircleX,
    tone: "bad",
    sentence: "The gateway says, conclusively, that no money comes in by it.",
  },
  manual: {
    word: "needs you",
    icon: OctagonAlert,
    tone: "alarm",
    sentence: "A person must decide. Whether money has come in stands with the reason.",
  },
  closed: {
    word: "closed by hand",
    icon: FileCheck,
    tone: "quiet",
    sentence: "Closed by hand. What people found out elsewhere stands with the reason.",
  },
};

interface PartWords {
  readonly word: string;
  readonly tone: Tone;
}

/** The parts of the equation and of every bar, in the order in which they are drawn. */
// biome-ignore format: the columns are the point
export const PART_WORDS: Readonly<Record<Part, PartWords>> = {
  paid:      { word: "paid",                 tone: "good" },
  not_paid:  { word: "not paid",             tone: "bad" },
  unknown:   { word: "unknown",              tone: "doubt" },
  needs_you: { word: "needs you",            tone: "alarm" },
  returned:  { word: "returned",             tone: "back" },
  cancelled: { word: "cancelled",            tone: "quiet" },
  closed:    { word: "closed by hand",       tone: "quiet" },
  in_flight: { word: "still open",           tone: "moving" },
  waiting:   { word: "waiting for approval", tone: "quiet" },
};
