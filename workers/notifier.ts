import { deliverEvents, queueInDoubt } from "#flows/feed/deliver-events.ts";
import { notify, type NotifyDeps } from "#flows/notification/notify.ts";
import { runDailyRetention } from "#flows/operations/run-retention.ts";
import { type Log, messageOf } from "#base/log.ts";

const ROUND_MS = 5_000;
const EVENTS_EVERY_MS = 1_000;
/** The search reads every payout at the gateway. */
const IN_DOUBT_EVERY_MS = 60_000;
const PREVIEWS_EVERY_MS = 3_600_000;
/** How often it is checked whether the last daily run was a day ago. */
const RETENTION_EVERY_MS = 600_000;

/**
 * Delivers notifications and events, and deletes unused previews and what the retention rules no
 * longer keep, round after round. One process at a time does this. Sending payouts does not depend
 * on these rounds.
 */
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
  /** Repeats the work at once while it returns a number or true. */
  const repeat = async (lock: string, everyMs: number, work: () => Promise<number | boolean>) => {
    while (!closing.signal.aborted) {
      let hasMore: number | boolean | null = false;
      try {
        hasMore = await withLock(lock, work);
      } catch (error) {
        log.warn({ err: messageOf(error), lock }, "notifications failed, retrying");
      }
      if (!hasMore) await deps.clock.sleep(everyMs, closing.signal);
    }
  };
  const rounds = [
    repeat("notify", ROUND_MS, () => notify(deps)),
    // An unreachable webhook delays no message.
    repeat("deliver events", EVENTS_EVERY_MS, () => deliverEvents(deps)),
    repeat("queue events", IN_DOUBT_EVERY_MS, async () => {
      await queueInDoubt(deps);
      return false;
    }),
    repeat("delete previews", PREVIEWS_EVERY_MS, () =>
      deps.ledger.transaction(({ payout }) => payout.deleteUnusedPreview()),
    ),
    repeat("delete previews of breaks", PREVIEWS_EVERY_MS, () =>
      deps.ledger.transaction(({ reconciliation }) => reconciliation.deleteUnusedBreakPreview()),
    ),
    repeat("retention", RETENTION_EVERY_MS, async () => {
      await runDailyRetention(deps);
      return false;
    }),
  ];
  return {
    async close() {
      closing.abort();
      await Promise.all(rounds);
    },
  };
}
