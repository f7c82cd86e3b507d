import type { FastifyInstance } from "fastify";
import { comparisonDocument } from "#views/approval/comparison.ts";
import { notFound } from "#views/intake/batch.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";

/** Adds the API routes for the comparison with the previous batch. */
export function comparisonRoutes(app: FastifyInstance, deps: RouteDeps): void {
  const { database, sealer } = deps;
  route(app, deps, "GET /api/batches/:id/comparison", async ({ params, query }) => {
    const diff = await comparisonDocument(database, sealer, params.id, query.against ?? null);
    if (diff.document === undefined) throw notFound(diff.missing);
    return diff.document;
  });
}
