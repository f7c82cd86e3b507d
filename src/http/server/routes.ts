import { resolve } from "node:path";
import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { API, type OperationName } from "#api/api.ts";
import type { AnswerOf, BodyOf, ApiOperation, ParamsOf, QueryOf } from "#api/app/operation.ts";
import { BATCH_ID_PATTERN } from "#base/ids.ts";
import { DEFAULT_FILE_LIMITS } from "#intake/text/file-limits.ts";
import type { ServerDeps } from "#views/deps.ts";
import { answerOnce } from "#http/server/idempotency.ts";
import type { Person } from "#views/person.ts";
import { Problem } from "#api/app/problems.ts";
import { requestReader } from "#http/server/request-reader.ts";
import { isRevalidated, sendRevalidated } from "#http/server/revalidation.ts";
import { spoolUpload, type Spooled, type SpoolUse } from "#http/server/upload-spool.ts";
import { whyNotWritable } from "#ledger/store/folder.ts";
import { messageOf } from "#base/log.ts";
import { withSpan } from "#base/telemetry/spans.ts";

/** A request, typed as its API operation describes it. */
export interface Call<O extends ApiOperation> {
  readonly params: ParamsOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** Null only if the operation is public. */
  readonly person: O["permission"] extends "public" ? Person | null : Person;
  /**
   * The uploaded file; null if a JSON body replaces it. It is deleted when the request has been
   * answered.
   */
  readonly file: O extends { readonly upload: true; readonly body: z.ZodType }
    ? Spooled | null
    : O extends { readonly upload: true }
      ? Spooled
      : null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/**
 * If the operation has no answer document, the handler has answered by `reply`, or returns nothing.
 */
type Answered<O extends ApiOperation> = O["answer"] extends z.ZodType
  ? AnswerOf<O>
  : O["answer"] extends "nothing"
    ? void
    : FastifyReply;

/** Dependencies that all routes share. */
export interface RouteDeps
  extends Pick<ServerDeps, "checksAnswers" | "clock" | "config" | "database" | "log" | "sealer"> {
  /** Returns the operation as this app reads it. Default: as the table describes it. */
  readonly contractOf?: (operation: ApiOperation) => ApiOperation;
}

/**
 * Serves one API operation: reads the request as the table describes it, or refuses it with the
 * locations of the errors.
 */
export function route<Name extends OperationName>(
  app: FastifyInstance,
  deps: RouteDeps,
  name: Name,
  answer: (call: Call<(typeof API)[Name]>) => Promise<Answered<(typeof API)[Name]>>,
): void {
  const listed: ApiOperation | undefined = API[name];
  if (!listed) throw new Error(`${name} is not in the operations table`);
  const operation = deps.contractOf?.(listed) ?? listed;
  const read = requestReader(operation);
  const [method = "", url = ""] = name.split(" ");
  app.route({
    method,
    url,
    config: { may: operation.permission, operation },
    ...(operation.bodyBytesMax !== undefined && { bodyLimit: operation.bodyBytesMax }),
    handler: (request, reply) =>
      observed(name, request, async () => {
        const parts = read(request);
        const isFile = operation.upload === true && !("body" in parts);
        const file = isFile ? await spoolBody(request, deps) : null;
        const call = {
          ...parts,
          person: request.person,
          file,
          request,
          reply,
        } as unknown as Call<(typeof API)[Name]>;
        try {
          if (operation.creates) reply.code(201);
          const isKept = operation.creates && !operation.secret;
          const document: unknown = isKept
            ? await answerOnce(deps, request, reply, file?.digest ?? null, () => answer(call))
            : await answer(call);
          if (operation.answer === "nothing") return await reply.code(204).send();
          if (typeof operation.answer === "string") return reply;
          if (deps.checksAnswers) operation.answer.parse(document);
          return await (isRevalidated(method, operation)
            ? sendRevalidated(request, reply, document)
            : reply.send(document));
        } finally {
          await file?.remove();
        }
      }),
  });
}

/**
 * Answers as a span, named by the operation and without the address. Only a signed-in caller may
 * continue a trace of its own, because its `traceparent` decides whether the span is exported.
 */
const observed = <T>(
  name: OperationName,
  request: FastifyRequest,
  work: () => Promise<T>,
): Promise<T> => {
  const [method = "", route = ""] = name.split(" ");
  const parent = request.person ? request.headers["traceparent"] : undefined;
  const { id } = (request.params ?? {}) as { readonly id?: string };
  // A caller may put any other text into an address.
  const isBatch = route.startsWith("/api/batches/:id") && id !== undefined;
  return withSpan(
    {
      name,
      kind: "server",
      facts: { "http.request.method": method, "http.route": route },
      ...(isBatch && BATCH_ID_PATTERN.test(id) && { links: [{ batchId: id }] }),
      ...(typeof parent === "string" && { parent }),
    },
    work,
  );
};

/** Uploads of this process. Other servers may have files in the same folder. */
const spoolUse: SpoolUse = new Map();

async function spoolBody(request: FastifyRequest, { config, log }: RouteDeps): Promise<Spooled> {
  if (!(request.body instanceof Readable)) throw new Problem("unsupported_type");
  const actor = request.person?.actor ?? "";
  const folder = resolve(config.PAYRUN_DATA);
  try {
    return await spoolUpload(request.body, folder, {
      bytesMax: DEFAULT_FILE_LIMITS.bytesMax,
      actor,
      use: spoolUse,
    });
  } catch (error) {
    const why = whyNotWritable(error);
    if (why === null) throw error;
    log.error({ err: messageOf(error), folder }, "failed to store an uploaded file");
    const detail = `The server could not store the file in its upload folder: ${why}. The file was not uploaded. Ask your payrun administrator to correct this, then upload the file again.`;
    throw new Problem("disk_full", { detail });
  }
}
