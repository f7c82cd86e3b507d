import { say } from "#cli/terminal/output.ts";
import type { Clock } from "#base/clock.ts";

const isTerminal = (): boolean => process.stderr.isTTY === true;

/** Overwrites the last line on a terminal. False: there is no terminal. */
function showLine(text: string): boolean {
  if (!isTerminal()) return false;
  process.stderr.write(`\r\u001b[K${text.slice(0, (process.stderr.columns || 80) - 1)}`);
  return true;
}

/** Clears the progress line, if stderr is a terminal. */
export function clearLine(): void {
  if (isTerminal()) process.stderr.write("\r\u001b[K");
}

const LINE_EVERY_MS = 10_000;

/**
 * Overwrites the last line on a terminal, or prints a line every ten seconds elsewhere.
 *
 * @param lastLineMs time of the line before the first one. By default, the first line is printed
 *   immediately.
 */
export function progressLine(
  clock: Pick<Clock, "monotonicMs">,
  lastLineMs = Number.NEGATIVE_INFINITY,
): (text: string) => void {
  let printedMs = lastLineMs;
  return (text) => {
    if (showLine(text) || clock.monotonicMs() - printedMs < LINE_EVERY_MS) return;
    printedMs = clock.monotonicMs();
    say(text);
  };
}

const BAR_WIDTH = 24;

/** Formats a progress bar with the space after it, on a terminal only. */
export function bar(share: number): string {
  if (!isTerminal()) return "";
  const filled = Math.floor(Math.min(Math.max(share, 0), 1) * BAR_WIDTH);
  return `${"█".repeat(filled).padEnd(BAR_WIDTH, "░")} `;
}
