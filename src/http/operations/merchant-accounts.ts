import type { FastifyInstance } from "fastify";
import { Problem } from "#api/app/problems.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { findMerchantAccounts, nameAccount } from "#ledger/payout/lane/account-names.ts";
import { findDisplayNames } from "#ledger/people/names.ts";

/** Adds the API routes for the names of merchant accounts, which are also those of lanes. */
export function merchantAccountRoutes(
  app: FastifyInstance,
  deps: RouteDeps,
  live: Pick<LiveDocuments, "invalidate">,
): void {
  const { database, clock } = deps;

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
