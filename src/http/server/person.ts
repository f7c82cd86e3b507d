import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { refusalIn } from "#ledger/store/outage.ts";
import { findApiKey, touchApiKey } from "#ledger/people/api-keys.ts";
import { findSession, touchSession } from "#ledger/people/sessions.ts";
import type { Person } from "#views/person.ts";
import { permissionsOf, permissionsWithout, scopesExceeding } from "#people/roles.ts";
import { isAlive } from "#people/session.ts";

/**
 * The plain cookie works without HTTPS, on the user's own machine. A session is valid only under
 * the cookie name for which it was created.
 */
const COOKIES = { secure: "__Host-payrun", plain: "payrun" };
/** Returns the name of the session cookie, with the prefix that browsers reserve for HTTPS. */
export const cookieName = (secure: boolean): string => (secure ? COOKIES.secure : COOKIES.plain);

/**
 * Whether every cookie must be an HTTPS cookie, because the server is reachable only over HTTPS.
 */
export const isHttpsOnly = ({ config }: Pick<ServerDeps, "config">): boolean =>
  config.PUBLIC_URL !== undefined && new URL(config.PUBLIC_URL).protocol === "https:";

const TOUCH_MS = 60_000;

type PersonDeps = Pick<ServerDeps, "clock" | "config" | "database">;

/**
 * Authenticates a request. Returns null if it contains no credentials.
 *
 * @throws Problem if the credentials are no longer valid.
 */
export async function personOf(request: FastifyRequest, desk: PersonDeps): Promise<Person | null> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return apiKeyPerson(authorization, desk);
  const token = sessionToken(request, desk);
  if (token === null) return null;
  const person = await userOf(token, desk);
  // Requests that a page sends by itself every few seconds do not keep the session alive.
  if (request.headers["x-payrun-input"] !== undefined) await keepAlive(person, desk);
  return person;
}

/**
 * Returns the session token of a request. Null: it has none, or came over HTTP where HTTPS is
 * required.
 */
export function sessionToken(
  request: FastifyRequest,
  deps: Pick<ServerDeps, "config">,
): { readonly token: string; readonly secure: boolean } | null {
  const { [COOKIES.secure]: secure, [COOKIES.plain]: plain } = request.cookies;
  if (secure !== undefined) return { token: secure, secure: true };
  return plain === undefined || isHttpsOnly(deps) ? null : { token: plain, secure: false };
}

/** @throws Problem if the session is no longer valid. */
export async function userOf(
  { token, secure }: { readonly token: string; readonly secure: boolean },
  { database, clock }: PersonDeps,
): Promise<Person> {
  const session = await findSession(database, token);
  const nowMs = clock.nowMs();
  if (
    !session ||
    session.secure !== secure ||
    session.user.isDisabled ||
    !isAlive(session, nowMs)
  ) {
    throw new Problem("session_expired");
  }
  const { id, name, email, roles } = session.user;
  const factorMissing = session.user.hasTotp ? [] : session.user.factorRoles;
  const permissions =
    factorMissing.length > 0 ? permissionsWithout(roles, factorMissing) : permissionsOf(roles);
  const actor = `user:${id}`;
  const rights = { roles, permissions, factorMissing };
  return { kind: "user", id, name, email, ...rights, actor, keyOwner: actor, session };
}

async function keepAlive({ session }: Person, { database, clock }: PersonDeps): Promise<void> {
  const nowMs = clock.nowMs();
  if (session && nowMs - session.seenAt.getTime() > TOUCH_MS) {
    await unlessRefused(touchSession(database, session.id, new Date(nowMs)));
  }
}

/**
 * Ignores the failure to write, so that users can read while writing is impossible: the disk is
 * full, or the database is read-only (F27).
 */
const unlessRefused = (touched: Promise<void>): Promise<void> =>
  touched.catch((error: unknown) => {
    if (!refusalIn(error)) throw error;
  });

async function apiKeyPerson(
  authorization: string,
  { database, clock }: PersonDeps,
): Promise<Person> {
  const [, token] = /^Bearer (pk_[\w-]{43})$/i.exec(authorization) ?? [];
  const now = new Date(clock.nowMs());
  const key = token === undefined ? null : await findApiKey(database, token, now);
  if (!key) throw new Problem("key_invalid");
  if (key.isWaiting) throw new Problem("key_unconfirmed");
  if (!key.usedAt || now.getTime() - key.usedAt.getTime() > TOUCH_MS) {
    await unlessRefused(touchApiKey(database, key.id, now));
  }
  const lost = scopesExceeding(key.scopes, key.makerRoles);
  return {
    kind: "key",
    id: key.id,
    name: key.name,
    email: null,
    roles: [],
    factorMissing: [],
    permissions: new Set(key.scopes.filter((scope) => !lost.includes(scope))),
    lost: { scopes: lost, maker: key.makerName },
    actor: `key:${key.id}`,
    keyOwner: `key:${key.firstId}`,
    session: null,
  };
}

/** Names the roles and the next step. */
export const factorRequired = ({ factorMissing }: Person): Problem => {
  const isOne = factorMissing.length === 1;
  return new Problem("second_factor_required", {
    detail: `Your ${factorMissing.join(" and ")} ${isOne ? "role requires" : "roles require"} a second factor, but you have not set one up. Set it up on your profile page, or with POST /api/profile/totp within 15 minutes of signing in. Until then, ${isOne ? "this role grants" : "these roles grant"} you read-only access.`,
  });
};

/**
 * The token that our own pages send with every change. Another site's page cannot read the cookie
 * from which it is derived.
 */
export const csrfToken = (token: string): string =>
  createHash("sha256").update(`payrun csrf ${token}`).digest("base64url");

/**
 * @throws Problem if the request may come from another site's page. The cookie alone proves no
 * intent.
 */
export function refuseForeign(request: FastifyRequest, desk: PersonDeps): void {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const own = [host, desk.config.PUBLIC_URL && new URL(desk.config.PUBLIC_URL).host];
  const isForeignOrigin =
    origin !== undefined && !(URL.canParse(origin) && own.includes(new URL(origin).host));
  const isForeignSite = site !== undefined && site !== "same-origin" && site !== "none";
  if (isForeignOrigin || isForeignSite) throw new Problem("cross_site_request");
}

/** @throws Problem if the request does not contain the token of its session. */
export function requireCsrfToken(request: FastifyRequest, desk: PersonDeps): void {
  const given = Buffer.from(String(request.headers["x-payrun-csrf"] ?? ""));
  const wanted = Buffer.from(csrfToken(sessionToken(request, desk)?.token ?? ""));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Problem("cross_site_request", {
      detail: "The x-payrun-csrf header is missing or invalid.",
    });
  }
}
