import type { PayDeps } from "#flows/deps.ts";
import type { GatewayClient } from "#gateway/client.ts";
import type { Database } from "#ledger/store/database.ts";
import type { Sealer } from "#ledger/store/sealing.ts";

/** Dependencies of the deposit flows, in addition to those of the payout flows. */
export interface DepositDeps extends PayDeps {
  readonly gateway: GatewayClient;
  readonly database: Database;
  readonly sealer: Sealer;
}
