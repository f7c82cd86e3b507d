import type { FastifyInstance } from "fastify";
import { stateText } from "#intake/batch/batch-lifecycle.ts";
import { releaseCanary } from "#flows/payout/lane/canaries.ts";
import {
  cancelBatch,
  type ControlRefusal,
  pauseBatch,
  resumeBatch,
} from "#flows/payout/lane/control-batch.ts";
import { notFound } from "#views/intake/batch.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import type { Result } from "#base/result.ts";

/** Registers the orders that pause, resume, release or cancel a batch in progress. */
export function batchOrderRoutes(
  app: FastifyInstance,
  deps: RouteDeps & Pick<ServerDeps, "ledger">,
  live: Pick<LiveDocuments, "invalidateBatch">,
): void {
  const { ledger } = deps;

  route(app, deps, "POST /api/batches/:id/pause", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason };
    orThrow(params.id, await pauseBatch(order, ledger));
    live.invalidateBatch(params.id);
  });

  route(app, deps, "POST /api/batches/:id/resume", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason };
    orThrow(params.id, await resumeBatch(order, ledger));
    live.invalidateBatch(params.id);
  });

  route(app, deps, "POST /api/batches/:id/release", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason };
    const { lanes } = orThrow(params.id, await releaseCanary(order, ledger));
    live.invalidateBatch(params.id);
    return { released: [...lanes] };
  });

  route(app, deps, "POST /api/batches/:id/cancel", async ({ params, body, person }) => {
    const { reason, content_digest: contentDigest } = body;
    const order = { batchId: params.id, actor: person.actor, reason, contentDigest };
    const cancelled = orThrow(params.id, await cancelBatch(order, ledger));
    live.invalidateBatch(params.id);
    return cancelled;
  });
}

function orThrow<T>(batchId: string, result: Result<T, ControlRefusal>): T {
  if (result.ok) return result.value;
  switch (result.error.kind) {
    case "not_found":
      throw notFound(batchId);
    case "wrong_state":
      throw new Problem("wrong_state", { detail: stateText(result.error.state) });
    case "frozen":
      throw new Problem("ledger_frozen");
    case "content_changed":
      throw new Problem("content_changed");
    case "no_canary":
      throw new Problem("no_canary");
    case "canary_failed":
      throw new Problem("canary_failed", { detail: `${result.error.reason}.` });
  }
}
