/**
 * `npm run topology`: starts servers, workers and a balancer as processes of this machine, until
 * Ctrl+C. DATABASE_URL, REDIS_URL, GATEWAY_URL and the other settings come from the environment.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startTopology } from "./topology/topology.ts";

const NUMBER = /^\d+$/;

function numberOf(name: string, text: string): number {
  if (!NUMBER.test(text)) throw new Error(`--${name}: expected a whole number, found "${text}"`);
  return Number(text);
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      servers: { type: "string", default: "2" },
      workers: { type: "string", default: "2" },
      port: { type: "string", default: "3000" },
    },
  });
  for (const name of ["DATABASE_URL", "PAYRUN_KEY", "GATEWAY_URL"])
    if (!process.env[name]) throw new Error(`${name} is not set: the processes share a database`);
  let port = numberOf("port", values.port);
  const topology = await startTopology({
    env: {},
    servers: numberOf("servers", values.servers),
    workers: numberOf("workers", values.workers),
    nextPort: async () => port++,
    folder: mkdtempSync(join(tmpdir(), "payrun-topology-")),
    log: (name, text) => process.stderr.write(text.replaceAll(/^(?=.)/gm, `${name}: `)),
  });
  console.log(`payrun is listening at ${topology.balancer.url}. Press Ctrl+C to stop.`);
  const stop = () => void topology.stop();
  process.once("SIGINT", stop).once("SIGTERM", stop);
}
