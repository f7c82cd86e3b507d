import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ApiOperation } from "#api/app/operation.ts";
import { factorRequired, personOf, refuseForeign, requireCsrfToken } from "#http/server/person.ts";
import type { Person } from "#views/person.ts";
import { refuseUnknownHost } from "#http/server/hosts.ts";
import { Problem } from "#api/app/problems.ts";
import { refuseType } from "#http/server/request-reader.ts";
import type { RouteDeps } from "#http/server/routes.ts";
import { type Permission, permissionsOf } from "#people/roles.ts";
import { FIRST_FACTOR_MS } from "#people/session.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Permission that the route requires. A route without it prevents the server from starting. */
    may?: ApiOperation["permission"];
    operation?: ApiOperation;
  }
  interface FastifyRequest {
    person: Person | null;
  }
}

/** Returns the sender of a request. Null: it names none. */
export type Identify = (request: FastifyRequest) => Promise<Person | null>;

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Denies by default: a route below `app` that does not state who may use it prevents the start. */
export function denyByDefault(
  app: FastifyInstance,
  deps: RouteDeps,
  identify: Identify = (request) => personOf(request, deps),
): void {
  const routes: { readonly url: string; readonly config?: { readonly may?: unknown } }[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  app.addHook("onReady", async () => {
    const open = routes.filter(({ config }) => config?.may === undefined);
    if (open.length === 0) return;
    throw new Error(
      `routes without a required permission: ${open.map(({ url }) => url).join(", ")}`,
    );
  });

  app.decorateRequest("person", null);
  app.addHook("onRequest", async (request) => {
    const { may, operation } = request.routeOptions.config;
    if (may === undefined) return; // No route: the answer is "not found".
    const isChange = !SAFE.has(request.method);
    if (isChange) refuseForeign(request, deps);
    const person = await personOrNobody(request, identify, may);
    // A web page that reaches this server under a foreign name has no API key; monitoring and the
    // command line have one.
    if (person?.kind !== "key") refuseUnknownHost(request, deps.config);
    // A GET may also write: the audit log records each download. Pages of other sites on the same
    // domain must not cause one.
    if (operation && person?.session) refuseForeign(request, deps);
    request.person = person;
    if (may === "public") return;
    if (!person) throw new Problem("not_signed_in");
    if (isChange && person.session) requireCsrfToken(request, deps);
    if (may !== "signed_in") requirePermission(person, may);
    if (operation?.keys === false && person.kind === "key") throw new Problem("people_only");
    if (operation?.stepUp) requireStepUp(person, operation.stepUp, deps);
  });
  app.addHook("onRequest", async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation) refuseType(request, operation);
  });
}

/** Returns null for expired credentials where the operation is public, such as sign-in. */
async function personOrNobody(
  request: FastifyRequest,
  identify: Identify,
  may: ApiOperation["permission"],
): Promise<Person | null> {
  try {
    return await identify(request);
  } catch (error) {
    if (may === "public" && error instanceof Problem) return null;
    throw error;
  }
}

function requirePermission(person: Person, may: Permission): void {
  const { permissions, factorMissing, lost } = person;
  if (permissions.has(may)) return;
  if (permissionsOf(factorMissing).has(may)) throw factorRequired(person);
  const detail = lost?.scopes.includes(may)
    ? `This key has lost the ${may} permission because its creator, ${lost.maker}, no longer has it. Ask a user who has the permission to create a new key.`
    : `The ${may} permission is required. Your permissions: ${[...permissions].join(", ") || "none"}.`;
  throw new Problem("forbidden", { detail });
}

/**
 * The sign-in counts as a step-up. If the user has a second factor or a role requires one, a
 * step-up by password does not count, even an earlier one.
 */
function requireStepUp(
  person: Person,
  stepUp: NonNullable<ApiOperation["stepUp"]>,
  { clock }: RouteDeps,
): void {
  const { session, factorMissing } = person;
  const nowMs = clock.nowMs();
  if (factorMissing.length > 0) {
    if (stepUp !== "or_first_factor") throw factorRequired(person);
    const openedMs = session?.createdAt.getTime() ?? 0;
    if (nowMs >= openedMs + FIRST_FACTOR_MS) throw new Problem("sign_in_again");
    return;
  }
  const isByFactor = session?.steppedUpBy === "second_factor";
  const isDemanded =
    session !== null && (session.user.hasTotp || session.user.factorRoles.length > 0);
  const untilMs = session?.steppedUpUntil?.getTime() ?? 0;
  if (nowMs >= untilMs || (isDemanded && !isByFactor)) throw new Problem("step_up_required");
}

/**
 * States who may use the routes of a plugin, which are in no table: pages, the API viewer, the
 * queue board.
 */
export function allowRoutes(app: FastifyInstance, may: ApiOperation["permission"]): void {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, may };
  });
}
