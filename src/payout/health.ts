import type { LaneBrakes } from "#payout/brake-settings.ts";
import type { LaneStop, Outcome } from "#payout/outcome.ts";

/** What one send came to, as far as the health of its lane goes: answered, in doubt by its answer, or silence. */
export type Mark = "." | "e" | "s";

/** So many of the last sends are remembered, and for so long when none follows. */
export const MARKS_KEPT = 100;
export const MARKS_FORGOTTEN_MS = 300_000;

/** Null: the answer stops the lane by itself. */
export function markOf(outcome: Outcome): Mark | null {
  if ("stop" in outcome && outcome.stop) return null;
  if (outcome.kind !== "in_doubt") return ".";
  return outcome.code === "no_answer" ? "s" : "e";
}

/**
 * Whether a lane with these marks, the newest last, is to stop; null: it goes on. A refusal is an answer: it says
 * something of a payout and nothing of the gateway.
 */
export function judgeHealth(
  marks: string,
  { silence_sends: silent, errors_sends: sends, errors_percent: percent }: LaneBrakes,
): LaneStop | null {
  const silence = /s*$/.exec(marks)?.[0].length ?? 0;
  if (silence >= silent) {
    return { until: "wait", brake: "silence", reason: `no answer to ${silence} sends in a row` };
  }
  const last = marks.slice(-sends);
  const bad = last.replaceAll(".", "").length;
  if (last.length < sends || bad * 100 < percent * sends) return null;
  const reason = `${bad} of the last ${sends} sends are in doubt`;
  return { until: "wait", brake: "errors", reason };
}

const TEXT_MAX = 120;

/** An answer that payrun does not know, so that the same one is known again: its figures differ from payout to payout. */
export const unreadText = (code: string, text: string): string =>
  `${code}: ${text}`.replaceAll(/\d+/g, "#").replaceAll(/\s+/g, " ").trim().slice(0, TEXT_MAX);
