import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { HomeView } from "#api/operations/home.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import type { Overview } from "#views/operations/overview.ts";
import { route } from "#http/server/routes.ts";
import { findWaitingBatches } from "#ledger/approval/waiting-batches.ts";
import { countAwaitingCorrection } from "#ledger/payout/batches.ts";

/** Adds the API routes for the home page. */
export function homeRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { database } = deps;
  route(app, deps, "GET /api/home", async ({ person }) => {
    const [view, operations, waiting, correct] = await Promise.all([
      live.documentOf("home"),
      person.permissions.has("operate") ? live.documentOf("operations").catch(() => null) : null,
      person.kind === "user" ? findWaitingBatches(database, person.id) : [],
      countAwaitingCorrection(database, person.actor),
    ]);
    const approve = waiting.filter(({ mine }) => mine).length;
    const alarms = ((operations as Overview | null)?.alarms ?? [])
      .filter(({ level }) => level === "critical")
      .map(({ says }) => says);
    return { ...(view as z.output<typeof HomeView>), you: { approve, correct, alarms } };
  });
}
