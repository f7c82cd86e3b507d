import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { cursorOf, readCursor } from "#api/app/cursor.ts";
import { Problem } from "#api/app/problems.ts";
import { stepOnBreak, type StepOnBreak } from "#flows/reconciliation/work-breaks.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route, type RouteDeps } from "#http/server/routes.ts";
import { countBreaks, findBreaks } from "#ledger/reconciliation/breaks.ts";
import type { ServerDeps } from "#views/deps.ts";
import type { Person } from "#views/person.ts";
import { breakItems, breakView } from "#views/reconciliation/breaks.ts";

/** The ID of the last break of a page. */
const Place = z.tuple([z.int()]);

/** Registers the routes for breaks. */
export function breakRoutes(
  app: FastifyInstance,
  deps: RouteDeps & Pick<ServerDeps, "ledger">,
): void {
  const { database } = deps;

  route(app, deps, "GET /api/breaks", async ({ query, person }) => {
    const { cursor, limit, assignee, ...filter } = query;
    const wanted = {
      ...filter,
      assignee: assignee === undefined ? undefined : `user:${assignee}`,
    };
    const found = await findBreaks(database, {
      ...wanted,
      after: cursor === undefined ? undefined : readCursor(cursor, Place)[0],
      limit: limit + 1,
    });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    return {
      items: await breakItems(page, person, deps),
      next: found.length > limit && last ? cursorOf([last.id]) : null,
      counts: await countBreaks(database, wanted),
    };
  });

  const show = async (id: number, person: Person) => {
    const shown = await breakView(id, person, deps);
    if (!shown) throw new Problem("not_found");
    return shown;
  };
  const make = async (seen: { id: number; version: number }, step: StepOnBreak, person: Person) => {
    orRefuse(await stepOnBreak({ ...seen, actor: person.actor }, step, deps));
    return show(seen.id, person);
  };

  route(app, deps, "GET /api/breaks/:id", async ({ params, person }) => show(params.id, person));

  route(app, deps, "PUT /api/breaks/:id/assignment", async ({ params, body, person }) => {
    const { to, version } = body;
    const assignee = await assigneeOf(to, database);
    return make({ ...params, version }, { kind: "assign", assignee }, person);
  });

  route(app, deps, "POST /api/breaks/:id/comments", ({ params, body: { text, version }, person }) =>
    make({ ...params, version }, { kind: "comment", text }, person),
  );

  route(app, deps, "POST /api/breaks/:id/propose", ({ params, body, person }) => {
    const { explanation, version } = body;
    return make({ ...params, version }, { kind: "propose", explanation }, person);
  });

  route(app, deps, "POST /api/breaks/:id/decide", ({ params, body, person }) => {
    const { agree, version, proposal } = body;
    return make({ ...params, version }, { kind: "decide", agree, proposal }, person);
  });
}

/** @throws Problem if no active user has this ID. */
export async function assigneeOf(
  to: string | null,
  database: RouteDeps["database"],
): Promise<string | null> {
  if (to === null) return null;
  if (!(await canSignIn(to, database))) {
    throw new Problem("not_found", { detail: "There is no active user with this ID." });
  }
  return `user:${to}`;
}

async function canSignIn(id: string, database: RouteDeps["database"]): Promise<boolean> {
  const found = await database
    .selectFrom("users")
    .select("id")
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return found !== undefined;
}
