import type { FastifyInstance } from "fastify";
import {
  createRetryBatch,
  refusalText,
  type RetryBatchRefusal,
} from "#flows/payout/retry-batch.ts";
import { retryBatchDocument } from "#views/payout/retry-batch.ts";
import { notFound } from "#views/intake/batch.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";

/** Adds the API routes for retry batches. */
export function retryBatchRoutes(
  app: FastifyInstance,
  desk: RouteDeps &
    Pick<ServerDeps, "ledger" | "rows"> & { readonly deps: Pick<ServerDeps["deps"], "keyring"> },
): void {
  const { database, ledger, rows, deps } = desk;

  route(app, desk, "GET /api/batches/:id/retry-batch", async ({ params }) => {
    const document = await retryBatchDocument(database, params.id);
    if (!document) throw notFound(params.id);
    return document;
  });

  route(app, desk, "POST /api/batches/:id/retry-batch", async ({ params, person }) => {
    const order = { batchId: params.id, actor: person.actor };
    const made = await createRetryBatch(order, { ledger, keyring: deps.keyring, rows });
    if (!made.ok) throw refused(params.id, made.error);
    const { batch, leftOut } = made.value;
    return { batch_id: batch.id, payouts: batch.rows, left_out: leftOut };
  });
}

function refused(id: string, refusal: RetryBatchRefusal): Problem {
  const detail = refusalText(id, refusal);
  switch (refusal.kind) {
    case "not_found":
      return notFound(id);
    case "frozen":
      return new Problem("ledger_frozen");
    case "nothing":
      return new Problem("nothing_declined", { detail });
    case "paid_again":
      return new Problem("already_in_retry_batch", { detail, batches: refusal.batchIds });
    case "no_valid_rows":
      return new Problem("no_valid_rows", { detail });
  }
}
