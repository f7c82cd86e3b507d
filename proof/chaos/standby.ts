import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../../test/support/servers/eventually.ts";
import { startPostgres } from "../../test/support/servers/postgres.ts";
import { type Replica, startReplication } from "../../test/support/servers/replication.ts";
import { type Proxy, startProxy } from "./proxy.ts";

/** The ledger's database of a campaign: one server, or a primary with a synchronous standby. */
export interface ChaosDatabase {
  /** Address for payrun, through the proxies. */
  readonly url: string;
  /** Address for observers, which always leads to the primary without a fault. */
  readonly observerUrl: string;
  /** The proxies in front of the servers. */
  readonly proxies: readonly Proxy[];
  /** Folder of the log of the primary. Earlier ones are copied when their servers end. */
  readonly logs: string;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** Kills the primary, promotes its standby, and gives it a new standby. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const HOST = "127.0.0.1";
const at = (url: string, port: number) => Object.assign(new URL(url), { port: String(port) }).href;

/** One server, for campaigns without a standby. */
export async function startSingle(): Promise<ChaosDatabase> {
  // Killed processes leave connections behind, and the queue on PostgreSQL has its own.
  const server = await startPostgres({ max_connections: "300" });
  const { url } = await server.createDatabase();
  const proxy = await startProxy({ host: HOST, port: Number(new URL(url).port) });
  return {
    url: at(url, proxy.port),
    observerUrl: url,
    proxies: [proxy],
    logs: server.logs,
    kill: () => server.kill(),
    restart: () => server.restart(),
    promote: () => Promise.reject(new Error("the campaign has no standby")),
    async stop() {
      await server.stop();
      await proxy.close();
    },
  };
}

/**
 * A primary and its synchronous standby. Each of two proxies leads to one server, so the address
 * stays the same when a new standby takes the place of the killed primary.
 *
 * @param texts where the logs of killed servers are kept.
 */
export async function startWithStandby(texts: string): Promise<ChaosDatabase> {
  const servers = await startReplication();
  let primary = servers.primary;
  let standby = await servers.standbyOf(primary, "standby_0");
  let generation = 0;
  await followSynchronously(primary, standby);
  const slots = await Promise.all(
    [primary, standby].map(({ port }) => startProxy({ host: HOST, port })),
  );
  const observer = await startProxy({ host: HOST, port: primary.port });
  const places = slots.map(({ port }) => ({ port }));
  return {
    url: servers.addressOf(places),
    observerUrl: servers.addressOf([observer]),
    proxies: slots,
    get logs() {
      return join(primary.folder, "log");
    },
    kill: () => primary.end("SIGKILL"),
    restart: () => primary.start(),
    async promote() {
      await isConfirmed(primary);
      const old = primary;
      await old.end("SIGKILL");
      await standby.promote();
      primary = standby;
      observer.aim({ host: HOST, port: primary.port });
      generation += 1;
      cpSync(join(old.folder, "log"), join(texts, `postgres-${generation}`), { recursive: true });
      rmSync(old.folder, { recursive: true, force: true });
      await eventually("the end of recovery", async () => {
        const [row] = await primary.query<{ over: boolean }>(
          "select not pg_is_in_recovery() as over",
        );
        return row?.over;
      });
      standby = await servers.standbyOf(primary, `standby_${generation}`);
      slots[generation % 2 === 1 ? 0 : 1]?.aim({ host: HOST, port: standby.port });
      await followSynchronously(primary, standby);
    },
    async stop() {
      await servers.stop();
      await Promise.all([...slots, observer].map((proxy) => proxy.close()));
    },
  };
}

async function followSynchronously(primary: Replica, standby: Replica): Promise<void> {
  await primary.set("synchronous_standby_names", standby.name);
  await eventually("the synchronous standby", async () => {
    const rows = await primary.query("select from pg_stat_replication where sync_state = 'sync'");
    return rows.length > 0;
  });
}

/** Waits until payrun has confirmed that its claims wait for the standby. */
const isConfirmed = (primary: Replica): Promise<boolean> =>
  eventually("the confirmed standby", () =>
    primary.query("select from payrun.epoch where replicated_at is not null").then(
      (rows) => rows.length > 0,
      () => false,
    ),
  );
