import type { Clock } from "#clock.ts";
import type { LaneStart } from "#flows/lane-start.ts";
import type { Slots } from "#flows/slots.ts";
import type { PayoutClient } from "#gateway/client.ts";
import type { Keyring } from "#gateway/keyring.ts";
import type { Hints } from "#jobs/hints.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { Log } from "#log.ts";
import type { LaneBrakes } from "#payout/brake-settings.ts";
import type { Pace } from "#payout/decide.ts";

/** What the flows that talk to the gateway need from the world. */
export interface PayDeps {
  readonly ledger: Ledger;
  readonly gateway: PayoutClient;
  readonly keyring: Keyring;
  readonly hints: Hints;
  readonly clock: Clock;
  readonly log: Log;
  readonly pace: Pace;
  /** Names this process in attempts and transitions. */
  readonly worker: string;
  /** Requests to the gateway at once, of all kinds, in this process (I13). */
  readonly slots: Slots;
  /** How many payouts of a lane this process sends before the gateway has answered one. */
  readonly laneStart: LaneStart;
  /** The deadline of a request to the gateway: GATEWAY_TIMEOUT_MS. */
  readonly timeoutMs: number;
  /** How far the brakes of a lane let things go. */
  readonly brakesOf: (lane: string) => LaneBrakes;
  /** Longer than the gateway's deadline and the commits around it. */
  readonly leaseMs: number;
  /** How long after its claim a payout may still be sent, so that the answer comes within the lease. */
  readonly sendWithinMs: number;
  /** Where the gateway should send callbacks of a merchant; null: only where its back office says. */
  readonly callbackUrlOf: (merchantCode: string) => string | null;
  /** Aborted when the process is asked to end: nothing new is claimed, what is on the wire is recorded. */
  readonly stopping: AbortSignal;
}
