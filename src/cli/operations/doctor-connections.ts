import { type Finding, ok, warning } from "#cli/operations/doctor-finding.ts";
import type { OpenLedger } from "#app/open-ledger.ts";

const RAISE = {
  server: "raise max_connections",
  database: "raise the database's connection limit (alter database NAME connection limit N)",
  role: "raise the role's connection limit (alter role NAME connection limit N)",
} as const;

/**
 * Compares the connections that the running processes may open with those that PostgreSQL allows.
 */
export async function checkConnections({ database }: OpenLedger): Promise<Finding> {
  const { connectionUse } = await import("#ledger/store/connection-use.ts");
  const { PROCESS } = await import("#postgres/pool.ts");
  const { processes, limits } = await connectionUse(database, PROCESS);
  const need = processes.reduce((sum, process) => sum + process.need, 0);
  const listed = processes
    .map(
      ({ name, open, need: most }) => `process ${name.split("-")[0]} has opened ${open} of ${most}`,
    )
    .join(", ");
  const running =
    processes.length === 0
      ? "no other payrun process is running"
      : `running payrun processes may open ${need} connections: ${listed}`;
  const room = limits.map(({ name, most, others }) => ({
    name,
    most,
    others,
    left: most - others,
  }));
  const tight = room.filter(({ left }) => left < need);
  const shown = room.map(
    ({ name, most, others }) => `${name} ${most}, ${others} used by other programs`,
  );
  const found = `${running}; limits: ${shown.join("; ")}`;
  if (tight.length === 0) return ok("connections", found);
  const advice = `${tight.map(({ name }) => RAISE[name]).join(", ")}, or lower DATABASE_CONNECTIONS for each process: with fewer connections, payouts are sent more slowly (docs/operate/production.md)`;
  return warning("connections", found, advice);
}
