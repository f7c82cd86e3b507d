import type { BatchState } from "#batch/lifecycle.ts";

interface Timed {
  readonly state: BatchState;
  readonly send: {
    readonly at: string;
    readonly says: string;
    readonly let_go_at: string | null;
    readonly stuck: string | null;
  } | null;
}

/** While its time is to come, and when that is over. */
const WORDS: Partial<Record<BatchState, readonly [string, string]>> = {
  needs_correction: ["Approved, it goes out", "it goes out as soon as it is approved"],
  awaiting_approval: ["Approved, it goes out", "it goes out as soon as it is approved"],
  approved: ["It goes out", "it goes out at once"],
  paused: ["Resumed, it goes out", "it goes out when it is resumed"],
};

/** When it goes out, as its time stands; null: that is not to be told, or it has gone out. */
export function whenSent({ state, send }: Timed, nowMs: number): string | null {
  const words = WORDS[state];
  if (!words || send === null || send.let_go_at !== null || send.stuck !== null) return null;
  const [toCome, over] = words;
  return Date.parse(send.at) > nowMs
    ? `${toCome} at ${send.says}.`
    : `Its time, ${send.says}, is over: ${over}.`;
}
