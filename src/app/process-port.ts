import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { ConfigError } from "#app/config.ts";
import { durationsText, METRICS_TYPE } from "#base/telemetry/prometheus-text.ts";

interface ProcessPortOptions {
  readonly host: string;
  readonly port: number;
  /** Returns the reasons why the process cannot work. Empty: it can. */
  readonly health: () => Promise<readonly string[]>;
}

/** The port of one process, for its supervisor and for Prometheus. */
export interface ProcessPort {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Opens METRICS_PORT: `/healthz`, `/readyz` and `/metrics` without a key. The metrics are those of
 * this process, and contain no lane, batch or amount.
 * @throws ConfigError if the port is taken.
 */
export async function openProcessPort({
  host,
  port,
  health,
}: ProcessPortOptions): Promise<ProcessPort> {
  const server = createServer((request, response) => {
    const documentOf = async () => {
      const [path] = (request.url ?? "/").split("?", 1);
      if (path === "/metrics") return { status: 200, type: METRICS_TYPE, body: durationsText() };
      if (path === "/healthz") return json(200, { status: "ok" });
      if (path !== "/readyz") return json(404, { status: "not found" });
      const problems = await health();
      return problems.length === 0
        ? json(200, { status: "ok", problems })
        : json(503, { status: "unready", problems });
    };
    const answer = async () => {
      const { status, type, body } = await documentOf().catch(() => FAILED);
      response.writeHead(status, { "content-type": type }).end(body);
    };
    answer().catch(() => response.destroy());
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    const { code = "unknown cause" } = error as NodeJS.ErrnoException;
    throw new ConfigError([
      `METRICS_PORT ${port} on ${host} cannot be opened (${code}): set another port for each process of this machine`,
    ]);
  }
  return { url: urlOf(server), close: () => closed(server) };
}

const json = (status: number, document: object) => ({
  status,
  type: "application/json",
  body: JSON.stringify(document),
});

const FAILED = json(503, { status: "unready", problems: ["the health check failed"] });

function urlOf(server: Server): string {
  const address = server.address();
  return typeof address === "object" && address !== null
    ? `http://127.0.0.1:${address.port}`
    : String(address);
}

async function closed(server: Server): Promise<void> {
  const ended = once(server, "close");
  server.close();
  server.closeAllConnections();
  await ended;
}
