import type { Clock } from "#base/clock.ts";
import type { Config } from "#app/config.ts";
import type { Log } from "#base/log.ts";
import type { Payrun } from "#app/wiring.ts";

/** Dependencies of the dashboard's routes. */
export interface ServerDeps
  extends Pick<
    Payrun,
    | "bankDays"
    | "config"
    | "database"
    | "databaseUrl"
    | "deposits"
    | "deps"
    | "engine"
    | "inboxOf"
    | "ledger"
    | "queues"
    | "rows"
    | "sealer"
  > {
  readonly clock: Clock;
  readonly log: Log;
  /**
   * "sandbox": a gateway that moves no money. "simulated": the simulator of the demo, which signs
   * users in by a link.
   */
  readonly environment: "live" | "sandbox" | "simulated";
  /** In tests: an answer that does not match its schema is a fault. */
  readonly checksAnswers?: true;
}

/** Creates the dependencies, in the same way for `payrun serve` and `payrun demo`. */
export const serverDeps = (
  payrun: Payrun,
  environment = environmentOf(payrun.config),
): ServerDeps => ({
  ...payrun,
  clock: payrun.deps.clock,
  environment,
});

/**
 * The environment follows from the gateway's address, not from a switch: an installation that
 * changes the address and leaves all other settings unchanged is live again.
 */
const environmentOf = ({ GATEWAY_URL, GATEWAY_SANDBOX_URL }: Config): ServerDeps["environment"] =>
  GATEWAY_URL !== undefined &&
  GATEWAY_SANDBOX_URL !== undefined &&
  new URL(GATEWAY_URL).href === new URL(GATEWAY_SANDBOX_URL).href
    ? "sandbox"
    : "live";
