import type { PayDeps } from "#flows/deps.ts";
import type { Ledger } from "#ledger/ledger.ts";
import type { GatewayClient } from "#gateway/client.ts";

/** Dependencies of the deposit flows, in addition to those of the payout flows. */
export interface DepositDeps extends PayDeps {
  readonly gateway: GatewayClient;
  readonly ledger: Ledger;
}
