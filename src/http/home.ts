import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { HomeView } from "#api/home.ts";
import type { Desk } from "#http/desk.ts";
import type { Live } from "#http/live.ts";
import type { Overview } from "#http/overview.ts";
import { route } from "#http/routes.ts";
import { waitingFor } from "#ledger/approvals.ts";
import { countToCorrect } from "#ledger/batches.ts";

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
