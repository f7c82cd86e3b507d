import { systemClock } from "#base/clock.ts";
import { httpTransport, type Transport } from "#gateway/wire/transport.ts";

export interface SimulatorWatch {
  /** Whether the gateway proved at its last answer that it is payrun's simulator. */
  isSimulator(): boolean;
  close(): void;
}

/** The address at which the simulator says what it is, and its answer. */
const SIMULATOR = { path: "/simulator", answer: '{"simulator":"payrun"}' } as const;
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);
const PAUSE_MS = 10_000;
const ANSWER_MS = 2_000;

/**
 * Asks a gateway on this machine whether it is payrun's simulator, again and again while it is, or
 * while nothing answers. Only the answer counts, because a local address may be a tunnel to the
 * real gateway, which is asked once. Gateways elsewhere are never asked: they would receive a
 * request that they do not know.
 */
export async function watchSimulator(
  gatewayUrl: string | undefined,
  pauseMs = PAUSE_MS,
): Promise<SimulatorWatch> {
  const address = addressOf(gatewayUrl);
  if (address === null) return { isSimulator: () => false, close: () => {} };
  const transport = httpTransport({
    timeoutMs: ANSWER_MS,
    maxSockets: 1,
    userAgent: "payrun",
    clock: systemClock,
  });
  const closing = new AbortController();
  let gateway = await identify(address, transport);
  const repeat = async (): Promise<void> => {
    while (gateway !== "another") {
      await systemClock.sleep(pauseMs, closing.signal);
      if (closing.signal.aborted) return;
      gateway = await identify(address, transport);
    }
  };
  void repeat();
  return {
    isSimulator: () => gateway === "simulator",
    close() {
      closing.abort();
      transport.close();
    },
  };
}

/** The address to ask. Null: the gateway is not on this machine. */
function addressOf(gatewayUrl: string | undefined): string | null {
  if (gatewayUrl === undefined) return null;
  const { protocol, hostname, origin } = new URL(gatewayUrl);
  return protocol === "http:" && LOOPBACK.has(hostname) ? `${origin}${SIMULATOR.path}` : null;
}

async function identify(
  address: string,
  transport: Transport,
): Promise<"simulator" | "another" | "silent"> {
  const reply = await transport.get(address);
  if (!("status" in reply)) return "silent";
  return reply.status === 200 && reply.body === SIMULATOR.answer ? "simulator" : "another";
}
