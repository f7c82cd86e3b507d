import type { FastifyInstance } from "fastify";
import { API } from "#api/api.ts";
import type { ApiOperation } from "#api/app/operation.ts";
import type { CreatedLink } from "#flows/people/links.ts";
import { disable } from "#flows/people/manage-users.ts";
import { applyNow } from "#flows/people/second-admin.ts";
import type { ServerDeps } from "#views/deps.ts";
import { orRefuse } from "#http/server/problems.ts";
import { route } from "#http/server/routes.ts";
import { readFactorRoles } from "#ledger/people/second-factor-policy.ts";
import { listUsers } from "#ledger/people/users.ts";
import { ROLE_NAMES, ROLES } from "#people/roles.ts";

/** Adds the API routes for users and roles. */
export function peopleRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database } = deps;

  const roles = ROLE_NAMES.map((role) => ({ role, permissions: [...ROLES[role]] }));
  const operations = Object.entries<ApiOperation>(API).map(([name, operation]) => ({
    name,
    summary: operation.summary,
    may: operation.permission,
    step_up: operation.stepUp !== undefined,
    keys: operation.keys ?? true,
  }));
  route(app, deps, "GET /api/roles", async () => ({ roles, operations }));

  route(app, deps, "GET /api/users", async () => ({
    items: (await listUsers(database)).map((user) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      roles: [...user.roles],
      state: user.state,
      has_totp: user.hasTotp,
      seen_at: user.seenAt?.toISOString() ?? null,
      created_at: user.createdAt.toISOString(),
      link_expires_at: user.linkExpiresAt?.toISOString() ?? null,
    })),
  }));

  route(app, deps, "POST /api/users", async ({ body, person }) => {
    const invited = await applyNow({ kind: "invite", ...body }, person, deps);
    return shownLink(orRefuse(invited));
  });

  route(app, deps, "POST /api/users/:id/link", async ({ params, body, person }) => {
    const made = await applyNow({ kind: "link", user_id: params.id, ...body }, person, deps);
    return shownLink(orRefuse(made));
  });

  route(app, deps, "PUT /api/users/:id/roles", async ({ params, body, person }) => {
    orRefuse(await applyNow({ kind: "roles", user_id: params.id, ...body }, person, deps));
  });
  route(app, deps, "POST /api/users/:id/disable", async ({ params, person }) => {
    orRefuse(await disable({ userId: params.id, by: person }, deps));
  });
  route(app, deps, "POST /api/users/:id/enable", async ({ params, person }) => {
    orRefuse(await applyNow({ kind: "enable", user_id: params.id }, person, deps));
  });

  const factorPolicy = async () => ({ roles: await readFactorRoles(database) });
  route(app, deps, "GET /api/second-factor-policy", factorPolicy);
  route(app, deps, "PUT /api/second-factor-policy", async ({ body, person }) => {
    orRefuse(await applyNow({ kind: "second_factor_policy", ...body }, person, deps));
    return factorPolicy();
  });
}

/** Formats a link. It is shown once, to the person who requested or confirmed the change. */
export function shownLink(made: CreatedLink | null) {
  if (!made) throw new Error("no link was created");
  const { token, expiresAt, userId } = made;
  return {
    user_id: userId ?? "",
    path: linkPath(token.reveal()),
    expires_at: expiresAt.toISOString(),
  };
}

/**
 * The token is in the fragment. Browsers do not send the fragment, so no log on the way records it.
 */
const linkPath = (token: string): string => `/invite#${token}`;
