import type { FastifyInstance } from "fastify";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import { route } from "#http/server/routes.ts";
import type { LightShown } from "#views/operations/status-indicator.ts";
import { waitingFor } from "#ledger/approval/waiting-batches.ts";

/** Adds the API routes for the frame of every page. */
export function frameRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { database, clock } = desk;
  route(app, desk, "GET /api/frame", async ({ person }) => {
    const mayApprove = person.kind === "user" && person.permissions.has("approve");
    const [light, waiting] = await Promise.all([
      live.look("status_indicator") as Promise<LightShown>,
      mayApprove ? waitingFor(database, person.id) : [],
    ]);
    const at = new Date(clock.nowMs()).toISOString();
    return { at, status_indicator: light, approve: waiting.filter(({ mine }) => mine).length };
  });
}
