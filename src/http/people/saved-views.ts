import type { FastifyInstance } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { deleteView, renameView, saveView, findViews } from "#ledger/people/saved-views.ts";
import { VIEW_FILTERS, VIEWS_MAX } from "#people/saved-views.ts";

const KEEPS = {
  batches: [...VIEW_FILTERS.batches],
  payouts: [...VIEW_FILTERS.payouts],
  failures: [...VIEW_FILTERS.failures],
  audit: [...VIEW_FILTERS.audit],
  deposits: [...VIEW_FILTERS.deposits],
  approvals: [...VIEW_FILTERS.approvals],
};

/**
 * Registers the routes for saved views. A user sees only their own, and a view never leads to an
 * address that another person could have chosen.
 */
export function viewRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, sealer } = deps;

  route(app, deps, "GET /api/views", async ({ person }) => ({
    items: await findViews(database, sealer, person.id),
    items_max: VIEWS_MAX,
    keeps: KEEPS,
  }));

  route(app, deps, "POST /api/views", async ({ body, person }) => {
    const { page, name } = body;
    const given = Object.entries(body.filters).filter((entry) => entry[1] !== undefined);
    const filters = Object.fromEntries(given) as Record<string, string>;
    const saved = await saveView(database, sealer, person.id, { page, name, filters });
    if (!saved.ok) throw refused(saved.error, name);
    return saved.value;
  });

  route(app, deps, "PUT /api/views/:id", async ({ params, body, person }) => {
    const own = { ...params, userId: person.id };
    const renamed = await renameView(database, own, body.name);
    if (!renamed.ok) throw refused(renamed.error, body.name);
  });

  route(app, deps, "DELETE /api/views/:id", async ({ params, person }) => {
    const isForgotten = await deleteView(database, { ...params, userId: person.id });
    if (!isForgotten) throw refused("not_found", "");
  });
}

function refused(code: "view_name_taken" | "too_many_views" | "not_found", name: string): Problem {
  const detail = {
    view_name_taken: `A view named “${name}” already exists on this page. Choose another name, or delete that view first.`,
    too_many_views: `You can save up to ${VIEWS_MAX} views. Delete one that you no longer need.`,
    not_found: "This view does not exist. It may have been deleted: reload the page.",
  }[code];
  return new Problem(code, { detail });
}
