import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Session } from "#api/session.ts";
import type { Origin } from "#flows/people/deps.ts";
import { knownBrowser } from "#flows/people/known-browser.ts";
import { lookAtLink, useLink } from "#flows/people/links.ts";
import { type SignInRefusal, signIn, signOut, stepUp } from "#flows/people/sign-in.ts";
import type { Desk } from "#http/desk.ts";
import {
  cookieName,
  csrfToken,
  isHttpsOnly,
  type Person,
  sessionToken,
  userOf,
} from "#http/person.ts";
import { Problem } from "#http/problems.ts";
import { route } from "#http/routes.ts";
import { hasUsers } from "#ledger/people/users.ts";
import type { PasswordProblem } from "#people/password.ts";
import { SESSION_MS } from "#people/session.ts";
import type { Secret } from "#secret.ts";

type SessionDocument = z.output<typeof Session>;

export function sessionRoutes(app: FastifyInstance, desk: Desk): void {
  route(app, desk, "GET /api/session", async ({ person, request }) =>
    documentOf(person, sessionToken(request, desk)?.token ?? null, desk),
  );

  route(app, desk, "POST /api/session", async ({ body, person, request, reply }) => {
    const origin = originOf(request, desk);
    const entered = await signIn(body, origin, desk);
    if (!entered.ok) throw refusedSignIn(entered.error);
    // The one who sat here before has left.
    if (person?.session) await endOwn(person);
    const session = await admit(reply, origin, entered.value, desk);
    reply.setCookie(browserCookie(origin.secure), knownBrowser(body.email, desk.sealer), {
      ...COOKIE,
      secure: origin.secure,
      maxAge: KNOWN_SECONDS,
    });
    return session;
  });

  route(app, desk, "DELETE /api/session", async ({ person, reply }) => {
    await endOwn(person);
    // A browser heeds no answer about a __Host- cookie that is not secure.
    reply
      .clearCookie(cookieName(true), { ...COOKIE, secure: true })
      .clearCookie(cookieName(false), COOKIE);
  });

  const endOwn = async ({ id, session }: Person) => {
    if (session) await signOut({ userId: id, sessionId: session.id, action: "sign_out" }, desk);
  };

  route(app, desk, "POST /api/session/step-up", async ({ body, person }) => {
    const proof = { userId: person.id, sessionId: person.session?.id ?? "", ...body };
    const until = await stepUp(proof, desk);
    if (!until.ok) throw refusedSignIn(until.error, 403);
    return { stepped_up_until: until.value.toISOString() };
  });

  route(app, desk, "POST /api/links/look", async ({ body }) => {
    const link = await lookAtLink(body.token, desk);
    if (!link) throw new Problem("link_void");
    const { purpose, user, expiresAt } = link;
    return {
      purpose,
      email: user?.email ?? null,
      name: user?.name ?? null,
      expires_at: expiresAt.toISOString(),
    };
  });

  route(app, desk, "POST /api/links/use", async ({ body, request, reply }) => {
    const origin = originOf(request, desk);
    const used = await useLink(body, origin, desk);
    if (!used.ok) {
      if (used.error.kind === "weak") throw weak(used.error.why);
      if (used.error.kind === "void") throw new Problem("link_void");
      throw new Problem("invalid_request", {
        detail: "The first admin needs an e-mail and a name.",
      });
    }
    return used.value ? admit(reply, origin, used.value, desk) : documentOf(null, null, desk);
  });
}

/** For the log and the list of sessions. */
export const originOf = (request: FastifyRequest, desk: Desk): Origin => ({
  address: request.ip,
  agent: request.headers["user-agent"] ?? "",
  browser: request.cookies[browserCookie(true)] ?? request.cookies[browserCookie(false)],
  // A browser tells how it reached us, also where TLS ends before us.
  secure:
    isHttpsOnly(desk) ||
    (request.headers.origin?.startsWith("https:") ?? request.protocol === "https"),
});

const COOKIE = { path: "/", httpOnly: true, sameSite: "strict" as const };

/** Kept when the session ends: it opens nothing, and has the tries of this browser counted by themselves. */
const browserCookie = (secure: boolean): string =>
  secure ? "__Host-payrun-known" : "payrun-known";
const KNOWN_SECONDS = 180 * 86_400;

/** Hands the browser its session. */
export async function admit(
  reply: FastifyReply,
  { secure }: Origin,
  token: Secret,
  desk: Desk,
): Promise<SessionDocument> {
  const value = token.reveal();
  reply.setCookie(cookieName(secure), value, { ...COOKIE, secure, maxAge: SESSION_MS / 1_000 });
  return documentOf(await userOf({ token: value, secure }, desk), value, desk);
}

async function documentOf(
  person: Person | null,
  token: string | null,
  { database, environment }: Desk,
): Promise<SessionDocument> {
  return {
    person: person && shown(person),
    csrf_token: person?.session && token !== null ? csrfToken(token) : null,
    environment,
    setup_needed: !person && !(await hasUsers(database)),
  };
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

/** @param status of a wrong answer: whoever is signed in stays so. */
export function refusedSignIn(refusal: SignInRefusal, status: 401 | 403 = 401): Problem {
  if (refusal.kind === "wait") {
    const seconds = Math.ceil(refusal.waitMs / 1_000);
    const detail = `Wait ${seconds} s before the next try.`;
    return new Problem("too_many_tries", { detail }, { "retry-after": String(seconds) });
  }
  if (refusal.kind === "code_required") return new Problem("code_required");
  return new Problem(status === 401 ? "wrong_credentials" : "wrong_proof");
}

export const weak = (why: PasswordProblem): Problem => new Problem("weak_password", { why });
