import type { Clock } from "#clock.ts";
import type { Log } from "#log.ts";
import type { Payrun } from "#wiring.ts";

/** What the routes of the desk need from the world. */
export interface Desk
  extends Pick<
    Payrun,
    | "config"
    | "database"
    | "databaseUrl"
    | "deps"
    | "engine"
    | "ledger"
    | "queues"
    | "rows"
    | "sealer"
  > {
  readonly clock: Clock;
  readonly log: Log;
  /** "simulated": the gateway is our own simulator, no real money moves. */
  readonly environment: "live" | "simulated";
  /** Of tests: an answer that is not as its schema says is a fault. */
  readonly checksAnswers?: true;
}

/** The same for `payrun serve` and `payrun demo`. */
export const deskOf = (payrun: Payrun, environment: Desk["environment"]): Desk => ({
  ...payrun,
  clock: payrun.deps.clock,
  environment,
});
