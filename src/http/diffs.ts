import type { FastifyInstance } from "fastify";
import { diffDocument } from "#flows/diff-document.ts";
import { notFound } from "#http/batch-view.ts";
import type { Desk } from "#http/desk.ts";
import { route } from "#http/routes.ts";

export function diffRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, sealer } = desk;
  route(app, desk, "GET /api/batches/:id/comparison", async ({ params, query }) => {
    const diff = await diffDocument(database, sealer, params.id, query.against ?? null);
    if (diff.document === undefined) throw notFound(diff.missing);
    return diff.document;
  });
}
