import type { Clock } from "#clock.ts";
import type { Database } from "#ledger/database.ts";
import type { Sealer } from "#ledger/sealed.ts";

/** What the flows about people need from the world. */
export interface PeopleDeps {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** Where a request comes from; a session tells it to its user. */
export interface Origin {
  readonly address: string;
  readonly agent: string;
  /** What the browser was given when somebody signed in with it. */
  readonly browser?: string | undefined;
  /** Over https: the cookie of the session never travels without. */
  readonly secure: boolean;
}
