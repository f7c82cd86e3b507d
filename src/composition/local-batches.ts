import { createLocalApi, type LocalApi, type LocalRoutes } from "#http/app/local-app.ts";
import { erasureRoutes } from "#http/integrity/erasures.ts";
import { evidencePackRoutes } from "#http/integrity/evidence-packs.ts";
import { breakActionRoutes } from "#http/reconciliation/break-actions.ts";
import { breakRoutes } from "#http/reconciliation/breaks.ts";
import { eventRoutes } from "#http/feed/events.ts";
import { assignablePeopleRoute } from "#http/operations/failure-assignments.ts";
import { merchantAccountRoutes } from "#http/operations/merchant-accounts.ts";
import { reportRoutes } from "#http/operations/reports.ts";
import { dayRoutes } from "#http/reconciliation/days.ts";
import { commentRoutes } from "#http/comment/comments.ts";
import { withdrawalRoute } from "#http/approval/withdrawal.ts";
import { comparisonRoutes } from "#http/approval/comparison.ts";
import { requestApprovalRoute } from "#http/intake/request-approval.ts";
import { payoutActionRoutes } from "#http/payout/payout-actions.ts";
import { batchOrderRoutes } from "#http/payout/batch-orders.ts";
import { rescheduleRoute } from "#http/schedule/send-times.ts";
import type { RouteDeps } from "#http/server/routes.ts";
import type { OpenLedger } from "#app/open-ledger.ts";
import type { Payrun } from "#app/wiring.ts";
import { systemClock } from "#base/clock.ts";

/** No page of this process shows a document that an order would make old. */
const NO_LIVE_DOCUMENTS = {
  invalidate: () => {},
  invalidateBatch: () => {},
  invalidateAll: () => {},
};

/**
 * Registers the operations on batches that need only the ledger. After a request for approval, the
 * server searches for anomalies; a command ends, and leaves that to the first approver's page.
 */
function ledgerRoutes(
  app: Parameters<LocalRoutes>[0],
  deps: RouteDeps & Pick<OpenLedger, "ledger" | "config" | "sealer">,
): void {
  breakRoutes(app, deps);
  breakActionRoutes(app, deps);
  assignablePeopleRoute(app, deps);
  payoutActionRoutes(app, deps, NO_LIVE_DOCUMENTS);
  erasureRoutes(app, deps, NO_LIVE_DOCUMENTS);
  evidencePackRoutes(app, deps);
  dayRoutes(app, deps);
  reportRoutes(app, deps);
  merchantAccountRoutes(app, deps, NO_LIVE_DOCUMENTS);
  commentRoutes(app, deps);
  eventRoutes(app, deps);
  comparisonRoutes(app, deps);
  rescheduleRoute(app, deps, NO_LIVE_DOCUMENTS);
  batchOrderRoutes(app, deps, NO_LIVE_DOCUMENTS);
  requestApprovalRoute(app, deps, NO_LIVE_DOCUMENTS, async () => {});
  withdrawalRoute(app, deps, NO_LIVE_DOCUMENTS, deps.config.SMTP_URL !== undefined);
}

/**
 * Opens the operations on batches for the operator of this machine.
 *
 * @param actor the operator in the audit log, such as "cli:asha".
 */
export function localBatchApi(open: OpenLedger, actor: string): Promise<LocalApi> {
  const { ledger, config, sealer } = open;
  return createLocalApi({ ...open, clock: systemClock }, actor, (app, deps) =>
    ledgerRoutes(app, { ...deps, ledger, config, sealer }),
  );
}

/** Opens them together with retry batches, which need the rules for rows. */
export async function localIntakeApi(payrun: Payrun, actor: string): Promise<LocalApi> {
  const { retryBatchRoutes } = await import("#http/payout/retry-batches.ts");
  const { leftOutRowRoutes } = await import("#http/intake/left-out-rows.ts");
  const { ledger, config, keyring, rows, sealer } = payrun;
  return createLocalApi({ ...payrun, clock: systemClock }, actor, (app, deps) => {
    ledgerRoutes(app, { ...deps, ledger, config, sealer });
    const rowDeps = { ...deps, ledger, rows, sealer, clock: systemClock, deps: { keyring } };
    retryBatchRoutes(app, rowDeps);
    leftOutRowRoutes(app, rowDeps, NO_LIVE_DOCUMENTS);
  });
}
