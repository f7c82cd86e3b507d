import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { HomeView } from "#api/operations/home.ts";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import type { Overview } from "#views/operations/overview.ts";
import { route } from "#http/server/routes.ts";
import { waitingFor } from "#ledger/approval/waiting-batches.ts";
import { countToCorrect } from "#ledger/payout/batches.ts";

/** Adds the API routes for the home page. */
export function homeRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  const { database } = desk;
  route(app, desk, "GET /api/home", async ({ person }) => {
    const [view, operations, waiting, correct] = await Promise.all([
      live.look("home"),
      person.permissions.has("operate") ? live.look("operations").catch(() => null) : null,
      person.kind === "user" ? waitingFor(database, person.id) : [],
      countToCorrect(database, person.actor),
    ]);
    const approve = waiting.filter(({ mine }) => mine).length;
    const alarms = ((operations as Overview | null)?.alarms ?? [])
      .filter(({ level }) => level === "critical")
      .map(({ says }) => says);
    return { ...(view as z.output<typeof HomeView>), you: { approve, correct, alarms } };
  });
}
