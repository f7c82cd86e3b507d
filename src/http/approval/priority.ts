import type { FastifyInstance } from "fastify";
import { isBeforeApproval } from "#intake/batch/batch-lifecycle.ts";
import { setPriority } from "#flows/payout/priority.ts";
import { type AllowedOr, allowedUnless } from "#views/approval/approval-state.ts";
import { notFound } from "#views/intake/batch.ts";
import type { Desk } from "#views/deps.ts";
import type { Live } from "#http/server/live.ts";
import type { Person } from "#views/person.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import type { Batch } from "#ledger/ledger.ts";

/** Adds the API routes for batch priorities. */
export function priorityRoutes(app: FastifyInstance, desk: Desk, live: Live): void {
  route(app, desk, "POST /api/batches/:id/priority", async ({ params: { id }, body, person }) => {
    const batch = await desk.ledger.findBatch({ id });
    if (!batch) throw notFound(id);
    const { may, why_not: why } = mayPrioritize(person, {
      ...batch,
      isOver: batch.finishedAt !== null,
    });
    if (!may) throw new Problem("forbidden", { detail: why ?? "" });
    await setPriority({ batchId: id, actor: person.actor, ...body }, desk.ledger);
    live.forget(`batch:${id}`);
  });
}

/**
 * Whether the person may set the priority of a batch: its maker until it is approved, then
 * approvers and operators until it is finished.
 */
export function mayPrioritize(
  { permissions, actor }: Person,
  { state, maker, isOver }: Pick<Batch, "state" | "maker"> & { readonly isOver: boolean },
): AllowedOr {
  const may =
    permissions.has("operate") ||
    permissions.has("approve") ||
    (permissions.has("upload") && maker === actor && isBeforeApproval(state));
  return allowedUnless(
    !may && "Only approvers, operators and, before approval, the uploader can change the priority.",
    isOver && "The batch is finished.",
  );
}
