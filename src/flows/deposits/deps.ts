import type { PayDeps } from "#flows/deps.ts";
import type { GatewayClient } from "#gateway/client.ts";
import type { Database } from "#ledger/database.ts";
import type { Sealer } from "#ledger/sealed.ts";

/** What the flows of deposits need from the world, beside what those of payouts do. */
export interface DepositDeps extends PayDeps {
  readonly gateway: GatewayClient;
  readonly database: Database;
  readonly sealer: Sealer;
}
