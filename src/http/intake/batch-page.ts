import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { BatchView, UnsentPayouts } from "#api/approval/batch-page.ts";
import { stateText } from "#intake/batch/batch-lifecycle.ts";
import { findWaitingBatch } from "#views/approval/approval-state.ts";
import { notFound } from "#views/intake/batch.ts";
import { batchActions } from "#views/intake/batch-actions.ts";
import { batchProgress, batchTimeline } from "#views/intake/batch-progress.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { decideQuarantine } from "#ledger/intake/quarantine.ts";

type View = z.output<typeof BatchView>;

/** Adds the API routes for the batch page. */
export function batchPageRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { ledger, database, clock } = deps;

  route(app, deps, "GET /api/batches/:id", async ({ params, person }) => {
    const view = (await live.documentOf(`batch:${params.id}`)) as View;
    const waiting = await findWaitingBatch(deps, params.id, person);
    if (!waiting) throw notFound(params.id);
    return { ...view, you: batchActions(person, view, waiting) };
  });

  route(
    app,
    deps,
    "GET /api/batches/:id/unsent",
    async ({ params }) => (await live.documentOf(`unsent:${params.id}`)) as UnsentPayouts,
  );

  route(app, deps, "GET /api/batches/:id/progress", ({ params }) =>
    batchProgress(database, params.id),
  );

  route(app, deps, "GET /api/batches/:id/timeline", ({ params }) =>
    batchTimeline(database, params.id),
  );

  route(app, deps, "POST /api/batches/:id/release-quarantine", async ({ params, body, person }) => {
    const { reason } = body;
    const order = { batchId: params.id, reason, actor: person.actor, at: new Date(clock.nowMs()) };
    const isDone = await database
      .transaction()
      .execute((transaction) => decideQuarantine(transaction, { ...order, decision: "released" }));
    if (!isDone) throw new Problem("not_quarantined");
    live.invalidateBatch(params.id);
  });

  route(app, deps, "POST /api/batches/:id/canary", async ({ params, body, person }) => {
    const order = { batchId: params.id, payouts: body.payouts, actor: person.actor };
    if (!(await ledger.payout.setCanary(order))) {
      const batch = await ledger.payout.findBatch({ id: params.id });
      if (!batch) throw notFound(params.id);
      throw new Problem("wrong_state", { detail: stateText(batch.state) });
    }
    live.invalidateBatch(params.id);
  });
}
