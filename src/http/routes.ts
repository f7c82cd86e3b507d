import type { IncomingHttpHeaders } from "node:http";
import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { API, type OperationName } from "#api/api.ts";
import { issueWords } from "#issue-words.ts";
import type { AnswerOf, BodyOf, Operation, ParamsOf, QueryOf } from "#api/operation.ts";
import { DEFAULT_FILE_LIMITS } from "#batch/limits.ts";
import { visible } from "#batch/visible.ts";
import type { Desk } from "#http/desk.ts";
import { once } from "#http/idempotency.ts";
import { type Person, personOf, refuseForeign, requireCsrfToken } from "#http/person.ts";
import { refuseUnknownHost } from "#http/hosts.ts";
import { Problem } from "#http/problems.ts";
import { spool, type Spooled, type SpoolUse } from "#http/spool.ts";
import { whyNotKept } from "#ledger/folder.ts";
import { wordsOf } from "#log.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Who may; a route without it makes the start fail. */
    may?: Operation["may"];
    operation?: Operation;
  }
  interface FastifyRequest {
    person: Person | null;
  }
}

/** A request as its operation describes it. */
export interface Call<O extends Operation> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** Null only where the operation is public. */
  readonly person: O["may"] extends "public" ? Person | null : Person;
  /** What was uploaded; it is gone when the request has its answer. */
  readonly file: O extends { readonly upload: true } ? Spooled : null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Where there is no document to answer, the handler has answered by `reply`, or has nothing to say. */
type Answered<O extends Operation> = O["answer"] extends z.ZodType
  ? AnswerOf<O>
  : O["answer"] extends "nothing"
    ? void
    : FastifyReply;

const SAFE = new Set(["GET", "HEAD", "OPTIONS"]);

/** Default deny: whatever is routed below `app` says who may, or the server does not start. */
export function denyByDefault(app: FastifyInstance, desk: Desk): void {
  const routes: { readonly url: string; readonly config?: { readonly may?: unknown } }[] = [];
  app.addHook("onRoute", (route) => void routes.push(route));
  app.addHook("onReady", async () => {
    const open = routes.filter(({ config }) => config?.may === undefined);
    if (open.length === 0) return;
    throw new Error(`routes that do not say who may: ${open.map(({ url }) => url).join(", ")}`);
  });

  app.decorateRequest("person", null);
  app.addHook("onRequest", async (request) => {
    const { may, operation } = request.routeOptions.config;
    if (may === undefined) return; // no route: the answer is "not found"
    const isChange = !SAFE.has(request.method);
    if (isChange) refuseForeign(request, desk);
    const person = await personOrNobody(request, desk, may);
    // A page that reaches this server under a foreign name has no API key; monitoring and the command line have one.
    if (person?.kind !== "key") refuseUnknownHost(request, desk.config);
    // A GET may write, too: the audit log records each download. No other site of the domain causes one.
    if (operation && person?.session) refuseForeign(request, desk);
    request.person = person;
    if (may === "public") return;
    if (!person) throw new Problem("not_signed_in");
    if (isChange && person.session) requireCsrfToken(request, desk);
    if (may !== "signed_in" && !person.permissions.has(may)) {
      const has = [...person.permissions].join(", ");
      throw new Problem("forbidden", {
        detail: `It takes the permission ${may}; what you have is ${has || "none"}.`,
      });
    }
    if (operation?.keys === false && person.kind === "key") throw new Problem("people_only");
    if (operation?.stepUp) requireStepUp(person, desk);
  });
  app.addHook("onRequest", async (request) => {
    const { operation } = request.routeOptions.config;
    if (operation) refuseType(request, operation);
  });
}

/** Whether a body follows, by what its sender says of it. */
export const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;

/** Before a byte of the body is read, so that whoever is wrong is told which type is wanted. */
function refuseType({ headers }: FastifyRequest, { body, upload }: Operation): void {
  const type = (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase();
  const isJson = type === "application/json";
  if (upload && (isJson || type?.startsWith("multipart/"))) {
    const detail =
      "A file is sent as it is, not inside a form, with the content type application/octet-stream.";
    throw new Problem("unsupported_type", { detail });
  }
  if (body && hasBody(headers) && !isJson) {
    const detail = "The body is a JSON document, with the content type application/json.";
    throw new Problem("unsupported_type", { detail });
  }
}

/** What no longer counts is nobody where everybody may: one signs in again with the old cookie still there. */
async function personOrNobody(
  request: FastifyRequest,
  desk: Desk,
  may: Operation["may"],
): Promise<Person | null> {
  try {
    return await personOf(request, desk);
  } catch (error) {
    if (may === "public" && error instanceof Problem) return null;
    throw error;
  }
}

function requireStepUp({ session }: Person, { clock }: Desk): void {
  const untilMs = session?.steppedUpUntil?.getTime() ?? 0;
  if (clock.nowMs() >= untilMs) throw new Problem("step_up_required");
}

/** Says who may use the routes of a plugin, which are in no table: pages, the viewer of the API, the queue board. */
export function openTo(app: FastifyInstance, may: Operation["may"]): void {
  app.addHook("onRoute", (route) => {
    route.config = { ...route.config, may };
  });
}

/** Serves one operation of the table: reads the request as the table says, or refuses it with the places. */
export function route<Name extends OperationName>(
  app: FastifyInstance,
  desk: Desk,
  name: Name,
  answer: (call: Call<(typeof API)[Name]>) => Promise<Answered<(typeof API)[Name]>>,
): void {
  const operation: Operation | undefined = API[name];
  if (!operation) throw new Error(`${name} is not in the table of operations`);
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

/** Of this process; the folder of uploads belongs to it alone. */
const spoolUse: SpoolUse = new Map();

async function received(request: FastifyRequest, { config, log }: Desk): Promise<Spooled> {
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
    log.error({ err: wordsOf(error), folder }, "a file that was sent cannot be kept");
    const detail = `Where the server keeps files, ${why}. Nothing was taken in: whoever runs payrun mends that, then bring it again.`;
    throw new Problem("no_room", { detail });
  }
}

/** What PostgreSQL keeps in no text: the character 0, and halves of a character. */
const UNKEPT = /[\0\p{Cs}]/u;
const UNKEPT_WORDS =
  "holds a character that no text has: U+0000, or half of a character. Leave it out";
const UNKEPT_TOLD_MAX = 20;

/** Where such texts stand, as "body.rows.3". Not by recursion: a body may be as deep as it is long. */
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

/** Where an operation takes no words in its query: whoever sends one believes that it counts. */
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
