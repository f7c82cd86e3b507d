import type { Clock } from "#base/clock.ts";
import type { SlowStart } from "#flows/slow-start.ts";
import type { RequestSlots } from "#flows/request-slots.ts";
import type { PayoutClient } from "#gateway/client.ts";
import type { Keyring } from "#gateway/wire/keyring.ts";
import type { Hints } from "#jobs/hints.ts";
import type { PayingLedger } from "#ledger/ledger.ts";
import type { Log } from "#base/log.ts";
import type { LaneThresholds } from "#payout/lane/circuit-breaker-settings.ts";
import type { Timings } from "#payout/decision.ts";

/** Dependencies of the flows that call the gateway. */
export interface PayDeps {
  readonly ledger: PayingLedger;
  readonly gateway: PayoutClient;
  readonly keyring: Keyring;
  readonly hints: Hints;
  readonly clock: Clock;
  readonly log: Log;
  readonly timings: Timings;
  /** Names this process in attempts and transitions. */
  readonly worker: string;
  /** The request slots of this process: concurrent requests of all kinds to the gateway (I13). */
  readonly slots: RequestSlots;
  /** Limits how many payouts of a lane this process sends before the gateway has answered one. */
  readonly laneStart: SlowStart;
  /** The timeout of a gateway request, in milliseconds: GATEWAY_TIMEOUT_MS. */
  readonly timeoutMs: number;
  /** The thresholds of a lane's circuit breakers. */
  readonly thresholdsOf: (lane: string) => LaneThresholds;
  /**
   * The lease in milliseconds. Longer than the gateway timeout and the commits before and after it.
   */
  readonly leaseMs: number;
  /**
   * How many milliseconds after its claim a payout may still be sent, so that the answer arrives
   * within the lease.
   */
  readonly sendWithinMs: number;
  /**
   * The address to which the gateway should send callbacks of a merchant. Null: only the address
   * set in the gateway's back office applies.
   */
  readonly callbackUrlOf: (merchantCode: string) => string | null;
  /**
   * Aborted when the process is asked to stop: nothing new is claimed, and the answers of requests
   * in flight are recorded.
   */
  readonly stopping: AbortSignal;
}
