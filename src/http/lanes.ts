import type { FastifyInstance } from "fastify";
import { limitLane } from "#flows/control-lanes.ts";
import type { Desk } from "#http/desk.ts";
import type { Live } from "#http/live.ts";
import { Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";

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
