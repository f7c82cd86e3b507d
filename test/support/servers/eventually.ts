import { setTimeout as sleep } from "node:timers/promises";

/**
 * Polls until the answer is present (neither undefined nor false), and fails with the name of the
 * missing answer. Allows for two slow cores and a dozen processes of other tests.
 */
export async function eventually<T>(
  what: string,
  ask: () => T | Promise<T>,
  deadlineMs = 90_000,
): Promise<Exclude<T, undefined | false>> {
  const started = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    if (performance.now() - started > deadlineMs) {
      throw new Error(`waited ${deadlineMs} ms in vain for: ${what}`);
    }
    await sleep(50);
  }
}
