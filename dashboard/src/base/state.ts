/**
 * The icons and tones of the states of payouts, batches and deposits. Their texts are in
 * state-messages.ts. The tone is a state role of tokens.css and is never the only sign of a
 * state. Only `settled` says that a payout arrived, and only `completed` that a deposit did.
 */
import {
  Ban,
  CalendarClock,
  CircleCheck,
  CircleEllipsis,
  CircleHelp,
  CircleX,
  Clock,
  FileCheck,
  FileWarning,
  type LucideIcon,
  OctagonAlert,
  PencilLine,
  PauseCircle,
  Send,
  Undo2,
} from "lucide-react";
import type { PayoutState } from "#payout/payout-lifecycle.ts";
import type { Part } from "#approval/status-breakdown.ts";
import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import { messages } from "./state-messages.ts";

/** The state role that colours an element. tokens.css holds its shades. */
export type Tone =
  | "draft"
  | "awaiting"
  | "progress"
  | "settled"
  | "declined"
  | "doubt"
  | "hold"
  | "cancelled"
  | "returned";

/** The label, icon, tone and explanation of a state. */
export interface StateDisplay {
  readonly word: string;
  readonly icon: LucideIcon;
  readonly tone: Tone;
  readonly sentence: string;
}

/** The labels, icons, tones and explanations of the states of a payout. */
export const PAYOUT_STATES: Readonly<Record<PayoutState, StateDisplay>> = {
  awaiting_approval: { ...messages.payouts.awaiting_approval, icon: Clock, tone: "awaiting" },
  approved: { ...messages.payouts.approved, icon: Clock, tone: "draft" },
  held_back: { ...messages.payouts.held_back, icon: PauseCircle, tone: "hold" },
  submitting: { ...messages.payouts.submitting, icon: Send, tone: "progress" },
  in_doubt: { ...messages.payouts.in_doubt, icon: CircleHelp, tone: "doubt" },
  accepted: { ...messages.payouts.accepted, icon: CircleEllipsis, tone: "progress" },
  settled: { ...messages.payouts.settled, icon: CircleCheck, tone: "settled" },
  declined: { ...messages.payouts.declined, icon: CircleX, tone: "declined" },
  on_hold: { ...messages.payouts.on_hold, icon: OctagonAlert, tone: "hold" },
  returned: { ...messages.payouts.returned, icon: Undo2, tone: "returned" },
  cancelled: { ...messages.payouts.cancelled, icon: Ban, tone: "cancelled" },
  resolved: { ...messages.payouts.resolved, icon: FileCheck, tone: "draft" },
};

const DRAFT_PAYOUT: StateDisplay = {
  ...messages.standings.draftPayout,
  icon: PencilLine,
  tone: "draft",
};

const BLOCKED: StateDisplay = {
  ...messages.standings.blocked,
  icon: OctagonAlert,
  tone: "hold",
};

/** The states of payouts in filters, which separate the drafts and the blocked payouts. */
export const LISTED_PAYOUT_STATES = {
  draft: DRAFT_PAYOUT,
  blocked: BLOCKED,
  ...PAYOUT_STATES,
} as const;

/** The state of a payout, with the facts about its batch that decide how it is shown. */
export interface PayoutStatus {
  readonly state: PayoutState;
  /** Where known. */
  readonly batch_state?: BatchState;
  /** Exact duplicates block the approval of its batch. */
  readonly needs_duplicate_reason?: boolean;
}

/** The batch was not sent for approval yet, or an approver sent it back. */
export const isBeforeRequest = (state: BatchState): boolean =>
  state === "needs_correction" || state === "draft";

/** Returns the label, icon, tone and explanation of the state of a payout. */
export function payoutStateDisplay(payout: PayoutStatus): StateDisplay {
  const { state, batch_state: batch, needs_duplicate_reason: isBlocked } = payout;
  if (state !== "awaiting_approval") return PAYOUT_STATES[state];
  if (batch !== undefined && isBeforeRequest(batch)) return DRAFT_PAYOUT;
  return isBlocked ? BLOCKED : PAYOUT_STATES[state];
}

/**
 * The state of a batch describes its file and approval. Its payouts show the state of the money.
 */
const BATCH_STATES: Readonly<Record<BatchState, StateDisplay>> = {
  needs_correction: { ...messages.batches.needs_correction, icon: FileWarning, tone: "hold" },
  draft: { ...messages.batches.draft, icon: PencilLine, tone: "draft" },
  awaiting_approval: { ...messages.batches.awaiting_approval, icon: Clock, tone: "awaiting" },
  approved: { ...messages.batches.approved, icon: Send, tone: "progress" },
  paused: { ...messages.batches.paused, icon: PauseCircle, tone: "hold" },
  finished: { ...messages.batches.finished, icon: CircleCheck, tone: "settled" },
  finished_with_exceptions: {
    ...messages.batches.finished_with_exceptions,
    icon: CircleX,
    tone: "declined",
  },
  cancelled: { ...messages.batches.cancelled, icon: Ban, tone: "cancelled" },
};

/**
 * The batch may still be corrected. Repeats the rule of src/intake/batch/batch-lifecycle.ts, of
 * which the dashboard imports only types.
 */
export const isBeforeApproval = (state: BatchState): boolean =>
  state === "needs_correction" || state === "draft" || state === "awaiting_approval";

/** No payout of the batch waits to be sent or for its result. */
export const isFinished = (state: BatchState): boolean =>
  state === "finished" || state === "finished_with_exceptions" || state === "cancelled";

const QUARANTINED: StateDisplay = {
  ...messages.standings.quarantined,
  icon: CircleHelp,
  tone: "hold",
};

const ROWS_WITH_PROBLEMS: StateDisplay = {
  ...BATCH_STATES.needs_correction,
  ...messages.standings.rowsAreWrong,
};

const SENT_BACK: StateDisplay = {
  ...BATCH_STATES.needs_correction,
  ...messages.standings.sentBack,
  icon: Undo2,
  tone: "returned",
};

const CANCELLED_REST: StateDisplay = {
  ...BATCH_STATES.cancelled,
  ...messages.standings.cancelling,
};

const PARTLY_CANCELLED: StateDisplay = {
  ...BATCH_STATES.cancelled,
  ...messages.standings.partlyCancelled,
};

const SCHEDULED: StateDisplay = {
  ...messages.standings.scheduled,
  icon: CalendarClock,
  tone: "progress",
};

const HELD_BACK: StateDisplay = {
  ...messages.standings.heldBack,
  icon: OctagonAlert,
  tone: "hold",
};

/**
 * The states in lists of batches, which separate scheduled and held-back batches from the other
 * approved ones.
 */
export const LISTED_BATCH_STATES = {
  ...BATCH_STATES,
  scheduled: SCHEDULED,
  held_back: HELD_BACK,
} as const;

/** A state by which a list of batches can be filtered. */
export type ListedBatchState = keyof typeof LISTED_BATCH_STATES;

interface SendStatus {
  readonly released_at: string | null;
  readonly held_back: string | null;
}

/** None of its payouts is sent before its scheduled time. */
export const isScheduled = (send: SendStatus | null): boolean => send?.released_at === null;

/** The state of a batch, with the facts that decide how it is shown. */
export interface BatchStatus {
  readonly state: BatchState;
  /** Number of rejected rows, where known. */
  readonly rejected?: number;
  /** The latest reason given for its state, where known. */
  readonly reason?: string | null;
  /** The batch may have been paid before the ledger was restored. */
  readonly quarantined?: boolean;
  /** Exact duplicates block its approval until an uploader gives a reason. */
  readonly needs_duplicate_reason?: boolean;
  /** Its unsent payouts were cancelled, or are being cancelled. */
  readonly cancelling?: boolean;
  /** Its scheduled time, where known. */
  readonly send?: SendStatus | null;
}

/** A batch in quarantine can only be approved after a person releases it. */
export const isQuarantined = (batch: {
  readonly state: BatchState;
  readonly quarantine: readonly string[];
}): boolean => batch.quarantine.length > 0 && isBeforeApproval(batch.state);

/**
 * A batch needs correction when rows have problems, or when an approver sent it back with a reason.
 */
export const isSentBack = ({ state, rejected, reason }: BatchStatus): boolean =>
  state === "needs_correction" && (rejected === 0 || typeof reason === "string");

/** Returns the label, icon, tone and explanation of the state of a batch. */
export function batchStateDisplay(batch: BatchStatus): StateDisplay {
  if (batch.quarantined) return QUARANTINED;
  if (isSentBack(batch)) return SENT_BACK;
  if (batch.needs_duplicate_reason) return BLOCKED;
  const { state, send } = batch;
  if (batch.cancelling && (state === "paused" || state === "approved")) return CANCELLED_REST;
  if (batch.cancelling && state === "finished_with_exceptions") return PARTLY_CANCELLED;
  if (state === "approved" && send?.released_at === null) {
    return send.held_back === null ? SCHEDULED : HELD_BACK;
  }
  const isKnownWrong = batch.state === "needs_correction" && batch.rejected !== undefined;
  return isKnownWrong ? ROWS_WITH_PROBLEMS : BATCH_STATES[batch.state];
}

interface PartDisplay {
  readonly word: string;
  readonly tone: Tone;
}

/** The parts of an amount by state, in the order in which tables and bars show them. */
// biome-ignore format: the columns are the point
export const PART_DISPLAY: Readonly<Record<Part, PartDisplay>> = {
  settled:           { word: messages.parts.settled, tone: "settled" },
  in_progress:       { word: messages.parts.in_progress, tone: "progress" },
  unsent:            { word: messages.parts.unsent, tone: "draft" },
  declined:          { word: messages.parts.declined, tone: "declined" },
  in_doubt:          { word: messages.parts.in_doubt, tone: "doubt" },
  on_hold:           { word: messages.parts.on_hold, tone: "hold" },
  held_back:         { word: messages.parts.held_back, tone: "hold" },
  returned:          { word: messages.parts.returned, tone: "returned" },
  cancelled:         { word: messages.parts.cancelled, tone: "cancelled" },
  resolved:          { word: messages.parts.resolved, tone: "draft" },
  awaiting_approval: { word: messages.parts.awaiting_approval, tone: "draft" },
};

/**
 * Returns the label of a part of a batch. The payouts of a draft do not await approval yet, and
 * those of a scheduled batch wait for its time.
 */
export function partWord(part: Part, batch: BatchStatus): string {
  const { state, send = null } = batch;
  if (part === "awaiting_approval") {
    if (isBeforeRequest(state)) return DRAFT_PAYOUT.word;
    return batch.needs_duplicate_reason ? BLOCKED.word : PART_DISPLAY[part].word;
  }
  return part === "unsent" && isScheduled(send) ? SCHEDULED.word : PART_DISPLAY[part].word;
}
