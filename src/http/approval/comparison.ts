import type { FastifyInstance } from "fastify";
import { diffDocument } from "#views/approval/comparison.ts";
import { notFound } from "#views/intake/batch.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";

/** Adds the API routes for the comparison with the previous batch. */
export function diffRoutes(app: FastifyInstance, desk: RouteDeps): void {
  const { database, sealer } = desk;
  route(app, desk, "GET /api/batches/:id/comparison", async ({ params, query }) => {
    const diff = await diffDocument(database, sealer, params.id, query.against ?? null);
    if (diff.document === undefined) throw notFound(diff.missing);
    return diff.document;
  });
}
