import { say } from "#cli/terminal/output.ts";

/**
 * Returns a signal that aborts on the first SIGINT or SIGTERM, so requests in progress are recorded
 * before the process ends. A second signal ends the process immediately, which the ledger tolerates
 * at any point.
 */
export function interruptSignal(words: string): AbortSignal {
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

/** An interrupt may arrive while a command is still starting. */
export const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
