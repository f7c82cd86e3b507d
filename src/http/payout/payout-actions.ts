import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { cursorOf, readCursor } from "#api/app/cursor.ts";
import { Problem } from "#api/app/problems.ts";
import type { PayoutActionView } from "#api/payout/payout-actions.ts";
import type { PayoutFilter as Asked } from "#api/payout/payout-filter.ts";
import {
  applyPayoutAction,
  assignPreviewedPayouts,
  decidePayoutAction,
  previewPayoutAction,
} from "#flows/payout/payout-actions.ts";
import { compareResolved } from "#flows/reconciliation/compare-again.ts";
import { refuseAccountFilter } from "#http/payout/account-filter.ts";
import { assigneeOf } from "#http/reconciliation/breaks.ts";
import { filterOf } from "#http/payout/payout-filters.ts";
import type { LiveDocuments } from "#http/server/live.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { sendFile } from "#http/server/send-file.ts";
import {
  findAction,
  listActionPayouts,
  listActions,
  type PayoutAction,
} from "#ledger/payout/action/actions.ts";
import { findPayoutIds } from "#ledger/payout/action/selected-codes.ts";
import type { PayoutFilter } from "#ledger/payout/search/payout-filter.ts";
import type { ServerDeps } from "#views/deps.ts";
import {
  actionPayoutView,
  actionRecords,
  payoutActionViews,
} from "#views/payout/payout-actions.ts";
import type { Person } from "#views/person.ts";

const ActionPlace = z.tuple([z.string().max(40)]);
const PayoutPlace = z.tuple([z.int()]);

type ActionDeps = RouteDeps & Pick<ServerDeps, "ledger" | "sealer">;

/** Registers the routes for actions on many payouts. */
export function payoutActionRoutes(
  app: FastifyInstance,
  deps: ActionDeps,
  live: Pick<LiveDocuments, "invalidateAll">,
): void {
  const { database } = deps;
  const show = async (action: PayoutAction) => {
    const [view] = await payoutActionViews(database, [action]);
    if (!view) throw new Problem("not_found");
    return view;
  };

  route(app, deps, "POST /api/payout-actions", async ({ body, person }) => {
    const { action, filter, codes } = body;
    const selection = filter ? { filters: Object.keys(filter) } : { codes: codes?.length ?? 0 };
    const chosen = await selectedBy({ filter, codes }, person, deps);
    const order = { action, filter: chosen, selection, actor: person.actor };
    return show(orRefuse(await previewPayoutAction(order, deps)));
  });

  route(app, deps, "GET /api/payout-actions", async ({ query: { state, limit, cursor } }) => {
    const after = cursor === undefined ? null : readCursor(cursor, ActionPlace)[0];
    const found = await listActions(database, { state, after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      items: await payoutActionViews(database, page),
      next: found.length > limit && last ? cursorOf([last.id]) : null,
    };
  });

  route(app, deps, "POST /api/payout-actions/:id/apply", async ({ params, body, person }) => {
    const order = { ...params, ...body, actor: person.actor };
    const applied = orRefuse(await applyPayoutAction(order, deps));
    await compareResolved(applied, person.actor, deps);
    live.invalidateAll("home", "payout", "batch", "unsent");
    return show(applied);
  });

  route(app, deps, "POST /api/payout-actions/:id/assign", async ({ params, body, person }) => {
    await assigneeOf(body.to, database);
    const order = { ...params, ...body, actor: person.actor };
    const assigned = orRefuse(await assignPreviewedPayouts(order, deps));
    live.invalidateAll("payout");
    return show(assigned);
  });

  const decide = async (id: string, person: Person, rejection: string | null) => {
    const agree = rejection === null;
    const decision = { id, actor: person.actor, agree, reason: rejection };
    const decided = orRefuse(await decidePayoutAction(decision, deps));
    await compareResolved(decided, person.actor, deps);
    live.invalidateAll("home", "payout", "batch", "unsent");
    return show(decided);
  };
  route(app, deps, "POST /api/payout-actions/:id/confirm", ({ params, person }) =>
    decide(params.id, person, null),
  );
  route(app, deps, "POST /api/payout-actions/:id/reject", ({ params, body, person }) =>
    decide(params.id, person, body.reason),
  );

  oneAction(app, deps, show);
}

/** Registers the routes that show one action. */
function oneAction(
  app: FastifyInstance,
  deps: ActionDeps,
  show: (action: PayoutAction) => Promise<PayoutActionView>,
): void {
  const { database } = deps;
  const find = async (id: string): Promise<PayoutAction> => {
    const action = await findAction(database, id);
    if (!action) throw new Problem("not_found");
    return action;
  };

  route(app, deps, "GET /api/payout-actions/:id", async ({ params }) =>
    show(await find(params.id)),
  );

  route(app, deps, "GET /api/payout-actions/:id/payouts", async ({ params, query }) => {
    await find(params.id);
    const { cursor, limit, outcome } = query;
    const after = cursor === undefined ? 0 : readCursor(cursor, PayoutPlace)[0];
    const isLeft = outcome === undefined ? undefined : outcome === "left";
    const found = await listActionPayouts(database, { ...params, after, limit: limit + 1, isLeft });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      items: page.map(actionPayoutView),
      next: found.length > limit && last ? cursorOf([last.payoutId]) : null,
    };
  });

  route(app, deps, "GET /api/payout-actions/:id/export", async ({ params, query, reply }) => {
    const { id } = await find(params.id);
    const records = actionRecords(database, id);
    return sendFile(reply, `payout-action-${id}`, query.format, records, ",");
  });
}

/**
 * Returns the filter of the ledger for a selection.
 *
 * @throws Problem if a code is unknown, or if the numbers of a preview could confirm a guess at a
 * masked account.
 */
async function selectedBy(
  { filter, codes }: { readonly filter: Asked | undefined; readonly codes: string[] | undefined },
  person: Person,
  deps: ActionDeps,
): Promise<PayoutFilter> {
  if (filter?.account !== undefined || filter?.reference !== undefined) refuseAccountFilter(person);
  if (filter) return filterOf(filter, deps);
  const { ids, unknown } = await findPayoutIds(deps.database, codes ?? []);
  if (unknown !== null) {
    throw new Problem("not_found", { detail: `There is no payout with the code ${unknown}.` });
  }
  return { ids };
}
