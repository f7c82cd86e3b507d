import type { FastifyInstance } from "fastify";
import { addPayout } from "#flows/intake/single-payout.ts";
import { refusedRows } from "#http/intake/refusals.ts";
import { lineOf } from "#views/intake/batch-lines.ts";
import type { ServerDeps } from "#views/deps.ts";
import { problemViewer } from "#views/row-problem.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { createTurns } from "#http/server/turns.ts";

/** Registers the route that adds a single payout to its batch of the day. */
export function singlePayoutRoutes(
  app: FastifyInstance,
  deps: ServerDeps,
  live: LiveDocuments,
): void {
  const { database, ledger, rows, clock, config } = deps;
  const { keyring } = deps.deps;
  const canary = Number(config.CIRCUIT_BREAKERS.get("canary_payouts") ?? 0);

  const inTurn = createTurns();

  route(app, deps, "POST /api/payouts", async ({ body, person, request }) => {
    const key = String(request.headers["idempotency-key"]);
    const at = new Date(clock.nowMs());
    const { actor, keyOwner: owner } = person;
    const order = { texts: body, actor, owner, key };
    // The payouts of one sender wait for each other in the ledger, so they would fill its pool.
    const added = await inTurn(owner, () =>
      addPayout(order, { ledger, keyring, rows, canary, at }),
    );
    if (!added.ok) throw refusedRows(added.error, null);
    if (added.value.kind === "other_request") {
      const detail =
        "You have already used this key for another payout. To repeat that request, send the same values; for another payout, use a new key.";
      throw new Problem("idempotency_key_reused", { detail });
    }
    const { transactionCode: code, batchId, warnings } = added.value;
    live.invalidateBatch(batchId);
    return {
      code,
      batch: await lineOf(database, batchId),
      warnings: warnings.map(problemViewer(false)),
    };
  });
}
