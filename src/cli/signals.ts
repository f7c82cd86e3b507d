import { say } from "#cli/output.ts";

/**
 * Aborts on the first SIGINT or SIGTERM, so that what is on the wire is recorded before the process ends. A second
 * one ends it at once: the ledger can stand that at any point.
 */
export function onInterrupt(words: string): AbortSignal {
  const interrupted = new AbortController();
  const stop = () => {
    if (interrupted.signal.aborted) process.exit(130);
    say(`\n${words}`);
    interrupted.abort();
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return interrupted.signal;
}

/** An interrupt may come while a command is still starting. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
