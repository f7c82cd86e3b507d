import type { FastifyInstance } from "fastify";
import { standingText } from "#intake/batch/batch-lifecycle.ts";
import { release } from "#flows/payout/lane/canaries.ts";
import { cancel, type ControlRefusal, pause, resume } from "#flows/payout/lane/control-batch.ts";
import { notFound } from "#views/intake/batch.ts";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import type { Result } from "#base/result.ts";

/** Registers the orders that pause, resume, release or cancel a batch in progress. */
export function batchOrderRoutes(
  app: FastifyInstance,
  desk: RouteDeps & Pick<Desk, "ledger">,
  live: Pick<Live, "forget">,
): void {
  const { ledger } = desk;

  route(app, desk, "POST /api/batches/:id/pause", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason };
    orThrow(params.id, await pause(order, ledger));
    live.forget(`batch:${params.id}`);
  });

  route(app, desk, "POST /api/batches/:id/resume", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason };
    const { lanes } = orThrow(params.id, await resume(order, ledger));
    live.forget(`batch:${params.id}`);
    return { opened: [...lanes] };
  });

  route(app, desk, "POST /api/batches/:id/release", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason };
    const { lanes } = orThrow(params.id, await release(order, ledger));
    live.forget(`batch:${params.id}`);
    return { released: [...lanes] };
  });

  route(app, desk, "POST /api/batches/:id/cancel", async ({ params, body, person }) => {
    const order = { batchId: params.id, actor: person.actor, reason: body.reason };
    const cancelled = orThrow(params.id, await cancel(order, ledger));
    live.forget(`batch:${params.id}`);
    return cancelled;
  });
}

function orThrow<T>(batchId: string, result: Result<T, ControlRefusal>): T {
  if (result.ok) return result.value;
  switch (result.error.kind) {
    case "not_found":
      throw notFound(batchId);
    case "wrong_state":
      throw new Problem("wrong_state", { detail: standingText(result.error.state) });
    case "frozen":
      throw new Problem("ledger_frozen");
    case "no_canary":
      throw new Problem("no_canary");
    case "canary_failed":
      throw new Problem("canary_failed", { detail: `${result.error.reason}.` });
  }
}
