import type { FastifyInstance } from "fastify";
import { isBeforeApproval } from "#batch/lifecycle.ts";
import { setPriority } from "#flows/priority.ts";
import { type AllowedOr, allowedUnless } from "#http/approval-words.ts";
import { notFound } from "#http/batch-view.ts";
import type { Desk } from "#http/desk.ts";
import type { Live } from "#http/live.ts";
import type { Person } from "#http/person.ts";
import { Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import type { Batch } from "#ledger/ledger.ts";

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
