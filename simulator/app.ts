import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { openGateway, type SimulatorOptions } from "./gateway.ts";
import { router } from "./routes.ts";

export interface Simulator {
  readonly url: string;
  stop(): Promise<void>;
}

const BODY_BYTES_MAX = 64 * 1024;

/**
 * Starts the gateway's side of the interface. It keeps its own transaction log and does not know
 * payrun.
 */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const gateway = openGateway(options);
  const answer = router(gateway, options, () => url);

  const server = createServer((request, response) => {
    gateway.traffic.begin(response);
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (piece: string) => {
      body += piece;
      if (body.length > BODY_BYTES_MAX) request.destroy();
    });
    request.on("end", () => answer(request, response, body));
  });
  // Longer than any pause between two sweeps, so the server does not close a client's idle
  // connection.
  server.keepAliveTimeout = 60_000;

  try {
    await listen(server, options);
  } catch (error) {
    gateway.stop();
    gateway.log.close();
    throw error;
  }
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(":") ? `[${options.host}]` : options.host;
  const url = `http://${host}:${port}`;
  return {
    url,
    async stop() {
      gateway.stop();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      gateway.log.close();
    },
  };
}

const listen = (server: Server, { host, port }: SimulatorOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
