import type { FastifyInstance } from "fastify";
import { route } from "#http/server/routes.ts";
import { findArchives } from "#ledger/integrity/archive/registry.ts";
import type { ServerDeps } from "#views/deps.ts";
import { archiveView } from "#views/integrity/archives.ts";

/** Adds the API route for archives. */
export function archiveRoutes(app: FastifyInstance, deps: ServerDeps): void {
  route(app, deps, "GET /api/archives", async () => ({
    archives: (await findArchives(deps.database)).map(archiveView),
  }));
}
