import { headroomDocument, accountDocument } from "#views/approval/headroom.ts";
import type { FastifyInstance } from "fastify";
import { isReadyForApproval } from "#intake/batch/batch-lifecycle.ts";
import { unitsOf } from "#intake/amount-limits.ts";
import { findInvalidLimits } from "#approval/limit-units.ts";
import {
  extraApprovers,
  isHardLimitExceeded,
  describeLimitBreach,
  describeLimitRemedy,
} from "#approval/payout-limits.ts";
import { queryBalances, type BalanceDeps } from "#flows/approval/query-balance.ts";
import { applyNow } from "#flows/people/second-admin.ts";
import type { ServerDeps } from "#views/deps.ts";
import { orRefuse } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { findAllLanes, findFunds, findBatchLanes } from "#ledger/payout/lane/balances.ts";
import { findBatchLimitBreaches } from "#ledger/approval/limit-use.ts";
import { type LimitTerms, readPayoutLimits } from "#ledger/approval/payout-limits.ts";
import { amountOf } from "#money/format.ts";

/** Adds the API routes for payout limits. */
export function payoutLimitRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, clock, ledger } = deps;
  const now = () => new Date(clock.nowMs());

  route(app, deps, "GET /api/payout-limits", async () =>
    shownTerms(await readPayoutLimits(database)),
  );

  route(app, deps, "PUT /api/payout-limits", async ({ body, person }) => {
    await refuseWrongLimits(body.limits, deps);
    orRefuse(await applyNow({ kind: "payout_limits", ...body }, person, deps));
    return shownTerms(await readPayoutLimits(database));
  });

  route(app, deps, "GET /api/payout-limits/headroom", async ({ person }) => {
    await queryBalances(await findAllLanes(database), balanceDeps(deps));
    return headroomDocument(database, person.actor, now());
  });

  route(app, deps, "GET /api/batches/:id/limits", async ({ params }) => {
    const batch = await ledger.payout.findBatch({ id: params.id });
    if (!batch) throw new Problem("not_found");
    if (isReadyForApproval(batch.state)) {
      await queryBalances(await findBatchLanes(database, params.id), balanceDeps(deps));
    }
    const breaches = await findBatchLimitBreaches(database, params.id, now());
    const { when_short } = await readPayoutLimits(database);
    const funds = await findFunds(database, params.id, now());
    const isCovered = funds.every(({ funds: { kind } }) => kind === "enough");
    return {
      refused: isHardLimitExceeded(breaches) || (when_short === "refuse" && !isCovered),
      extra_people: extraApprovers(breaches),
      exceeded: breaches.map((breach) => ({
        scope: breach.limit.scope,
        hard: breach.limit.hard,
        allowed: amountOf(breach.allowed),
        found: amountOf(breach.found),
        before: amountOf(breach.before),
        over: amountOf(breach.over),
        lines: [...breach.lines],
        says: describeLimitBreach(breach),
        remedy: describeLimitRemedy(breach),
      })),
      funds: funds.map(({ needed, account, funds: found }) => ({
        ...accountDocument(account, found),
        needed: amountOf(needed),
        state: found.kind,
      })),
    };
  });
}

/** @throws Problem with the location of each limit that would never be reached as intended. */
export async function refuseWrongLimits(
  limits: LimitTerms["limits"],
  { database, config }: Pick<ServerDeps, "database" | "config">,
): Promise<void> {
  const before = (await readPayoutLimits(database)).limits;
  const wrong = findInvalidLimits(limits, before, unitsOf(config.CRYPTO_CURRENCIES));
  if (wrong.length === 0) return;
  const places = wrong.map(({ at, field, expected }) => ({
    place: `body.limits.${at}.${field}`,
    message: expected,
  }));
  throw new Problem("invalid_request", { places });
}

/** Returns the dependencies of balance queries. */
export const balanceDeps = ({ deps, deposits, ledger, clock }: ServerDeps): BalanceDeps => ({
  ...deps,
  ledger,
  clock,
  gateway: deposits.gateway,
});

const shownTerms = ({ limits, ...terms }: LimitTerms) => ({
  ...terms,
  limits: limits.map((limit) => ({ ...limit })),
});
