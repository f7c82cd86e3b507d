import type { Part } from "#approval/status-breakdown.ts";
import { PART_DISPLAY } from "../../base/state.ts";
import { isolateDirection } from "../../base/text.ts";
import { messages } from "./messages.tsx";

const texts = messages.cancellation;

/** Parts in which payouts have no final result yet. */
const TRACKED: ReadonlySet<Part> = new Set<Part>(["in_progress", "in_doubt"]);

/** "Cancelled by Ann: “wrong month”. 1,577 settled, 4,423 cancelled." */
export function cancelledSentence(
  { name, reason }: { readonly name: string; readonly reason: string | null },
  countOf: (part: Part) => number,
): string {
  const parts = Object.keys(PART_DISPLAY) as Part[];
  const counts = parts.flatMap((part) =>
    countOf(part) === 0 ? [] : texts.count(countOf(part), PART_DISPLAY[part].word),
  );
  const tracked = parts
    .filter((part) => TRACKED.has(part))
    .reduce((sum, part) => sum + countOf(part), 0);
  const isAllCancelled = counts.length === 1 && countOf("cancelled") > 0;
  return [
    texts.cancelled(isolateDirection(name), reason),
    ...(counts.length > 0 && !isAllCancelled ? [`${counts.join(", ")}.`] : []),
    ...(tracked > 0 ? [texts.tracking(tracked)] : []),
  ].join(" ");
}
