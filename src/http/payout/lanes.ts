import type { FastifyInstance } from "fastify";
import { limitLane } from "#flows/payout/lane/control-lanes.ts";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";

/** Adds the API routes for lanes: rate limits, pauses and opening. */
export function laneRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  route(app, desk, "POST /api/lanes/rate-limits", async ({ body, person }) => {
    const { lane: name, reason, rate, concurrency } = body;
    const limits = {
      ...(rate === undefined ? {} : { rate }),
      ...(concurrency === undefined ? {} : { concurrency }),
    };
    const set = await limitLane({ name, reason, actor: person.actor, ...limits }, desk.ledger);
    live.forget("operations", "status_indicator");
    if (!set.ok) throw new Problem("not_found", { detail: `Lane ${name} does not exist.` });
  });
}
