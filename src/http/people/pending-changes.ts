import type { FastifyInstance } from "fastify";
import {
  countConfirmingAdmins,
  confirmChange,
  proposeChange,
  withdrawChange,
} from "#flows/people/second-admin.ts";
import type { ServerDeps } from "#views/deps.ts";
import { openChangesFor } from "#views/people/pending-changes.ts";
import { refuseUnusedRules } from "#http/approval/approval-rules.ts";
import { refuseWrongLimits } from "#http/approval/payout-limits.ts";
import { shownLink } from "#http/people/people.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route } from "#http/server/routes.ts";
import { isSetUp } from "#ledger/people/pending-changes.ts";

/** Adds the API routes for changes that need a second admin. */
export function pendingChangeRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database } = deps;

  route(app, deps, "GET /api/pending-changes", async ({ person }) => ({
    items: await openChangesFor(person, deps),
    other_admins: await countConfirmingAdmins(deps.ledger, person.id, deps),
    is_set_up: await isSetUp(database),
  }));

  route(app, deps, "POST /api/pending-changes", async ({ body, person }) => {
    if (body.kind === "approval_rules") await refuseUnusedRules(body.rules, deps);
    if (body.kind === "payout_limits") await refuseWrongLimits(body.limits, deps);
    return { id: orRefuse(await proposeChange(body, person, deps)) };
  });

  route(app, deps, "POST /api/pending-changes/:id/confirm", async ({ params, person }) => {
    const link = orRefuse(await confirmChange(params.id, person, deps));
    return { link: link && shownLink(link) };
  });

  route(app, deps, "POST /api/pending-changes/:id/withdraw", async ({ params, person }) => {
    orRefuse(await withdrawChange(params.id, person, deps));
  });
}
