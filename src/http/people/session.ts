import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Session } from "#api/app/session.ts";
import type { Origin } from "#flows/people/deps.ts";
import { createBrowserToken } from "#flows/people/known-browser.ts";
import { findLinkInfo, useLink } from "#flows/people/links.ts";
import { checkPassword } from "#flows/people/password-check.ts";
import { type SignInRefusal, signIn, signOut, stepUp } from "#flows/people/sign-in.ts";
import { environmentNow, type ServerDeps } from "#views/deps.ts";
import {
  cookieName,
  csrfToken,
  factorRequired,
  isHttpsOnly,
  sessionToken,
  userOf,
} from "#http/server/person.ts";
import { type Person } from "#views/person.ts";
import { Problem } from "#api/app/problems.ts";
import { bucketPerSender } from "#http/server/rate-limit.ts";
import { route } from "#http/server/routes.ts";
import { hasUsers } from "#ledger/people/users.ts";
import type { PasswordProblem } from "#people/password.ts";
import { SESSION_MS } from "#people/session.ts";
import type { Secret } from "#base/secret.ts";

type SessionDocument = z.output<typeof Session>;

/** Limit per sender for checks of passwords, each of which can take a second of one core. */
export const CHECK_RATE = { perSecond: 1, burst: 20 };

/** Adds the API routes for signing in and out. */
export function sessionRoutes(app: FastifyInstance, deps: ServerDeps): void {
  route(app, deps, "GET /api/session", async ({ person, request }) =>
    documentOf(person, sessionToken(request, deps)?.token ?? null, deps),
  );

  route(app, deps, "POST /api/session", async ({ body, person, request, reply }) => {
    const origin = originOf(request, deps);
    const entered = await signIn(body, origin, deps);
    if (!entered.ok) throw refusedSignIn(entered.error);
    // The previous user of this browser has left.
    if (person?.session) await endOwn(person);
    const session = await issueCookie(reply, origin, entered.value, deps);
    reply.setCookie(browserCookie(origin.secure), createBrowserToken(body.email, deps.sealer), {
      ...COOKIE,
      secure: origin.secure,
      maxAge: KNOWN_SECONDS,
    });
    return session;
  });

  route(app, deps, "DELETE /api/session", async ({ person, reply }) => {
    await endOwn(person);
    // Browsers ignore a response that clears a __Host- cookie without Secure.
    reply
      .clearCookie(cookieName(true), { ...COOKIE, secure: true })
      .clearCookie(cookieName(false), COOKIE);
  });

  const endOwn = async ({ id, session }: Person) => {
    if (session) await signOut({ userId: id, sessionId: session.id, action: "sign_out" }, deps);
  };

  route(app, deps, "POST /api/session/step-up", async ({ body, person, request }) => {
    const { address } = originOf(request, deps);
    const proof = { userId: person.id, sessionId: person.session?.id ?? "", address, ...body };
    const until = await stepUp(proof, deps);
    if (!until.ok) {
      throw until.error.kind === "second_factor_required"
        ? factorRequired(person)
        : refusedSignIn(until.error, 403);
    }
    return { stepped_up_until: until.value.toISOString() };
  });
  linkRoutes(app, deps);
}

/** Adds the API routes for one-time links. */
function linkRoutes(app: FastifyInstance, deps: ServerDeps): void {
  route(app, deps, "POST /api/links/inspect", async ({ body }) => {
    const link = await findLinkInfo(body.token, deps);
    if (!link) throw new Problem("link_invalid");
    const { purpose, user, expiresAt } = link;
    return {
      purpose,
      email: user?.email ?? null,
      name: user?.name ?? null,
      expires_at: expiresAt.toISOString(),
    };
  });

  const mayCheck = bucketPerSender(CHECK_RATE, () => deps.clock.monotonicMs());
  route(app, deps, "POST /api/links/password-check", async ({ body, request }) => {
    const link = await findLinkInfo(body.token, deps);
    if (!link) throw new Problem("link_invalid");
    if (!mayCheck(request.ip)) throw new Problem("too_many_requests", {}, { "retry-after": "1" });
    const { email = "", name = "" } = link.user ?? body;
    return { problem: await checkPassword(body.password, { email, name }) };
  });

  route(app, deps, "POST /api/links/use", async ({ body, request, reply }) => {
    const origin = originOf(request, deps);
    const used = await useLink(body, origin, deps);
    if (!used.ok) {
      if (used.error.kind === "weak") throw weak(used.error.why);
      if (used.error.kind === "void") throw new Problem("link_invalid");
      throw new Problem("invalid_request", {
        detail: "Enter an e-mail address and a name for the first admin.",
      });
    }
    return used.value ? issueCookie(reply, origin, used.value, deps) : documentOf(null, null, deps);
  });
}

/** Returns the origin of a request, for the log and the list of sessions. */
export const originOf = (request: FastifyRequest, deps: ServerDeps): Origin => ({
  address: request.ip,
  agent: request.headers["user-agent"] ?? "",
  browser: request.cookies[browserCookie(true)] ?? request.cookies[browserCookie(false)],
  // The browser's Origin header shows how it reached the server, even if TLS ends at a proxy.
  secure:
    isHttpsOnly(deps) ||
    (request.headers.origin?.startsWith("https:") ?? request.protocol === "https"),
});

const COOKIE = { path: "/", httpOnly: true, sameSite: "strict" as const };

/**
 * Cookie of a known browser. It remains when the session ends and gives no access: the sign-in
 * tries of this browser are counted separately.
 */
const browserCookie = (secure: boolean): string =>
  secure ? "__Host-payrun-known" : "payrun-known";
const KNOWN_SECONDS = 180 * 86_400;

/** Gives the browser its session cookie. */
export async function issueCookie(
  reply: FastifyReply,
  { secure }: Origin,
  token: Secret,
  deps: ServerDeps,
): Promise<SessionDocument> {
  const value = token.reveal();
  reply.setCookie(cookieName(secure), value, { ...COOKIE, secure, maxAge: SESSION_MS / 1_000 });
  return documentOf(await userOf({ token: value, secure }, deps), value, deps);
}

async function documentOf(
  person: Person | null,
  token: string | null,
  deps: ServerDeps,
): Promise<SessionDocument> {
  return {
    person: person && shown(person),
    csrf_token: person?.session && token !== null ? csrfToken(token) : null,
    environment: environmentNow(deps),
    setup_needed: !person && !(await hasUsers(deps.database)),
  };
}

const shown = ({ kind, id, name, email, roles, permissions, factorMissing, session }: Person) => ({
  kind,
  id,
  name,
  email,
  roles: [...roles],
  permissions: [...permissions],
  has_totp: session?.user.hasTotp ?? false,
  second_factor_missing: [...factorMissing],
  stepped_up_until: session?.steppedUpUntil?.toISOString() ?? null,
  time_zone: session?.user.timeZone ?? null,
  mails_assignments: session?.user.mailsAssignments ?? false,
});

/** @param status status of a wrong answer. With 403 a signed-in user stays signed in. */
export function refusedSignIn(refusal: SignInRefusal, status: 401 | 403 = 401): Problem {
  if (refusal.kind === "wait") {
    const seconds = Math.ceil(refusal.waitMs / 1_000);
    const detail = `Wait ${seconds} ${seconds === 1 ? "second" : "seconds"} before trying again.`;
    return new Problem("too_many_attempts", { detail }, { "retry-after": String(seconds) });
  }
  if (refusal.kind === "code_required") return new Problem("code_required");
  return new Problem(status === 401 ? "wrong_credentials" : "wrong_password_or_code");
}

/** Returns the problem for a password that is too weak. */
export const weak = (why: PasswordProblem): Problem => new Problem("weak_password", { why });
