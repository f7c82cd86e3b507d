import type { Clock } from "#base/clock.ts";
import type { LedgerSteps } from "#ledger/ledger.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Dependencies of the flows about people. */
export interface PeopleDeps {
  readonly ledger: LedgerSteps;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** The origin of a request. A session shows it to its user. */
export interface Origin {
  readonly address: string;
  readonly agent: string;
  /** The known-browser token that the browser received at an earlier sign-in. */
  readonly browser?: string | undefined;
  /**
   * True if the request came over HTTPS. If so, the session cookie is never sent over plain HTTP.
   */
  readonly secure: boolean;
}
