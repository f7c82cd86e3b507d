import type { BatchState } from "#intake/batch/batch-lifecycle.ts";
import { messages } from "./messages.tsx";

interface Timed {
  readonly state: BatchState;
  readonly send: {
    readonly at: string;
    readonly says: string;
    readonly released_at: string | null;
    readonly held_back: string | null;
  } | null;
}

type Phase = keyof typeof messages.sendTime.at;

/** The states in which a batch may still be sent. */
const PHASES: Partial<Record<BatchState, Phase>> = {
  needs_correction: "beforeApproval",
  draft: "beforeApproval",
  awaiting_approval: "beforeApproval",
  approved: "approved",
  paused: "paused",
};

/** When payrun sends a scheduled batch; null if it was sent, is held back or will never be sent. */
export function scheduledSendText({ state, send }: Timed, nowMs: number): string | null {
  const phase = PHASES[state];
  if (!phase || send === null || send.released_at !== null || send.held_back !== null) return null;
  const { at, passed } = messages.sendTime;
  return (Date.parse(send.at) > nowMs ? at : passed)[phase](send.says);
}
