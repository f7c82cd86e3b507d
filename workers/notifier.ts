import { notify, type NotifyDeps } from "#flows/notification/notify.ts";
import { type Log, messageOf } from "#base/log.ts";

const ROUND_MS = 5_000;

/** Delivers notifications, round after round. One process at a time. No payout waits for it. */
export function startNotifier(
  deps: NotifyDeps,
  {
    log,
    withLock,
  }: {
    readonly log: Log;
    readonly withLock: <T>(lock: string, work: () => Promise<T>) => Promise<T | null>;
  },
): { close(): Promise<void> } {
  const closing = new AbortController();
  const rounds = (async () => {
    while (!closing.signal.aborted) {
      let tried: number | null = 0;
      try {
        tried = await withLock("notify", () => notify(deps));
      } catch (error) {
        log.warn({ err: messageOf(error) }, "notifications failed, retrying");
      }
      if (!tried) await deps.clock.sleep(ROUND_MS, closing.signal);
    }
  })();
  return {
    async close() {
      closing.abort();
      await rounds;
    },
  };
}
