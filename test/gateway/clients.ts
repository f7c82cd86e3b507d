import { createServer, type Server } from "node:net";
import { systemClock } from "#base/clock.ts";
import {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
} from "#gateway/client.ts";
import type { Transport } from "#gateway/wire/transport.ts";
import type { PayoutOrder } from "#payout/payout.ts";
import { keyring } from "./fixtures.ts";

export function clientTo(
  url: string,
  changes: Partial<GatewayClientOptions> = {},
  transport?: Transport,
) {
  const options: GatewayClientOptions = {
    url,
    keyring,
    timeoutMs: 5000,
    payoutLayout: "name=value",
    escaping: "none",
    maxSockets: 8,
    clock: systemClock,
    userAgent: "payrun-test",
    ...changes,
  };
  return createGatewayClient(options, transport);
}

/** Result of sending an order that can be encoded. */
export async function submit(client: GatewayClient, order: PayoutOrder) {
  const submission = await client.submitPayout(order);
  if (submission.kind === "attempted") return submission;
  throw new Error(submission.text);
}

/** A server with the answers that a test sets. */
export async function listen(prepare: (server: Server) => unknown) {
  const server = createServer();
  prepare(server);
  const sockets = new Set<{ destroy(): void }>();
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
