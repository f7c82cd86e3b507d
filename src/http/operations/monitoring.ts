import type { FastifyInstance } from "fastify";
import { Problem } from "#api/app/problems.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { route } from "#http/server/routes.ts";
import { findMerchantAccounts, nameAccount } from "#ledger/payout/lane/account-names.ts";
import { findDisplayNames } from "#ledger/people/names.ts";
import type { ServerDeps } from "#views/deps.ts";
import { eventsView } from "#views/operations/events.ts";
import { jobsView, queueHistory } from "#views/operations/queue-history.ts";
import { laneRates, ratesView } from "#views/operations/throughput.ts";

/** Adds the API routes for throughput, events, queues and the names of lanes. */
export function monitoringRoutes(
  app: FastifyInstance,
  deps: ServerDeps,
  live: LiveDocuments,
): void {
  const { database, clock } = deps;

  route(app, deps, "GET /api/operations/rates", ({ query }) => ratesView(database, query));
  route(app, deps, "GET /api/operations/lane-rates", async () => ({
    items: await laneRates(database, clock.nowMs()),
  }));
  route(app, deps, "GET /api/operations/events", ({ query }) => eventsView(database, query.hours));
  route(app, deps, "GET /api/operations/queue-history", async ({ query }) => ({
    items: await queueHistory(query.hours, deps),
  }));
  route(app, deps, "GET /api/operations/queues/:name/jobs", async ({ params, query }) => ({
    items: await jobsView(params.name, query.state, deps),
  }));

  route(app, deps, "GET /api/merchant-accounts", async () => {
    const accounts = await findMerchantAccounts(database);
    const displayOf = await findDisplayNames(
      database,
      accounts.flatMap(({ setBy }) => setBy ?? []),
      null,
    );
    return {
      items: accounts.map(({ merchantCode, lanes, name, setBy, setAt }) => ({
        merchant_code: merchantCode,
        lanes: [...lanes],
        name,
        set_by_name: setBy === null ? null : displayOf(setBy).name,
        set_at: setAt?.toISOString() ?? null,
      })),
    };
  });
  route(app, deps, "PUT /api/merchant-accounts/:code", async ({ params, body, person }) => {
    const at = new Date(clock.nowMs());
    const order = { merchantCode: params.code, name: body.name, actor: person.actor, at };
    const named = await database
      .transaction()
      .execute((transaction) => nameAccount(transaction, order));
    live.invalidate("operations");
    if (named.ok) return;
    throw named.error === "unknown_account"
      ? new Problem("not_found", { detail: `There is no merchant account ${params.code}.` })
      : new Problem("invalid_request", {
          places: [{ place: "body.name", message: "another merchant account has this name" }],
        });
  });
}
