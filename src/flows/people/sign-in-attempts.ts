import type { PeopleDeps } from "#flows/people/deps.ts";
import { type Networks, TRY_LIMITS, type TryLimit } from "#people/sign-in-throttle.ts";

interface TryCounter {
  readonly key: Buffer;
  readonly limit: TryLimit;
  /**
   * The counter is shared with other users: a correct answer takes back its own try, but not
   * theirs.
   */
  readonly isShared: boolean;
}

type Limit = keyof typeof TRY_LIMITS;

/**
 * Returns the try counters of one sign-in. A known browser has its own counter, so that nobody
 * else's guesses make it wait.
 */
export function tryCountersOf(
  email: string,
  { networks, browser }: { readonly networks: Networks; readonly browser: string | null },
  deps: PeopleDeps,
) {
  const account = email.toLowerCase();
  const counter = (limit: Limit, who: string, isShared = true): TryCounter => ({
    key: deps.sealer.digest(`tries ${limit} ${who}`),
    limit: TRY_LIMITS[limit],
    isShared,
  });
  const counted =
    browser === null
      ? [
          counter("address", networks.address),
          counter("site", networks.site),
          // An IPv4 /16 holds customers of many providers, so it only affects the order in the
          // queue.
          ...(networks.provider.includes("::") ? [counter("provider", networks.provider)] : []),
          counter("account", `${account} ${networks.site}`, false),
          counter("anywhere", account),
        ]
      : [counter("account", `${account} ${browser}`, false)];
  const codes = [counter("code", browser === null ? account : `${account} ${browser}`, false)];
  return { password: countersAt(counted, deps), code: countersAt(codes, deps) };
}

function countersAt(counted: readonly TryCounter[], { ledger, clock }: PeopleDeps) {
  const at = new Date(clock.nowMs());
  const takeBack = (key: Buffer) => ledger.people.uncountTry(key, at);
  return {
    /**
     * Counts a try. Returns how many milliseconds to wait before the next one; 0: the try may be
     * checked.
     */
    async count(): Promise<number> {
      for (const { key, limit } of counted) {
        const waitMs = await ledger.people.countTry(key, limit, at);
        if (waitMs > 0) return waitMs;
      }
      return 0;
    },
    /** Takes the try back, because it was neither right nor wrong. */
    async takeBack(): Promise<void> {
      for (const { key } of counted) await takeBack(key);
    },
    async wasRight(): Promise<void> {
      for (const { key, isShared } of counted) {
        if (isShared) await takeBack(key);
        else await ledger.people.deleteTries(key);
      }
    },
  };
}
