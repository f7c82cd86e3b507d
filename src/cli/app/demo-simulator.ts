import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";

const ROOT = join(import.meta.dirname, "../../..");
const SIMULATOR = join(ROOT, "simulator/main.ts");
const FAULTS = join(ROOT, "simulator/demo-faults.json");

/** The fee of the simulated gateway, as a percentage of the amount. */
export const DEMO_FEE_PERCENT = "1";

/** Starts the simulated gateway of the demo as a process of its own. */
export async function startSimulator(
  book: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const settings = [
    "--port",
    "0",
    "--transaction-log",
    book,
    "--settle-ms",
    "1500",
    "--fee",
    DEMO_FEE_PERCENT,
    "--faults",
    FAULTS,
  ];
  const child = spawn(process.execPath, [SIMULATOR, ...settings], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  // Also if this process exits immediately: a second Ctrl-C, a closed pipe.
  process.once("exit", () => child.kill());
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on("line", (line) => {
      lines.push(line);
      const match = /http:\/\/\S+?(?=,|\s|$)/.exec(line);
      if (match) resolve(match[0]);
    });
    child.once("exit", () => reject(new Error(`the simulator did not start: ${lines.join(" ")}`)));
  });
  return {
    url,
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
