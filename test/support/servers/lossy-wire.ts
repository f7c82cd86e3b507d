import { connect, createServer, type Socket } from "node:net";

export interface LossyWire {
  /** The same database over this connection. */
  readonly url: string;
  /** The server's next message never arrives: the connection breaks instead. */
  loseNextAnswer(): void;
  /** No data passes on the existing connections, and none closes. New connections work. */
  goSilent(): void;
  /** When data was sent on a silent connection. */
  unanswered(): Promise<void>;
  stop(): void;
}

/**
 * A connection to a server that can lose the answer to what the server has already done, such as a
 * commit.
 */
export async function lossyWire(address: string): Promise<LossyWire> {
  const target = new URL(address);
  const sockets = new Set<Socket>();
  let isLosing = false;
  let silent = new WeakSet<Socket>();
  const unheard = Promise.withResolvers<void>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (piece) => {
      if (silent.has(client)) unheard.resolve();
      else upstream.write(piece);
    });
    upstream.on("data", (piece) => {
      if (silent.has(client)) return;
      if (isLosing) client.destroy();
      else client.write(piece);
      isLosing = false;
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  const own = server.address();
  const port = String(typeof own === "object" ? own?.port : 0);
  return {
    url: Object.assign(new URL(address), { hostname: "127.0.0.1", port }).href,
    loseNextAnswer() {
      isLosing = true;
    },
    goSilent() {
      silent = new WeakSet(sockets);
    },
    unanswered: () => unheard.promise,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
