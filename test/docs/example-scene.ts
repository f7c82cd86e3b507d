import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { connect } from "#cli/terminal/server.ts";
import type { GatewayClient } from "#gateway/client.ts";
import { KEY_SCOPES } from "#people/roles.ts";
import { DEMO_MERCHANTS_FILE } from "#simulator/demo-merchants.ts";
import type { Ledger, OpenAttempt } from "#ledger/ledger.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { clientTo } from "../gateway/clients.ts";
import { orderOf } from "../gateway/fixtures.ts";
import { startTestServer, workingKey } from "../support/dashboard/server.ts";
import { approvedBatch, claimOf, openTestLedger, ingestFile } from "../support/ledger.ts";
import { fileText, rowsOf, scratch } from "../support/servers/payrun.ts";
import { startSimulator } from "../support/servers/simulator.ts";

/** The variables that the examples in docstrings may use. */
export interface ExampleScene {
  readonly gatewayUrl: string;
  readonly merchantsFile: string;
  readonly gateway: GatewayClient;
  readonly serverUrl: string;
  readonly keyFile: string;
  readonly client: ApiClient;
  /** A batch on the server, with two payouts. */
  readonly id: string;
  /** A CSV file with one payout, not uploaded yet. */
  readonly file: string;
  readonly ledger: Ledger;
  /** An approved batch with two payouts in a lane; `attempt` is the first payout. */
  readonly batchId: string;
  readonly lane: string;
  readonly attempt: OpenAttempt;
  /** A payout that is in no batch. */
  readonly order: PayoutOrder;
}

/** Starts the simulated gateway, a server with its own ledger, and another ledger. */
export async function openExampleScene() {
  const folder = scratch();
  const [simulator, desk] = await Promise.all([
    startSimulator({ settleMs: 600_000 }),
    startTestServer(),
  ]);
  const gateway = clientTo(simulator.url);
  const serverUrl = await desk.listen();
  const keyFile = join(folder, "key");
  const { token } = await workingKey(desk.deps, KEY_SCOPES);
  writeFileSync(keyFile, `${token.reveal()}\n`, { mode: 0o600 });
  const file = join(folder, "payouts.csv");
  writeFileSync(file, fileText(rowsOf(1)));

  const { batch } = await ingestFile(desk.deps.ledger, fileText(rowsOf(2)));

  const opened = await openTestLedger();
  const approved = await approvedBatch(opened.ledger, rowsOf(2));
  const claim = claimOf(approved.id, { sizeMax: 1 });
  const [attempt] = await opened.ledger.payout.openAttempts(claim);
  if (!attempt) throw new Error("no payout is due");

  const scene: ExampleScene = {
    gatewayUrl: simulator.url,
    merchantsFile: DEMO_MERCHANTS_FILE,
    gateway,
    serverUrl,
    keyFile,
    client: await connect(serverUrl, keyFile),
    id: batch.id,
    file,
    ledger: opened.ledger,
    batchId: approved.id,
    lane: claim.lane,
    attempt,
    order: orderOf("ORDER-1001"),
  };
  return {
    scene,
    async close() {
      gateway.close();
      await Promise.all([desk.close(), opened.close()]);
      await simulator.stop();
    },
  };
}
