import type { IncomingHttpHeaders } from "node:http";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { API, type OperationName } from "#api/api.ts";
import { issueWords } from "#base/schema-issues.ts";
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from "#api/app/operation.ts";
import { DEFAULT_FILE_LIMITS } from "#intake/text/file-limits.ts";
import { visible } from "#base/invisible-characters.ts";
import type { Desk } from "#views/deps.ts";
import { once } from "#http/server/idempotency.ts";
import { factorRequired, personOf, refuseForeign, requireCsrfToken } from "#http/server/person.ts";
import { type Person } from "#views/person.ts";
import { refuseUnknownHost } from "#http/server/hosts.ts";
import { Problem } from "#api/app/problems.ts";
import { spool, type Spooled, type SpoolUse } from "#http/server/upload-spool.ts";
import { whyNotKept } from "#ledger/store/folder.ts";
import { wordsOf } from "#base/log.ts";
import { permissionsOf } from "#people/roles.ts";
import { FIRST_FACTOR_MS } from "#people/session.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may use the route. A route without it prevents the server from starting. */
    may?: Operation["may"];
    operation?: Operation;
  }
  interface FastifyRequest {
    person: Person | null;
  }
}

/** A request, typed as its API operation describes it. */
export interface Call<O extends Operation> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** Null only if the operation is public. */
  readonly person: O["may"] extends "public" ? Person | null : Person;
  /** The uploaded file. It is deleted when the request has been answered. */
  readonly file: O extends { readonly upload: true } ? Spooled : null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * If the operation has no answer document, the handler has answered by `reply`, or returns nothing.
 */
type Answered<O extends Operation> = O["answer"] extends z.ZodType
  ? AnswerOf<O>
  : O["answer"] extends "nothing"
    ? void
    : FastifyReply;

/** Dependencies of every route, whatever its room. */
export interface RouteDeps
  extends Pick<Desk, "checksAnswers" | "clock" | "config" | "database" | "log" | "sealer"> {
  /** Returns the operation as this app reads it. Default: as the table describes it. */
  readonly contractOf?: (operation: Operation) => Operation;
}

/** Returns the sender of a request. Null: it names none. */
export type Identify = (request: FastifyRequest) => Promise<Person | null>;

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Denies by default: a route below `app` that does not state who may use it prevents the start. */
export function denyByDefault(
  app: FastifyInstance,
  desk: RouteDeps,
  identify: Identify = (request) => personOf(request, desk),
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
    if (isChange) refuseForeign(request, desk);
    const person = await personOrNobody(request, identify, may);
    // A web page that reaches this server under a foreign name has no API key; monitoring and the
    // command line have one.
    if (person?.kind !== "key") refuseUnknownHost(request, desk.config);
    // A GET may also write: the audit log records each download. Pages of other sites on the same
    // domain must not cause one.
    if (operation && person?.session) refuseForeign(request, desk);
    request.person = person;
    if (may === "public") return;
    if (!person) throw new Problem("not_signed_in");
    if (isChange && person.session) requireCsrfToken(request, desk);
    if (may !== "signed_in" && !person.permissions.has(may)) {
      if (permissionsOf(person.factorMissing).has(may)) throw factorRequired(person);
      const has = [...person.permissions].join(", ");
      const detail = person.lost?.scopes.includes(may)
        ? `This key has lost the ${may} permission because its creator, ${person.lost.maker}, no longer has it. Ask a user who has the permission to create a new key.`
        : `The ${may} permission is required. Your permissions: ${has || "none"}.`;
      throw new Problem("forbidden", { detail });
    }
    if (operation?.keys === false && person.kind === "key") throw new Problem("people_only");
    if (operation?.stepUp) requireStepUp(person, operation.stepUp, desk);
  });
  app.addHook("onRequest", async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation) refuseType(request, operation);
  });
}

/** Whether a body follows, according to the headers. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;

/** Checks the type before the body is read, so that the sender learns the required type. */
function refuseType({ headers }: FastifyRequest, { body, upload }: Operation): void {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  const isJson = type === "application/json";
  if (upload && (isJson || type?.startsWith("multipart/"))) {
    const detail =
      "Send the file as the request body, not as a form, with the content type application/octet-stream.";
    throw new Problem("unsupported_type", { detail });
  }
  if (body && hasBody(headers) && !isJson) {
    const detail = "Send a JSON document with the content type application/json.";
    throw new Problem("unsupported_type", { detail });
  }
}

/** Returns null for expired credentials where the operation is public, such as sign-in. */
async function personOrNobody(
  request: FastifyRequest,
  identify: Identify,
  may: Operation["may"],
): Promise<Person | null> {
  try {
    return await identify(request);
  } catch (error) {
    if (may === "public" && error instanceof Problem) return null;
    throw error;
  }
}

/**
 * If a role requires the second factor, a step-up by password does not count, even an earlier one.
 */
function requireStepUp(
  person: Person,
  stepUp: NonNullable<Operation["stepUp"]>,
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
  const isDemanded = session !== null && session.user.factorRoles.length > 0;
  const untilMs = session?.steppedUpUntil?.getTime() ?? 0;
  if (nowMs >= untilMs || (isDemanded && !isByFactor)) throw new Problem("step_up_required");
}

/**
 * States who may use the routes of a plugin, which are in no table: pages, the API viewer, the
 * queue board.
 */
export function openTo(app: FastifyInstance, may: Operation["may"]): void {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, may };
  });
}

/**
 * Serves one API operation: reads the request as the table describes it, or refuses it with the
 * locations of the errors.
 */
export function route<Name extends OperationName>(
  app: FastifyInstance,
  desk: RouteDeps,
  name: Name,
  answer: (call: Call<(typeof API)[Name]>) => Promise<Answered<(typeof API)[Name]>>,
): void {
  const listed: Operation | undefined = API[name];
  if (!listed) throw new Error(`${name} is not in the operations table`);
  const operation = desk.contractOf?.(listed) ?? listed;
  const [method = "", url = ""] = name.split(" ");
  app.route({
    method,
    url,
    config: { may: operation.may, operation },
    handler: async (request, reply) => {
      const read = readRequest(request, operation);
      const file = operation.upload ? await received(request, desk) : null;
      const call = {
        ...read,
        person: request.person,
        file,
        request,
        reply,
      } as unknown as Call<(typeof API)[Name]>;
      try {
        if (operation.creates) reply.code(201);
        const isKept = operation.creates && !operation.secret;
        const document: unknown = isKept
          ? await once(desk, request, reply, file?.digest ?? null, () => answer(call))
          : await answer(call);
        if (operation.answer === "nothing") return await reply.code(204).send();
        if (typeof operation.answer === "string") return reply;
        if (desk.checksAnswers) operation.answer.parse(document);
        return await reply.send(document);
      } finally {
        await file?.remove();
      }
    },
  });
}

/** Uploads of this process, which is the only user of the upload folder. */
const spoolUse: SpoolUse = new Map();

async function received(request: FastifyRequest, { config, log }: RouteDeps): Promise<Spooled> {
  if (!(request.body instanceof Readable)) throw new Problem("unsupported_type");
  const actor = request.person?.actor ?? "";
  const folder = resolve(config.PAYRUN_DATA);
  try {
    return await spool(request.body, folder, {
      bytesMax: DEFAULT_FILE_LIMITS.bytesMax,
      actor,
      use: spoolUse,
    });
  } catch (error) {
    const why = whyNotKept(error);
    if (why === null) throw error;
    log.error({ err: wordsOf(error), folder }, "failed to store an uploaded file");
    const detail = `The server could not store the file in its upload folder: ${why}. The file was not uploaded. Ask your payrun administrator to correct this, then upload the file again.`;
    throw new Problem("disk_full", { detail });
  }
}

/** Characters that PostgreSQL cannot store in a text: U+0000 and lone surrogates. */
const UNKEPT = /[\0\p{Cs}]/u;
const UNKEPT_WORDS = "contains an invalid character (U+0000 or an unpaired surrogate). Remove it";
const UNKEPT_TOLD_MAX = 20;

/**
 * Returns the locations of such texts, such as "body.rows.3". Not recursive: bodies may be deep.
 */
function unkeptIn(given: Readonly<Record<string, unknown>>): string[] {
  const found: string[] = [];
  const left: [place: string, value: unknown][] = Object.entries(given);
  while (left.length > 0 && found.length < UNKEPT_TOLD_MAX) {
    const [place, value] = left.pop() ?? ["", null];
    if (typeof value === "string" && UNKEPT.test(value)) found.push(place);
    if (typeof value !== "object" || value === null) continue;
    for (const [name, each] of Object.entries(value)) {
      if (UNKEPT.test(name)) found.push(place);
      left.push([`${place}.${visible(name)}`, each]);
    }
  }
  return found;
}

/** For operations without query parameters: a client that sends one would expect an effect. */
const NO_QUERY = z.strictObject({});

function readRequest(request: FastifyRequest, operation: Operation) {
  const isRead = operation.body && !operation.upload && !(request.body instanceof Readable);
  const given = {
    params: request.params,
    query: request.query,
    body: isRead ? request.body : undefined,
  };
  const places = unkeptIn(given).map((place) => ({ place, message: UNKEPT_WORDS }));
  if (places.length > 0) throw new Problem("invalid_request", { places });
  const read = (part: keyof typeof given): unknown => {
    if (operation.upload && part === "body") return undefined;
    const schema = operation[part] ?? (part === "query" ? NO_QUERY : undefined);
    if (!schema) return undefined;
    const parsed = schema.safeParse(given[part], { error: issueWords });
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) {
      places.push({ place: [part, ...path].join("."), message });
    }
    return undefined;
  };
  const call = { params: read("params"), query: read("query"), body: read("body") };
  if (places.length > 0) throw new Problem("invalid_request", { places });
  return call;
}
