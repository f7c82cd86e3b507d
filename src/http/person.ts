import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Desk } from "#http/desk.ts";
import { Problem } from "#http/problems.ts";
import { refusalIn } from "#ledger/outage.ts";
import { findApiKey, touchApiKey } from "#ledger/people/api-keys.ts";
import { findSession, type Session, touchSession } from "#ledger/people/sessions.ts";
import { type Permission, permissionsOf, type Role } from "#people/roles.ts";
import { isAlive } from "#people/session.ts";

/** Who asks: a user by the cookie of a session, or a program by its key. */
export interface Person {
  readonly kind: "user" | "key";
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly roles: readonly Role[];
  readonly permissions: ReadonlySet<Permission>;
  /** For transitions and audit lines: "user:US…", "key:AK…". */
  readonly actor: string;
  /** Of a user alone. */
  readonly session: Session | null;
}

/** The second works without https, on one's own machine; a session counts under the name it was made for alone. */
const COOKIES = { secure: "__Host-payrun", plain: "payrun" };
export const cookieName = (secure: boolean): string => (secure ? COOKIES.secure : COOKIES.plain);

/** Whether every cookie must be one of https, because people reach us by no other way. */
export const isHttpsOnly = ({ config }: Pick<Desk, "config">): boolean =>
  config.PUBLIC_URL !== undefined && new URL(config.PUBLIC_URL).protocol === "https:";

const TOUCH_MS = 60_000;

/** @throws Problem when what was shown no longer counts. Null: nothing was shown. */
export async function personOf(request: FastifyRequest, desk: Desk): Promise<Person | null> {
  const { authorization } = request.headers;
  if (authorization !== undefined) return program(authorization, desk);
  const token = sessionToken(request, desk);
  if (token === null) return null;
  const person = await userOf(token, desk);
  // What a page asks by itself, every few seconds, keeps no session alive.
  if (request.headers["x-payrun-input"] !== undefined) await keepAlive(person, desk);
  return person;
}

export function sessionToken(
  request: FastifyRequest,
  desk: Pick<Desk, "config">,
): { readonly token: string; readonly secure: boolean } | null {
  const { [COOKIES.secure]: secure, [COOKIES.plain]: plain } = request.cookies;
  if (secure !== undefined) return { token: secure, secure: true };
  return plain === undefined || isHttpsOnly(desk) ? null : { token: plain, secure: false };
}

/** @throws Problem when the session no longer counts. */
export async function userOf(
  { token, secure }: { readonly token: string; readonly secure: boolean },
  { database, clock }: Desk,
): Promise<Person> {
  const session = await findSession(database, token);
  const nowMs = clock.nowMs();
  if (
    !session ||
    session.secure !== secure ||
    session.user.isDisabled ||
    !isAlive(session, nowMs)
  ) {
    throw new Problem("session_ended");
  }
  const { id, name, email, roles } = session.user;
  const permissions = permissionsOf(roles);
  return { kind: "user", id, name, email, roles, permissions, actor: `user:${id}`, session };
}

async function keepAlive({ session }: Person, { database, clock }: Desk): Promise<void> {
  const nowMs = clock.nowMs();
  if (session && nowMs - session.seenAt.getTime() > TOUCH_MS) {
    await unlessRefused(touchSession(database, session.id, new Date(nowMs)));
  }
}

/** Whoever only looks may go on where nothing can be written: the disk is full, or the database takes no writes (F27). */
const unlessRefused = (touched: Promise<void>): Promise<void> =>
  touched.catch((error: unknown) => {
    if (!refusalIn(error)) throw error;
  });

async function program(authorization: string, { database, clock }: Desk): Promise<Person> {
  const [, token] = /^Bearer (pk_[\w-]{43})$/i.exec(authorization) ?? [];
  const now = new Date(clock.nowMs());
  const key = token === undefined ? null : await findApiKey(database, token, now);
  if (!key) throw new Problem("key_refused");
  if (!key.usedAt || now.getTime() - key.usedAt.getTime() > TOUCH_MS) {
    await unlessRefused(touchApiKey(database, key.id, now));
  }
  return {
    kind: "key",
    id: key.id,
    name: key.name,
    email: null,
    roles: [],
    permissions: new Set(key.scopes),
    actor: `key:${key.id}`,
    session: null,
  };
}

/** What a page of ours must send with every change: another page cannot read the cookie that it is made of. */
export const csrfToken = (token: string): string =>
  createHash("sha256").update(`payrun csrf ${token}`).digest("base64url");

/** @throws Problem when a page that is not ours may have sent this; the cookie alone proves no intent. */
export function refuseForeign(request: FastifyRequest, desk: Desk): void {
  const { origin, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  const own = [host, desk.config.PUBLIC_URL && new URL(desk.config.PUBLIC_URL).host];
  const isForeignOrigin =
    origin !== undefined && !(URL.canParse(origin) && own.includes(new URL(origin).host));
  const isForeignSite = site !== undefined && site !== "same-origin" && site !== "none";
  if (isForeignOrigin || isForeignSite) throw new Problem("foreign_request");
}

/** @throws Problem when the request does not carry the token of its session. */
export function requireCsrfToken(request: FastifyRequest, desk: Desk): void {
  const given = Buffer.from(String(request.headers["x-payrun-csrf"] ?? ""));
  const wanted = Buffer.from(csrfToken(sessionToken(request, desk)?.token ?? ""));
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
    throw new Problem("foreign_request", {
      detail: "The header x-payrun-csrf is missing or wrong.",
    });
  }
}
