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
   * "sandbox": a gateway that moves no money. "simulated": payrun's simulator, for which the demo's
   * sign-in link works.
   */
  readonly environment: "live" | "sandbox" | "simulated";
  /** Whether the gateway has just proven that it is payrun's simulator. Absent: it is not. */
  readonly isSimulator?: () => boolean;
  /** In tests: an answer that does not match its schema is a fault. */
  readonly checksAnswers?: true;
}

/** Returns the environment. It is live unless the address or the gateway proves otherwise. */
export const environmentNow = ({
  environment,
  isSimulator,
}: Pick<ServerDeps, "environment" | "isSimulator">): ServerDeps["environment"] =>
  environment === "live" && isSimulator?.() === true ? "simulated" : environment;

/** Creates the dependencies, in the same way for `payrun serve` and `payrun demo`. */
export const serverDeps = (
  payrun: Payrun,
  environment = environmentOf(payrun.config),
  isSimulator = () => false,
): ServerDeps => ({
  ...payrun,
  clock: payrun.deps.clock,
  environment,
  isSimulator,
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
