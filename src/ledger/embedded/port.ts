import { type AddressInfo, createServer } from "node:net";

const HOST = "127.0.0.1";

export interface HeldPort {
  readonly port: number;
  /** Releases the port for the process that is to listen on it. */
  release(): Promise<void>;
}

/**
 * Occupies a loopback port: the given one, or a free one chosen by the system. Returns null if the
 * given one is in use. The held port does not keep the process running.
 */
export const holdPort = (wanted = 0): Promise<HeldPort | null> =>
  new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", () => resolve(null));
    server.unref();
    server.listen(wanted, HOST, () => {
      const { port } = server.address() as AddressInfo;
      const release = () => new Promise<void>((released) => server.close(() => released()));
      resolve({ port, release });
    });
  });

/**
 * Returns a loopback port that is free now, or null if the given one is in use. Another process may
 * take the port before it is used; the caller then asks for another one.
 */
export async function freePort(wanted = 0): Promise<number | null> {
  const held = await holdPort(wanted);
  await held?.release();
  return held?.port ?? null;
}
