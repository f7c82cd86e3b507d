import type { FastifyInstance } from "fastify";
import QRCode from "qrcode";
import { beginTotp, confirmTotp, dropTotp } from "#flows/people/second-factor.ts";
import { checkPassword } from "#flows/people/password-check.ts";
import { changePassword, signOut } from "#flows/people/sign-in.ts";
import type { ServerDeps } from "#views/deps.ts";
import { Problem } from "#api/app/problems.ts";
import { bucketPerSender } from "#http/server/rate-limit.ts";
import { route } from "#http/server/routes.ts";
import { CHECK_RATE, issueCookie, originOf, refusedSignIn, weak } from "#http/people/session.ts";
import { openSessions } from "#ledger/people/sessions.ts";
import { setPreferences } from "#ledger/people/users.ts";

/** Adds the API routes for the user's own profile. */
export function profileRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { clock } = deps;

  const mayCheck = bucketPerSender(CHECK_RATE, () => clock.monotonicMs());
  route(app, deps, "POST /api/profile/password-check", async ({ body, person }) => {
    if (!mayCheck(person.id)) throw new Problem("too_many_requests", {}, { "retry-after": "1" });
    const user = { email: person.email ?? "", name: person.name };
    return { problem: await checkPassword(body.password, user) };
  });

  route(app, deps, "POST /api/profile/password", async ({ body, person, request, reply }) => {
    const origin = originOf(request, deps);
    const changed = await changePassword({ userId: person.id, ...body }, origin, deps);
    if (!changed.ok) {
      throw changed.error.kind === "weak"
        ? weak(changed.error.why)
        : refusedSignIn(changed.error, 403);
    }
    return issueCookie(reply, origin, changed.value, deps);
  });

  route(app, deps, "POST /api/profile/totp", async ({ person }) => {
    const { secret, uri, enrolment } = beginTotp(
      {
        id: person.id,
        email: person.email ?? person.name,
        sessionId: person.session?.id ?? "",
      },
      deps,
    );
    const qr = await QRCode.toString(uri, { type: "svg", margin: 2 });
    return { secret, uri, qr_svg: qr, enrolment };
  });

  route(app, deps, "POST /api/profile/totp/confirm", async ({ body, person }) => {
    const sessionId = person.session?.id ?? "";
    const codes = await confirmTotp({ userId: person.id, sessionId, ...body }, deps);
    if (!codes) throw new Problem("wrong_password_or_code");
    return { recovery_codes: [...codes] };
  });

  route(app, deps, "DELETE /api/profile/totp", async ({ person }) => {
    const order = { userId: person.id, sessionId: person.session?.id ?? "", actor: person.actor };
    if (!(await dropTotp(order, deps))) throw new Problem("second_factor_not_removable");
  });

  preferenceRoutes(app, deps);
  sessionRoutes(app, deps);
}

/** Adds the routes for what a user prefers. */
function preferenceRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database } = deps;
  route(app, deps, "PUT /api/profile/preferences", async ({ body, person }) => {
    await setPreferences(database, person.id, {
      timeZone: body.time_zone,
      mailsAssignments: body.mails_assignments,
    });
  });
}

/** Adds the routes for the user's sign-ins. */
function sessionRoutes(app: FastifyInstance, deps: ServerDeps): void {
  const { database, clock } = deps;
  route(app, deps, "GET /api/profile/sessions", async ({ person }) => {
    const sessions = await openSessions(database, person.id, new Date(clock.nowMs()));
    return {
      items: sessions.map(({ id, address, agent, created_at, seen_at, expires_at }) => ({
        id,
        is_current: id === person.session?.id,
        address,
        agent,
        created_at: created_at.toISOString(),
        seen_at: seen_at.toISOString(),
        expires_at: expires_at.toISOString(),
      })),
    };
  });

  route(app, deps, "DELETE /api/profile/sessions/:id", async ({ params, person }) => {
    if (
      !(await signOut({ userId: person.id, sessionId: params.id, action: "end_session" }, deps))
    ) {
      throw new Problem("not_found");
    }
  });
}
