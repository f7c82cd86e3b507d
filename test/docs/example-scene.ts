import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiClient } from "#cli/terminal/api-client.ts";
import { connect } from "#cli/terminal/server.ts";
import type { GatewayClient } from "#gateway/client.ts";
import { KEY_SCOPES } from "#people/roles.ts";
import { DEMO_MERCHANTS_FILE } from "#simulator/demo-merchants.ts";
import { clientTo } from "../gateway/clients.ts";
import { startDesk, workingKey } from "../support/dashboard/server.ts";
import { takeIn } from "../support/ledger.ts";
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
  /** A batch with two payouts. */
  readonly batchId: string;
  /** A CSV file with one payout, not uploaded yet. */
  readonly file: string;
}

/** Starts the simulated gateway and a server with its own ledger. */
export async function openExampleScene() {
  const folder = scratch();
  const [simulator, desk] = await Promise.all([startSimulator({ settleMs: 600_000 }), startDesk()]);
  const gateway = clientTo(simulator.url);
  const serverUrl = await desk.listen();
  const keyFile = join(folder, "key");
  const { token } = await workingKey(desk.desk, KEY_SCOPES);
  writeFileSync(keyFile, `${token.reveal()}\n`, { mode: 0o600 });
  const file = join(folder, "payouts.csv");
  writeFileSync(file, fileText(rowsOf(1)));

  const { batch } = await takeIn(desk.desk.ledger, fileText(rowsOf(2)));
  const scene: ExampleScene = {
    gatewayUrl: simulator.url,
    merchantsFile: DEMO_MERCHANTS_FILE,
    gateway,
    serverUrl,
    keyFile,
    client: await connect(serverUrl, keyFile),
    batchId: batch.id,
    file,
  };
  return {
    scene,
    async close() {
      gateway.close();
      await desk.close();
      await simulator.stop();
    },
  };
}
