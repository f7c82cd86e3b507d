import type { FastifyInstance } from "fastify";
import { limitLane, openLane, pauseLane, resumeLane } from "#flows/payout/lane/control-lanes.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";

/** Topics of the documents that show the state of lanes. */
const SHOWN_ON = ["operations", "status_indicator"];

/** Adds the API routes for lanes: rate limits, pauses and opening. */
export function laneRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  route(app, deps, "POST /api/lanes/rate-limits", async ({ body, person }) => {
    const { lane: name, reason, rate, concurrency } = body;
    const limits = {
      ...(rate === undefined ? {} : { rate }),
      ...(concurrency === undefined ? {} : { concurrency }),
    };
    const set = await limitLane({ name, reason, actor: person.actor, ...limits }, deps.ledger);
    live.invalidate(...SHOWN_ON);
    if (!set.ok) throw new Problem("not_found", { detail: `Lane ${name} does not exist.` });
  });

  route(app, deps, "POST /api/lanes/pause", async ({ body, person }) => {
    const { lane, reason, mode } = body;
    const until = body.until === null ? null : new Date(body.until);
    const order = { name: lane, reason, actor: person.actor, until, drain: mode === "drain" };
    const paused = await pauseLane(order, deps);
    live.invalidate(...SHOWN_ON);
    if (paused.ok) return;
    throw paused.error === "unknown_lane"
      ? new Problem("not_found", { detail: `Lane ${lane} does not exist.` })
      : new Problem("invalid_request", {
          places: [{ place: "body.until", message: "must be in the future" }],
        });
  });

  route(app, deps, "POST /api/lanes/resume", async ({ body: { lane, reason }, person }) => {
    const resumed = await resumeLane({ name: lane, reason, actor: person.actor }, deps.ledger);
    live.invalidate(...SHOWN_ON);
    if (!resumed.ok) throw new Problem("lane_not_paused");
  });

  route(app, deps, "POST /api/lanes/open", async ({ body: { lane, reason }, person }) => {
    const opened = await openLane({ name: lane, reason, actor: person.actor }, deps.ledger);
    live.invalidate(...SHOWN_ON);
    if (!opened.ok) throw new Problem("lane_not_stopped");
  });
}
