import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Balancer, startBalancer } from "./balancer.ts";

const ROOT = join(import.meta.dirname, "../..");

export interface TopologySettings {
  /**
   * The settings of every process, such as DATABASE_URL and REDIS_URL: a single node, or several
   * hosts, whatever payrun accepts.
   */
  readonly env: Readonly<Record<string, string>>;
  readonly servers: number;
  readonly workers: number;
  /** Returns a free port. The first call is for the balancer. */
  readonly nextPort: () => Promise<number>;
  /** Folder for the data folders of the processes. */
  readonly folder: string;
  /** Takes the output of the processes. */
  readonly log: (name: string, text: string) => void;
}

export interface Member {
  readonly name: string;
  /** URL of the process's own `/readyz` and `/metrics`. */
  readonly metricsUrl: string;
  readonly process: ChildProcess;
}

/** The processes of deploy/compose.yml without containers: servers, workers and their balancer. */
export interface Topology {
  readonly balancer: Balancer;
  readonly members: readonly Member[];
  /** Sends a signal to one process and waits for its exit. */
  end(name: string, signal: NodeJS.Signals): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds for every process to become ready. */
const READY_WITHIN_MS = 120_000;
const POLL_MS = 200;

/**
 * Starts servers, workers and a balancer as processes of this machine, and waits until all are
 * ready. The database, Redis and the gateway run already.
 * @throws if a process ends, or is not ready in time.
 */
export async function startTopology(settings: TopologySettings): Promise<Topology> {
  const { env, servers, workers, nextPort, folder, log } = settings;
  await run(["migrate"], env, log);
  const names = [
    ...Array.from({ length: servers }, (_, at) => `server-${at + 1}`),
    ...Array.from({ length: workers }, (_, at) => `worker-${at + 1}`),
  ];
  const balancerPort = await nextPort();
  const urls: string[] = [];
  const members: Member[] = [];
  for (const name of names) {
    const isServer = name.startsWith("server");
    const [port, metricsPort] = [await nextPort(), await nextPort()];
    if (isServer) urls.push(`http://127.0.0.1:${port}`);
    const own = {
      ...env,
      PUBLIC_URL: `http://127.0.0.1:${balancerPort}`,
      PAYRUN_DATA: join(folder, name),
      METRICS_PORT: String(metricsPort),
      ...(isServer ? { PORT: String(port) } : {}),
    };
    const child = start(isServer ? ["serve", "--no-workers"] : ["worker"], own);
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (piece: Buffer) => log(name, piece.toString()));
    members.push({ name, metricsUrl: `http://127.0.0.1:${metricsPort}`, process: child });
  }

  const end = async (name: string, signal: NodeJS.Signals) => {
    const child = members.find((each) => each.name === name)?.process;
    if (!child || hasEnded(child)) return;
    const gone = once(child, "exit");
    child.kill(signal);
    await gone;
  };
  const stopAll = () => Promise.all(names.map((name) => end(name, "SIGTERM")));
  try {
    await Promise.all(members.map(becomesReady));
    const balancer = await startBalancer(urls, balancerPort);
    return {
      balancer,
      members,
      end,
      async stop() {
        await balancer.close();
        await stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

const start = (args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess =>
  spawn(join(ROOT, "payrun"), args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

async function run(
  args: readonly string[],
  env: TopologySettings["env"],
  log: TopologySettings["log"],
): Promise<void> {
  const child = start(args, env);
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece: Buffer) => log(args.join(" "), piece.toString()));
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error(`payrun ${args.join(" ")} ended with code ${code}`);
}

async function becomesReady({ name, metricsUrl, process: child }: Member): Promise<void> {
  const deadlineMs = performance.now() + READY_WITHIN_MS;
  while (performance.now() < deadlineMs) {
    if (hasEnded(child)) throw new Error(`${name} ended before it was ready`);
    const isReady = await fetch(`${metricsUrl}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${name} was not ready within ${READY_WITHIN_MS / 1_000} s`);
}
