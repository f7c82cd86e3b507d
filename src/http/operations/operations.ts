import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import type { Overview } from "#views/operations/overview.ts";
import { countsOf, latencyOf } from "#views/operations/throughput.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { METRICS_TYPE, metricsText } from "#http/operations/metrics.ts";
import { route } from "#http/server/routes.ts";
import { runbookParts } from "#http/operations/runbook.ts";
import { findThroughputSamples } from "#ledger/operations/throughput-samples.ts";

const STEPS = 180;
const STEP_SECONDS = 10;

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
  const { database } = deps;

  route(app, deps, "GET /api/operations", async () => (await live.documentOf(TOPIC)) as Overview);

  route(app, deps, "GET /api/metrics", async ({ reply }) =>
    reply.type(METRICS_TYPE).send(metricsText((await live.documentOf(TOPIC)) as Overview)),
  );

  route(app, deps, "GET /api/operations/rates", async ({ query: { minutes } }) => {
    const seconds = minutes * 60;
    const step = Math.ceil(seconds / STEPS / STEP_SECONDS) * STEP_SECONDS;
    const steps = await findThroughputSamples(database, { seconds, step });
    return {
      step_seconds: step,
      steps: steps.map((each) => ({
        at: each.at.toISOString(),
        counts: countsOf([each]),
        ...latencyOf([each]),
      })),
    };
  });

  route(app, deps, "GET /api/operations/runbook/:alarm", async ({ params: { alarm } }) => ({
    alarm,
    parts: runbookParts(alarm),
  }));
}
