import type { FastifyInstance } from "fastify";
import type { Desk } from "#http/desk.ts";
import { csrfToken, type Person, sessionToken } from "#http/person.ts";
import { route } from "#http/routes.ts";
import { hasUsers } from "#ledger/people/users.ts";

export function sessionRoutes(app: FastifyInstance, desk: Desk): void {
  route(app, desk, "GET /api/session", async ({ person, request }) => ({
    person: person && shown(person),
    csrf_token: person?.session ? csrfToken(sessionToken(request)?.token ?? "") : null,
    environment: desk.environment,
    setup_needed: !person && !(await hasUsers(desk.database)),
  }));
}

const shown = ({ kind, id, name, email, roles, permissions, session }: Person) => ({
  kind,
  id,
  name,
  email,
  roles: [...roles],
  permissions: [...permissions],
  has_totp: session?.user.hasTotp ?? false,
  stepped_up_until: session?.steppedUpUntil?.toISOString() ?? null,
});
