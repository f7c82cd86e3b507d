import type { FastifyInstance } from "fastify";
import { stateText } from "#intake/batch/batch-lifecycle.ts";
import { setBatchPriority } from "#flows/payout/priority.ts";
import { whyNotPrioritize } from "#views/approval/approval-state.ts";
import { notFound } from "#views/intake/batch.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";

/** Adds the API routes for batch priorities. */
export function priorityRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  route(app, deps, "POST /api/batches/:id/priority", async ({ params: { id }, body, person }) => {
    const batch = await deps.ledger.payout.findBatch({ id });
    if (!batch) throw notFound(id);
    const why = whyNotPrioritize(person)(batch);
    if (why !== null) throw new Problem("forbidden", { detail: why });
    const set = await setBatchPriority({ batchId: id, actor: person.actor, ...body }, deps.ledger);
    if (!set.ok) {
      throw set.error.kind === "not_found"
        ? notFound(id)
        : new Problem("wrong_state", { detail: stateText(set.error.state) });
    }
    live.invalidateBatch(id);
  });
}
