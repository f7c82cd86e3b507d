import { openProcessPort, type ProcessPort } from "#app/process-port.ts";
import type { Payrun } from "#app/wiring.ts";
import { databaseHealth } from "#ledger/store/health.ts";
import type { Workers } from "#workers/workers.ts";

/**
 * Age in milliseconds of the last sweep from which the process is not ready: it cannot see its
 * work.
 */
const SWEEP_AGE_MAX_MS = 60_000;

/**
 * Returns the health check of a process: the reasons why it cannot work.
 * @param workers returns the workers of this process; null: it has none.
 */
export function processHealth(
  { database, deps: { clock } }: Pick<Payrun, "database" | "deps">,
  workers: () => Pick<Workers, "lastSweepMs"> | null,
): () => Promise<readonly string[]> {
  const askDatabase = databaseHealth(database, clock);
  const startedMs = clock.monotonicMs();
  return async () => {
    const problems = await askDatabase();
    const own = workers();
    const sweptMs = own ? (own.lastSweepMs() ?? startedMs) : clock.monotonicMs();
    if (clock.monotonicMs() - sweptMs > SWEEP_AGE_MAX_MS)
      problems.push("no sweep in the last minute");
    return problems;
  };
}

/** Opens METRICS_PORT. Null: it is not set. */
export async function openMetricsPort(
  { config }: Pick<Payrun, "config">,
  health: () => Promise<readonly string[]>,
): Promise<ProcessPort | null> {
  const { HOST: host, METRICS_PORT: port } = config;
  return port === undefined ? null : openProcessPort({ host, port, health });
}
