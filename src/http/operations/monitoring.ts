import type { FastifyInstance } from "fastify";
import { route } from "#http/server/routes.ts";
import type { ServerDeps } from "#views/deps.ts";
import { eventsView } from "#views/operations/events.ts";
import { jobsView, queueHistory } from "#views/operations/queue-history.ts";
import { laneRates, ratesView } from "#views/operations/throughput.ts";

/** Adds the API routes for throughput, events and queues. */
export function monitoringRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, clock } = deps;

  route(app, deps, "GET /api/operations/rates", ({ query }) => ratesView(database, query));
  route(app, deps, "GET /api/operations/lane-rates", async () => ({
    items: await laneRates(database, clock.nowMs()),
  }));
  route(app, deps, "GET /api/operations/events", ({ query }) => eventsView(database, query.hours));
  route(app, deps, "GET /api/operations/queue-history", async ({ query }) => ({
    items: await queueHistory(query.hours, deps),
  }));
  route(app, deps, "GET /api/operations/queues/:name/jobs", async ({ params, query }) => ({
    items: await jobsView(params.name, query.state, deps),
  }));
}
