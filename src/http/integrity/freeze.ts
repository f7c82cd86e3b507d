import type { FastifyInstance } from "fastify";
import type { OPERATIONS_API } from "#api/operations/operations.ts";
import type { BodyOf } from "#api/app/operation.ts";
import { Problem } from "#api/app/problems.ts";
import type { ServerDeps } from "#views/deps.ts";
import { freezeView, type Gap, gapOf } from "#views/integrity/freeze.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { route } from "#http/server/routes.ts";

/** Adds the API routes for the freeze of a restored ledger. */
export function freezeRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { ledger } = deps;

  route(app, deps, "GET /api/operations/freeze", async () => ({ freeze: await freezeView(deps) }));

  route(app, deps, "POST /api/operations/unfreeze", async ({ body, person }) => {
    const freeze = await ledger.integrity.verify();
    if (!freeze?.since) throw new Problem("ledger_not_frozen");
    const { epoch, reason, hold_unqueried: holdUnqueried, release, keep } = body;
    const gap = await gapOf(freeze.since, deps);
    refuseUndecided(body, gap);
    const acknowledge = body.acknowledge_lost;
    const order = { epoch, reason, actor: person.actor, holdUnqueried, release, keep, acknowledge };
    if (!(await ledger.integrity.unfreeze(order))) throw new Problem("ledger_still_frozen");
    live.invalidate("operations", "status_indicator");
  });
}

/** @throws Problem that names each batch without a decision. */
function refuseUndecided(
  body: BodyOf<(typeof OPERATIONS_API)["POST /api/operations/unfreeze"]>,
  { lost, quarantine, memory_covers: covers }: Gap,
): void {
  const decided = new Set([...body.release, ...body.keep]);
  const acknowledged = new Set(body.acknowledge_lost);
  const places = [
    ...quarantine
      .filter(({ batch_id }) => !decided.has(batch_id))
      .map(({ batch_id }) => ({
        place: batch_id,
        message: "Release this batch or keep it in quarantine.",
      })),
    ...lost
      .filter(({ batch_id }) => !acknowledged.has(batch_id))
      .map(({ batch_id }) => ({
        place: batch_id,
        message: "Acknowledge that this batch was lost.",
      })),
    ...(covers || body.without_memory
      ? []
      : [
          {
            place: "body.without_memory",
            message:
              "This machine's record of uploaded files, which is kept outside the ledger, does not cover the lost period. Confirm that you are aware of this.",
          },
        ]),
  ];
  if (places.length > 0) throw new Problem("decisions_missing", { places });
}
