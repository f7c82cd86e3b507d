import { headroomOf, shownAccount } from "#views/approval/headroom.ts";
import type { FastifyInstance } from "fastify";
import { unitsOf } from "#intake/amount-limits.ts";
import { wrongLimits } from "#approval/limit-units.ts";
import { extraPeople, isRefused, sayBreach, sayRemedy } from "#approval/payout-limits.ts";
import { askBalances, type BalanceDeps } from "#flows/approval/query-balance.ts";
import { doAtOnce } from "#flows/people/second-admin.ts";
import type { Desk } from "#views/deps.ts";
import { orRefuse } from "#http/server/problems.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { everyLane, fundsOf, lanesOf } from "#ledger/payout/lane/balances.ts";
import { findBreaches } from "#ledger/approval/limit-use.ts";
import { type LimitTerms, readLimits } from "#ledger/approval/payout-limits.ts";
import { amountOf } from "#money/format.ts";

/** Adds the API routes for payout limits. */
export function moneyLimitRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, clock, ledger } = desk;
  const now = () => new Date(clock.nowMs());

  route(app, desk, "GET /api/payout-limits", async () => shownTerms(await readLimits(database)));

  route(app, desk, "PUT /api/payout-limits", async ({ body, person }) => {
    await refuseWrongLimits(body.limits, desk);
    orRefuse(await doAtOnce({ kind: "payout_limits", ...body }, person, desk));
    return shownTerms(await readLimits(database));
  });

  route(app, desk, "GET /api/payout-limits/headroom", async ({ person }) => {
    await askBalances(await everyLane(database), askingOf(desk));
    return headroomOf(database, person.actor, now());
  });

  route(app, desk, "GET /api/batches/:id/limits", async ({ params }) => {
    const batch = await ledger.payout.findBatch({ id: params.id });
    if (!batch) throw new Problem("not_found");
    if (batch.state === "awaiting_approval") {
      await askBalances(await lanesOf(database, params.id), askingOf(desk));
    }
    const breaches = await findBreaches(database, params.id, now());
    const { when_short } = await readLimits(database);
    const funds = await fundsOf(database, params.id, now());
    const isCovered = funds.every(({ funds: { kind } }) => kind === "enough");
    return {
      refused: isRefused(breaches) || (when_short === "refuse" && !isCovered),
      extra_people: extraPeople(breaches),
      exceeded: breaches.map((breach) => ({
        scope: breach.limit.scope,
        hard: breach.limit.hard,
        allowed: amountOf(breach.allowed),
        found: amountOf(breach.found),
        before: amountOf(breach.before),
        over: amountOf(breach.over),
        lines: [...breach.lines],
        says: sayBreach(breach),
        remedy: sayRemedy(breach),
      })),
      funds: funds.map(({ needed, account, funds: found }) => ({
        ...shownAccount(account, found),
        needed: amountOf(needed),
        state: found.kind,
      })),
    };
  });
}

/** @throws Problem with the location of each limit that would never be reached as intended. */
export async function refuseWrongLimits(
  limits: LimitTerms["limits"],
  { database, config }: Pick<Desk, "database" | "config">,
): Promise<void> {
  const before = (await readLimits(database)).limits;
  const wrong = wrongLimits(limits, before, unitsOf(config.CRYPTO_CURRENCIES));
  if (wrong.length === 0) return;
  const places = wrong.map(({ at, field, expected }) => ({
    place: `body.limits.${at}.${field}`,
    message: expected,
  }));
  throw new Problem("invalid_request", { places });
}

/** Returns the dependencies of balance queries. */
export const askingOf = ({ deps, deposits, database, clock }: Desk): BalanceDeps => ({
  ...deps,
  database,
  clock,
  gateway: deposits.gateway,
});

const shownTerms = ({ limits, ...terms }: LimitTerms) => ({
  ...terms,
  limits: limits.map((limit) => ({ ...limit })),
});
