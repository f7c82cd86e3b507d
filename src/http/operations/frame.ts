import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { route } from "#http/server/routes.ts";
import type { StatusIndicatorView } from "#views/operations/status-indicator.ts";
import { changesToConfirm } from "#views/people/pending-changes.ts";
import {
  countReconciliation,
  reconciliationTasks,
} from "#views/operations/reconciliation-tasks.ts";
import { countUnreadNotices } from "#ledger/notification/inbox.ts";
import { findWaitingBatches } from "#ledger/approval/waiting-batches.ts";

/** Adds the API routes for the frame of every page. */
export function frameRoutes(app: FastifyInstance, deps: ServerDeps, live: LiveDocuments): void {
  const { database, clock } = deps;
  route(app, deps, "GET /api/frame", async ({ person }) => {
    const mayApprove = person.kind === "user" && person.permissions.has("approve");
    const [light, waiting, changes, unread, reconcile] = await Promise.all([
      live.documentOf("status_indicator") as Promise<StatusIndicatorView>,
      mayApprove ? findWaitingBatches(database, person.id) : [],
      changesToConfirm(person, deps),
      countUnreadNotices(database, person.id),
      reconciliationTasks(person, database).then(countReconciliation),
    ]);
    const at = new Date(clock.nowMs()).toISOString();
    const approve = waiting.filter(({ mine }) => mine).length;
    return { at, status_indicator: light, approve, confirm: changes.length, reconcile, unread };
  });
}
