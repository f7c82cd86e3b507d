import type { Clock } from "#clock.ts";
import type { Config } from "#config.ts";
import type { Log } from "#log.ts";
import type { Payrun } from "#wiring.ts";

/** What the routes of the desk need from the world. */
export interface Desk
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
  /** "sandbox": a gateway that moves no money; "simulated": the simulator of the demo, which lets people in by a link. */
  readonly environment: "live" | "sandbox" | "simulated";
  /** Of tests: an answer that is not as its schema says is a fault. */
  readonly checksAnswers?: true;
}

/** The same for `payrun serve` and `payrun demo`. */
export const deskOf = (payrun: Payrun, environment = environmentOf(payrun.config)): Desk => ({
  ...payrun,
  clock: payrun.deps.clock,
  environment,
});

/**
 * An address and no switch: whoever comes to send to another gateway and leaves the rest of the settings as they were
 * is live again.
 */
const environmentOf = ({ GATEWAY_URL, GATEWAY_SANDBOX_URL }: Config): Desk["environment"] =>
  GATEWAY_URL !== undefined &&
  GATEWAY_SANDBOX_URL !== undefined &&
  new URL(GATEWAY_URL).href === new URL(GATEWAY_SANDBOX_URL).href
    ? "sandbox"
    : "live";
