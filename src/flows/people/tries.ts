import type { PeopleDeps } from "#flows/people/deps.ts";
import { countTry, forgetTries, takeBackTry } from "#ledger/people/throttles.ts";
import { type Networks, TRY_LIMITS, type TryLimit } from "#people/throttle.ts";

interface Counted {
  readonly key: Buffer;
  readonly limit: TryLimit;
  /** Others are counted by it, too: a right answer takes back its own try and not theirs. */
  readonly isShared: boolean;
}

type Limit = keyof typeof TRY_LIMITS;

/** The counters of one sign-in. A browser that was let in before has its own: nobody's guesses make it wait. */
export function triesOf(
  email: string,
  { networks, browser }: { readonly networks: Networks; readonly browser: string | null },
  deps: PeopleDeps,
) {
  const account = email.toLowerCase();
  const counter = (limit: Limit, who: string, isShared = true): Counted => ({
    key: deps.sealer.digest(`tries ${limit} ${who}`),
    limit: TRY_LIMITS[limit],
    isShared,
  });
  const counted =
    browser === null
      ? [
          counter("address", networks.address),
          counter("site", networks.site),
          // An IPv4 /16 holds strangers of many providers: it is a matter of turns alone.
          ...(networks.provider.includes("::") ? [counter("provider", networks.provider)] : []),
          counter("account", `${account} ${networks.site}`, false),
          counter("anywhere", account),
        ]
      : [counter("account", `${account} ${browser}`, false)];
  const codes = [counter("code", browser === null ? account : `${account} ${browser}`, false)];
  return { password: triesAt(counted, deps), code: triesAt(codes, deps) };
}

function triesAt(counted: readonly Counted[], { database, clock }: PeopleDeps) {
  const at = new Date(clock.nowMs());
  const takeBack = (key: Buffer) => takeBackTry(database, key, at);
  return {
    /** How long to wait before the next try; 0: this try counts, and may be looked at. */
    async count(): Promise<number> {
      for (const { key, limit } of counted) {
        const waitMs = await countTry(database, key, limit, at);
        if (waitMs > 0) return waitMs;
      }
      return 0;
    },
    /** It was neither right nor wrong. */
    async takeBack(): Promise<void> {
      for (const { key } of counted) await takeBack(key);
    },
    async wasRight(): Promise<void> {
      for (const { key, isShared } of counted) {
        if (isShared) await takeBack(key);
        else await forgetTries(database, key);
      }
    },
  };
}
