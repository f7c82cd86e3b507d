import type { FastifyInstance } from "fastify";
import { API } from "#api/api.ts";
import type { Operation } from "#api/operation.ts";
import { createKey, revokeKey } from "#flows/people/keys.ts";
import type { MadeLink } from "#flows/people/links.ts";
import { disable } from "#flows/people/manage.ts";
import { doAtOnce } from "#flows/people/second-admin.ts";
import type { Desk } from "#http/desk.ts";
import { orRefuse, Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { listApiKeys } from "#ledger/people/api-keys.ts";
import { listUsers } from "#ledger/people/users.ts";
import { ROLE_NAMES, ROLES } from "#people/roles.ts";

const DAY_MS = 24 * 60 * 60_000;
const KEY_DAYS_MAX = 366;

export function peopleRoutes(app: FastifyInstance, desk: Desk): void {
  const { database, clock } = desk;

  const roles = ROLE_NAMES.map((role) => ({ role, permissions: [...ROLES[role]] }));
  const operations = Object.entries<Operation>(API).map(([name, operation]) => ({
    name,
    summary: operation.summary,
    may: operation.may,
    step_up: operation.stepUp ?? false,
    keys: operation.keys ?? true,
  }));
  route(app, desk, "GET /api/roles", async () => ({ roles, operations }));

  route(app, desk, "GET /api/users", async () => ({
    items: (await listUsers(database)).map((user) => ({
      id: user.id,
      email: user.email,
      name: user.name,
      roles: [...user.roles],
      state: user.state,
      has_totp: user.hasTotp,
      seen_at: user.seenAt?.toISOString() ?? null,
      created_at: user.createdAt.toISOString(),
    })),
  }));

  route(app, desk, "POST /api/users", async ({ body, person }) => {
    const invited = await doAtOnce({ kind: "invite", ...body }, person, desk);
    return shownLink(orRefuse(invited));
  });

  route(app, desk, "POST /api/users/:id/link", async ({ params, body, person }) => {
    const made = await doAtOnce({ kind: "link", user_id: params.id, ...body }, person, desk);
    return shownLink(orRefuse(made));
  });

  route(app, desk, "PUT /api/users/:id/roles", async ({ params, body, person }) => {
    orRefuse(await doAtOnce({ kind: "roles", user_id: params.id, ...body }, person, desk));
  });
  route(app, desk, "POST /api/users/:id/disable", async ({ params, person }) => {
    orRefuse(await disable({ userId: params.id, by: person }, desk));
  });
  route(app, desk, "POST /api/users/:id/enable", async ({ params, person }) => {
    orRefuse(await doAtOnce({ kind: "enable", user_id: params.id }, person, desk));
  });

  route(app, desk, "GET /api/keys", async () => ({
    items: (await listApiKeys(database)).map((key) => ({
      ...key,
      created_at: key.created_at.toISOString(),
      expires_at: key.expires_at.toISOString(),
      used_at: key.used_at?.toISOString() ?? null,
      revoked_at: key.revoked_at?.toISOString() ?? null,
    })),
  }));

  route(app, desk, "POST /api/keys", async ({ body, person }) => {
    const expiresAt = new Date(body.expires_at);
    const days = (expiresAt.getTime() - clock.nowMs()) / DAY_MS;
    if (days <= 0 || days > KEY_DAYS_MAX) throw new Problem("bad_expiry");
    const { name, scopes } = body;
    const key = { name, scopes: [...new Set(scopes)], expiresAt, createdBy: person.id };
    const { id, token } = await createKey(key, person.actor, desk);
    return { id, key: token.reveal() };
  });

  route(app, desk, "DELETE /api/keys/:id", async ({ params, person }) => {
    if (!(await revokeKey(params.id, person.actor, desk))) throw new Problem("not_found");
  });
}

/** Told once, to whoever has asked for it or has confirmed it. */
export function shownLink(made: MadeLink | null) {
  if (!made) throw new Error("no link was made");
  const { token, expiresAt, userId } = made;
  return {
    user_id: userId ?? "",
    path: linkPath(token.reveal()),
    expires_at: expiresAt.toISOString(),
  };
}

/** In the fragment: no browser sends it, so no log on the way keeps it. */
const linkPath = (token: string): string => `/invite#${token}`;
