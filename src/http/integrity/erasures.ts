import type { FastifyInstance } from "fastify";
import { Problem } from "#api/app/problems.ts";
import type { Clock } from "#base/clock.ts";
import { decideOnErasure, proposeErasure } from "#flows/erasure/erase-person.ts";
import { keptAfterOf } from "#integrity/retention.ts";
import { readRetention } from "#ledger/integrity/retention.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import type { ServerDeps } from "#views/deps.ts";
import { erasureView, erasureViews } from "#views/integrity/erasures.ts";

type Deps = RouteDeps & Pick<ServerDeps, "ledger" | "database"> & { readonly clock: Clock };

/** Registers the routes that erase people. */
export function erasureRoutes(
  app: FastifyInstance,
  deps: Deps,
  live: Pick<LiveDocuments, "invalidateAll">,
): void {
  const { database } = deps;
  const keptAfter = async () => keptAfterOf(await readRetention(database), deps.clock.nowMs());
  const show = async (id: number) => {
    const found = await erasureView(database, id);
    if (!found) throw new Problem("not_found");
    return found;
  };

  route(app, deps, "GET /api/erasures", async () => ({ items: await erasureViews(database) }));

  route(app, deps, "POST /api/erasures", async ({ body, person }) => {
    const { code, reason } = body;
    const erasure = { code, reason, actor: person.actor, keptAfter: await keptAfter() };
    const { id } = orRefuse(await proposeErasure(erasure, deps));
    live.invalidateAll("payout", "batch");
    return show(id);
  });

  route(app, deps, "POST /api/erasures/:id/decide", async ({ params, body, person }) => {
    const decision = {
      id: params.id,
      agree: body.agree,
      actor: person.actor,
      keptAfter: await keptAfter(),
    };
    orRefuse(await decideOnErasure(decision, deps));
    live.invalidateAll("payout", "batch");
    return show(params.id);
  });
}
