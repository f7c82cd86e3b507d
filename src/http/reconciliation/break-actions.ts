import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { cursorOf, readCursor } from "#api/app/cursor.ts";
import { Problem } from "#api/app/problems.ts";
import type { BREAK_ACTION_API } from "#api/reconciliation/break-actions.ts";
import type { BodyOf } from "#api/app/operation.ts";
import { applyBreakAction, previewBreakAction } from "#flows/reconciliation/break-actions.ts";
import { assigneeOf } from "#http/reconciliation/breaks.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { listActionBreaks, listAppliedBreakActions } from "#ledger/reconciliation/bulk/applied.ts";
import { findBreakAction } from "#ledger/reconciliation/bulk/break-actions.ts";
import type { BreakApplyOrder } from "#ledger/reconciliation/bulk/apply.ts";
import type { BreakAction } from "#reconciliation/break-action.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { actionBreakViews, breakActionView } from "#views/reconciliation/break-actions.ts";

type Chosen = Pick<
  BodyOf<(typeof BREAK_ACTION_API)["POST /api/break-actions"]>,
  "filter" | "breaks"
>;

const ActionPlace = z.tuple([z.iso.datetime(), z.string().max(40)]);
const BreakPlace = z.tuple([z.int()]);

type ActionDeps = RouteDeps & Pick<ServerDeps, "ledger">;

/** Registers the routes for actions on several breaks. */
export function breakActionRoutes(app: FastifyInstance, deps: ActionDeps): void {
  const { database } = deps;

  const preview = async (action: BreakAction, body: Chosen, { actor }: Person) => {
    const order = { action, chosen: chosenBy(body), actor };
    return breakActionView(database, orRefuse(await previewBreakAction(order, deps)));
  };
  const apply = async (
    order: Pick<BreakApplyOrder, "id" | "actions"> & Partial<BreakApplyOrder>,
    { actor }: Person,
  ) => {
    const whole = { assignee: null, explanation: "", ...order, actor };
    return breakActionView(database, orRefuse(await applyBreakAction(whole, deps)));
  };

  route(app, deps, "POST /api/break-actions", ({ body, person }) =>
    preview(body.action, body, person),
  );
  route(app, deps, "POST /api/break-actions/:id/assign", async ({ params, body, person }) => {
    const assignee = await assigneeOf(body.to, database);
    return apply({ ...params, actions: ["assign"], assignee }, person);
  });
  route(app, deps, "POST /api/break-actions/:id/propose", ({ params, body, person }) =>
    apply({ ...params, actions: ["propose"], explanation: body.explanation }, person),
  );
  route(app, deps, "POST /api/break-decisions", ({ body, person }) =>
    preview(body.agree ? "confirm" : "reject", body, person),
  );
  route(app, deps, "POST /api/break-decisions/:id/apply", ({ params, person }) =>
    apply({ ...params, actions: ["confirm", "reject"] }, person),
  );
  appliedRoutes(app, deps);
}

/** Registers the routes that show actions. */
function appliedRoutes(app: FastifyInstance, deps: ActionDeps): void {
  const { database } = deps;
  const find = async (id: string) => {
    const action = await findBreakAction(database, id);
    if (!action) throw new Problem("not_found");
    return action;
  };

  route(app, deps, "GET /api/break-actions", async ({ query: { cursor, limit } }) => {
    const place = cursor === undefined ? null : readCursor(cursor, ActionPlace);
    const after = place && { at: new Date(place[0]), id: place[1] };
    const found = await listAppliedBreakActions(database, { after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      items: await Promise.all(page.map((action) => breakActionView(database, action))),
      next:
        found.length > limit && last?.appliedAt
          ? cursorOf([last.appliedAt.toISOString(), last.id])
          : null,
    };
  });

  route(app, deps, "GET /api/break-actions/:id", async ({ params }) =>
    breakActionView(database, await find(params.id)),
  );

  route(app, deps, "GET /api/break-actions/:id/breaks", async ({ params, query, person }) => {
    await find(params.id);
    const { cursor, limit } = query;
    const after = cursor === undefined ? 0 : readCursor(cursor, BreakPlace)[0];
    const found = await listActionBreaks(database, { ...params, after, limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      items: await actionBreakViews(page, person, deps),
      next: found.length > limit && last ? cursorOf([last.id]) : null,
    };
  });
}

/** Returns the selected breaks. */
function chosenBy({ filter, breaks }: Chosen) {
  if (breaks) return breaks;
  const { assignee, ...rest } = filter ?? {};
  return { ...rest, ...(assignee !== undefined && { assignee: `user:${assignee}` }) };
}
