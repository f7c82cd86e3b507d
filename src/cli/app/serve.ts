import { setFlagsFromString } from "node:v8";
import type { Command } from "commander";
import { withPayrun } from "#cli/terminal/open.ts";
import { say } from "#cli/terminal/output.ts";
import { setupUrl } from "#cli/people/user.ts";
import { waitForAbort, interruptSignal } from "#cli/terminal/signals.ts";
import { CONNECTIONS_DEFAULT_WITH_WORKERS } from "#app/connections.ts";
import type { Payrun } from "#app/wiring.ts";
import type { Server } from "#composition/server.ts";

/** Adds `payrun serve` and `payrun worker` to the program. */
export function serveCommands(program: Command): void {
  program
    .command("serve")
    .description("run the HTTP server and workers in one process")
    .option("--port <port>", "port to listen on (default: PORT, otherwise 3000)")
    .option("--no-workers", "run the HTTP server only")
    .action(({ port, workers }: { port?: string; workers: boolean }) =>
      withPayrun(
        async (payrun) => {
          const { startServer } = await import("#composition/server.ts");
          setFlagsFromString(HEAP_GROWTH_FLAG);
          const interrupted = interruptSignal(ENDING);
          const server = await startServer(payrun, { workers });
          try {
            say(`payrun is listening at ${server.url}${workers ? "; workers are running" : ""}`);
            await sayFirstStep(payrun, server);
            await waitForAbort(interrupted);
          } finally {
            await server.close();
          }
        },
        {
          overrides: port === undefined ? {} : { PORT: port },
          defaults: workers
            ? { DATABASE_CONNECTIONS: String(CONNECTIONS_DEFAULT_WITH_WORKERS) }
            : {},
          works: workers,
          waitMs: START_WAIT_MS,
        },
      ),
    );

  program
    .command("worker")
    .description("run workers only (on any number of machines)")
    .action(() =>
      withPayrun(
        async (payrun) => {
          const { startWorkers } = await import("#workers/workers.ts");
          const { startHeartbeat } = await import("#workers/heartbeat.ts");
          const { openMetricsPort, processHealth } = await import("#composition/process-health.ts");
          const interrupted = interruptSignal(ENDING);
          const workers = startWorkers(payrun);
          const pulse = startHeartbeat(payrun, workers);
          const health = processHealth(payrun, () => workers);
          const metrics = await openMetricsPort(payrun, health);
          say("workers are running");
          await waitForAbort(interrupted);
          await workers.close();
          await pulse.close();
          await metrics?.close();
        },
        { waitMs: START_WAIT_MS },
      ),
    );
}

/**
 * Milliseconds to wait for a database that is not ready at the start, for example after a reboot.
 */
const START_WAIT_MS = 120_000;

/**
 * Tells the first admin where to begin. A running server continues even if the database has just
 * become unavailable.
 */
async function sayFirstStep(payrun: Payrun, { url }: Server): Promise<void> {
  try {
    const setup = await setupUrl(payrun, payrun.config.PUBLIC_URL ? undefined : url);
    if (setup)
      say(
        `There are no users yet. To create the first admin, open this link within 24 hours: ${setup}`,
      );
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    say(
      `payrun could not check whether any users exist (${words}). If none exist yet, run: payrun user setup-link`,
    );
  }
}

/**
 * Limits garbage to half the size of the live heap, instead of three times its size as Node does.
 * Otherwise the server would keep the memory of a large upload (measured over 100,000 rows: it grew
 * by 93 MB instead of 174).
 */
const HEAP_GROWTH_FLAG = "--heap-growing-percent=50";

const ENDING = "payrun will stop once it has recorded the outcome of each request in progress.";
