import type { FastifyInstance } from "fastify";
import { applyNow } from "#flows/people/second-admin.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route } from "#http/server/routes.ts";
import { countExpired, lastRetentionRun, readRetention } from "#ledger/integrity/retention.ts";
import type { ServerDeps } from "#views/deps.ts";

/** Adds the API routes for retention rules. */
export function retentionRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database } = deps;
  route(app, deps, "GET /api/retention", async () => ({
    ...(await readRetention(database)),
    ran_at: (await lastRetentionRun(database))?.toISOString() ?? null,
  }));
  route(app, deps, "PUT /api/retention", async ({ body, person }) => {
    orRefuse(await applyNow({ kind: "retention", ...body }, person, deps));
    return readRetention(database);
  });
  route(app, deps, "GET /api/retention/expired", async () => ({
    expired: await countExpired(database),
  }));
}
