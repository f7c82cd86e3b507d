import type { FastifyInstance } from "fastify";
import { Problem } from "#api/app/problems.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { withdrawBatch, type WithdrawalRefusal } from "#ledger/approval/withdrawal.ts";
import { createWithdrawnNotice } from "#ledger/notification/withdrawal-notices.ts";
import { NO_DRAFT, ONLY_UPLOADERS_WITHDRAW } from "#views/approval/approval-state.ts";
import { notFound } from "#views/intake/batch.ts";

/**
 * Registers the route by which an uploader withdraws a batch from approval.
 *
 * @param canMail a mail server is configured, so the approvers also get an e-mail.
 */
export function withdrawalRoute(
  app: FastifyInstance,
  deps: RouteDeps,
  live: Pick<LiveDocuments, "invalidateBatch">,
  canMail: boolean,
): void {
  const { database, clock } = deps;

  route(app, deps, "POST /api/batches/:id/withdraw", async ({ params, body, person }) => {
    const order = {
      batchId: params.id,
      actor: person.actor,
      reason: body.reason,
      at: new Date(clock.nowMs()),
    };
    const withdrawn = await database.transaction().execute(async (transaction) => {
      const done = await withdrawBatch(transaction, order);
      if (done.ok) await createWithdrawnNotice(transaction, order, { canMail });
      return done;
    });
    if (!withdrawn.ok) throw withdrawalProblem(params.id, withdrawn.error);
    live.invalidateBatch(params.id);
  });
}

function withdrawalProblem(batchId: string, refusal: WithdrawalRefusal): Problem {
  switch (refusal) {
    case "not_found":
      return notFound(batchId);
    case "not_uploader":
      return new Problem("forbidden", { detail: ONLY_UPLOADERS_WITHDRAW });
    case "no_draft":
      return new Problem("wrong_state", { detail: NO_DRAFT });
    case "not_waiting":
      return new Problem("wrong_state", { detail: "The batch is not awaiting approval." });
  }
}
