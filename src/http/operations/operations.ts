import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import type { Overview } from "#views/operations/overview.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { durationsText, METRICS_TYPE } from "#base/telemetry/prometheus-text.ts";
import { metricsText } from "#http/operations/metrics.ts";
import { route } from "#http/server/routes.ts";
import { runbookParts } from "#http/operations/runbook.ts";

/**
 * Name of the stream's topic and of the overview's document. Many users watch it, and the ledger is
 * queried once for all.
 */
const TOPIC = "operations";

/** Adds the API routes for the operations page and the metrics. */
export function operationsRoutes(
  app: FastifyInstance,
  deps: ServerDeps,
  live: LiveDocuments,
): void {
  route(app, deps, "GET /api/operations", async () => (await live.documentOf(TOPIC)) as Overview);

  route(app, deps, "GET /api/metrics", async ({ reply }) =>
    reply
      .type(METRICS_TYPE)
      .send(metricsText((await live.documentOf(TOPIC)) as Overview) + durationsText()),
  );

  route(app, deps, "GET /api/operations/runbook/:alarm", async ({ params: { alarm } }) => ({
    alarm,
    parts: runbookParts(alarm),
  }));
}
