import { startServer } from "#composition/server.ts";
import { CONNECTIONS_DEFAULT_WITH_WORKERS } from "#app/connections.ts";
import { readConfig } from "#app/config.ts";
import { totalsOf } from "#flows/approval/approve.ts";
import { approveAs } from "#flows/approval/record-approval.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Batch } from "#ledger/ledger.ts";
import type { Role } from "#people/roles.ts";
import { openPayrun, type Payrun } from "#app/wiring.ts";
import { type Look, type Visitor, visit } from "./browser.ts";
import { builtDashboard } from "./built-dashboard.ts";
import { signedIn } from "./server.ts";
import { freshLedger, sendForApproval, ingestFile } from "../ledger.ts";
import {
  type Env,
  FAST,
  fileText,
  merchantsFile,
  scratch,
  type TestRow,
} from "../servers/payrun.ts";
import {
  type SimulatorProcess,
  type SimulatorSettings,
  startSimulator,
} from "../servers/simulator.ts";

/**
 * The real product: server, workers, PostgreSQL and the simulated gateway, used in a real browser.
 */
export interface OpenDashboard {
  readonly url: string;
  readonly payrun: Payrun;
  readonly gateway: SimulatorProcess;
  /** A new person with these roles at their own screen, signed in. */
  visitor(roles: readonly Role[], look?: Look): Promise<Visitor & { readonly userId: string }>;
  /** A person who has not signed in. */
  stranger(look?: Look): Promise<Visitor>;
  /**
   * A batch that its maker uploaded and sent for approval; approved by a checker where requested.
   */
  batch(rows: readonly TestRow[], state?: "checked" | "approved"): Promise<Batch>;
  close(): Promise<void>;
}

export async function openDashboard(
  settings: SimulatorSettings = {},
  environment: ServerDeps["environment"] = "simulated",
  env: Env = {},
): Promise<OpenDashboard> {
  const [, gateway, databaseUrl] = await Promise.all([
    builtDashboard(),
    startSimulator({ settleMs: 100, ...settings }),
    freshLedger(),
  ]);
  const folder = scratch();
  const payrun = await openPayrun(
    readConfig({
      ...FAST,
      DATABASE_URL: databaseUrl,
      DATABASE_CONNECTIONS: String(CONNECTIONS_DEFAULT_WITH_WORKERS),
      PAYRUN_DATA: folder,
      GATEWAY_URL: gateway.url,
      GATEWAY_SANDBOX_URL:
        environment === "sandbox" ? `${gateway.url}/` : "https://sandbox.example",
      MERCHANTS_FILE: merchantsFile(folder),
      PORT: "0",
      LOG_LEVEL: "fatal",
      ...env,
    }),
  );
  const server = await startServer(payrun, {
    workers: true,
    ...(environment === "sandbox" ? {} : { environment }),
  });
  const { deps, database, ledger } = payrun;
  const people = { database, clock: deps.clock };
  const visitors: Visitor[] = [];
  const welcome = async (token: string | null, look?: Look): Promise<Visitor> => {
    const visitor = await visit(server.url, token, look);
    visitors.push(visitor);
    return visitor;
  };
  return {
    url: server.url,
    payrun,
    gateway,
    async visitor(roles, look) {
      const { userId, token } = await signedIn(people, roles);
      return { ...(await welcome(token, look)), userId };
    },
    stranger: (look) => welcome(null, look),
    async batch(rows, state = "checked") {
      const maker = await signedIn(people, ["uploader"]);
      const { batch } = await ingestFile(ledger, fileText(rows), `user:${maker.userId}`);
      await sendForApproval(database, batch);
      if (state === "approved") {
        const { userId } = await signedIn(people, ["approver"]);
        const { id: batchId, contentDigest } = batch;
        const approval = { batchId, userId, contentDigest, totals: totalsOf(batch) };
        const approved = await approveAs(approval, { ledger, clock: deps.clock });
        if (!approved.ok) throw new Error(JSON.stringify(approved.error));
      }
      return batch;
    },
    async close() {
      for (const { context } of visitors) await context.close();
      await server.close();
      await payrun.close();
      await gateway.stop();
    },
  };
}
