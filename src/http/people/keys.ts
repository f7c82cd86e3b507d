import type { FastifyInstance } from "fastify";
import type { KeyState } from "#api/people/people.ts";
import { type CreatedKey, createKey, revokeKey, rotateKey } from "#flows/people/keys.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { route } from "#http/server/routes.ts";
import { type ListedKey, listApiKeys } from "#ledger/people/api-keys.ts";
import type { Result } from "#base/result.ts";
import { scopesExceeding } from "#people/roles.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const KEY_DAYS_MAX = 366;

/** Adds the API routes for API keys. */
export function keyRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, clock } = deps;

  route(app, deps, "GET /api/keys", async ({ person }) => {
    const isAdmin = person.permissions.has("administer");
    const keys = await listApiKeys(database, isAdmin ? null : person.id);
    const now = new Date(clock.nowMs());
    return {
      items: keys.map((key) => ({
        id: key.id,
        name: key.name,
        shown: key.shown,
        scopes: [...key.scopes],
        inactive_scopes: scopesExceeding(key.scopes, key.makerRoles),
        state: stateOf(key, now),
        own: key.createdBy === person.id,
        created_by: key.makerName,
        created_at: key.createdAt.toISOString(),
        expires_at: key.expiresAt.toISOString(),
        used_at: key.usedAt?.toISOString() ?? null,
        revoked_at: key.revokedAt?.toISOString() ?? null,
        replaced_by: key.replacedBy,
        confirm_until: key.isConfirmed ? null : (key.waitsUntil?.toISOString() ?? null),
      })),
    };
  });

  route(app, deps, "POST /api/keys", async ({ body, person }) => {
    const expiresAt = new Date(body.expires_at);
    const days = (expiresAt.getTime() - clock.nowMs()) / DAY_MS;
    if (days <= 0 || days > KEY_DAYS_MAX) throw new Problem("invalid_expiry");
    const key = { name: body.name, scopes: [...new Set(body.scopes)], expiresAt };
    const made = await createKey(key, person, deps);
    return shownKey(made);
  });

  route(app, deps, "POST /api/keys/:id/rotate", async ({ params, body, person }) => {
    const order = { id: params.id, overlapMs: body.overlap_hours * HOUR_MS };
    const made = await rotateKey(order, person, deps);
    if (!made) throw new Problem("not_found");
    return shownKey(made);
  });

  route(app, deps, "DELETE /api/keys/:id", async ({ params, person }) => {
    const by = { ...person, isAdmin: person.permissions.has("administer") };
    if (!(await revokeKey(params.id, by, deps))) throw new Problem("not_found");
  });
}

/** Formats a new key. Its token is shown once. */
function shownKey(made: Result<CreatedKey, readonly string[]>) {
  if (!made.ok) {
    const detail = `You do not have the following permissions: ${made.error.join(", ")}. Remove them from the scopes, or ask a user who has them to create the key.`;
    throw new Problem("scopes_exceed_creator", { detail });
  }
  const { id, token, isWaiting } = made.value;
  return { id, key: token.reveal(), unconfirmed: isWaiting };
}

function stateOf(key: ListedKey, now: Date): KeyState {
  if (key.revokedAt) return "revoked";
  if (key.expiresAt <= now) return "expired";
  if (key.isMakerDisabled) return "creator_disabled";
  if (key.isConfirmed) return "working";
  return key.waitsUntil && key.waitsUntil > now ? "unconfirmed" : "confirmation_expired";
}
